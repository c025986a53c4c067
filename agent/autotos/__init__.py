"""A judge for search code that language models write, and the loop that has them write it."""
