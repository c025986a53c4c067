"""One file per kind of puzzle, with the same names in each: parse, start, successors, is_goal, priority, render."""
