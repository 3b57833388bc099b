"""Write the files of business registers in their own formats."""
