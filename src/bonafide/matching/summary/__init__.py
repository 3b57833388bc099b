"""Write the analyst summary of a verification."""
