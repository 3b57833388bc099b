"""Search engines behind one interface: the product's index and the baselines it is compared with."""
