"""Write sanctions lists in their own formats."""
