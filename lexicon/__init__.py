"""Words in, words out: the embedded answerer of clues."""
