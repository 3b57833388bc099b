"""Cases: what is open of one business, in one place, with who works on it and what was decided."""
