"""Files in and out: every format reads to and is written from a Puzzle."""
