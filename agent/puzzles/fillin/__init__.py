"""Fill-in (criss-cross, kriss kross): put every word of a list into a grid, each once; every run is a word.

A state keeps one bitmap per slot over the words of its length. `masks[length][position][letter]` is the bitmap of
the words with that letter there, so a crossing is revised letter by letter whatever the number of words. Each
word has one slot: a word that one slot alone can take is written there. Real puzzles of 15x15 to 32x20 need nothing
more. For the hard ones the search branches on the slot with the fewest words per weight; a slot gains weight
whenever a contradiction shows in it (dom/wdeg, Boussemart et al. 2004).

>>> from agent.puzzles.fillin.deduce import propagate, start
>>> from agent.puzzles.fillin.files import parse
>>> from agent.puzzles.fillin.search import rows
>>> puzzle = parse("#h#\\n___\\n#_#\\n\\nhat\\nbag")
>>> print("\\n".join(rows(propagate(start(puzzle)))))
#h#
bag
#t#
"""
