"""Tests, doctests and examples see the lexicon that is shipped, whatever the machine has; so do commands they run."""

import os

from lexicon.sources import ONLY

os.environ[ONLY] = "permissive"
