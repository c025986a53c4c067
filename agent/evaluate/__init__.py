"""Run many puzzles, measure, keep every result."""
