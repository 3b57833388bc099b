"""Nova Scotia's Registry of Joint Stock Companies: live queries by Registry ID."""
