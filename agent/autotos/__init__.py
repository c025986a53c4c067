"""Judge search code that language models write, and the loop that makes them write it."""
