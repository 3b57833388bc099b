"""Write the files of regulators in their own formats."""
