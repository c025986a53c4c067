"""Make `python -m lexicon` answer a clue."""

import sys

from lexicon.cli import main

if __name__ == "__main__":
    sys.exit(main())
