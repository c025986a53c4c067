"""From clues to candidates: providers, and the one place where their scores meet."""
