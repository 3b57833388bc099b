"""Cases: gather what is open of each business, work on it, and decide."""
