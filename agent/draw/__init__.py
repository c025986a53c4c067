"""Pictures of plain values as SVG text: grids and charts. Standard library only."""
