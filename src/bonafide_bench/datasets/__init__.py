"""Generated benchmark data: names, queries and labelled pairs."""
