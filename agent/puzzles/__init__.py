"""A folder for each kind of puzzle; one without clues has its value in `kind.py`, its recogniser in `recognise.py`."""
