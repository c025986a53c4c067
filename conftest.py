"""Tests, doctests and examples see the lexicon that is shipped, whatever the machine has; so do commands they run.

Random tests draw the same examples in every run ("steady"). Only the nightly run ("nightly") draws new ones, by a seed
that it prints: `pytest --hypothesis-profile nightly --hypothesis-seed 20261122` repeats it.
"""

import os

from hypothesis import HealthCheck, settings

from lexicon.sources import ONLY

os.environ[ONLY] = "permissive"

# A busy machine is no failure: no deadline, no check of how long examples take to draw. No database: the failure of
# yesterday, or of another clone, is not replayed.
CALM = settings(deadline=None, database=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", CALM, derandomize=True)
settings.register_profile("nightly", CALM, max_examples=500)
settings.load_profile("steady")
