"""Write sources of relationships in their own formats."""
