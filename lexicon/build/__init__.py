"""Making the index: readers of the sources, morphology, vectors, the fitting of the weights. Not needed to ask it."""
