"""Making the index: readers of the sources, morphology, vectors, fitting of the weights. Not needed for look-ups."""
