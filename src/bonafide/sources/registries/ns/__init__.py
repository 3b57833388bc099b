"""Nova Scotia's Registry of Joint Stock Companies: nothing here can be read by a machine; it can be imported."""
