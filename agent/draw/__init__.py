"""Pictures of plain values as SVG text: grids, nonograms, Gogens, fill-ins, charts. Standard library only."""
