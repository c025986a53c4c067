"""Clues without a grid: block patterns that fit their numbers, and the one that is cheapest to fill."""
