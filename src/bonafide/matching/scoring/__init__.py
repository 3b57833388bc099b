"""Word similarity, alignment and the parameters of every score."""
