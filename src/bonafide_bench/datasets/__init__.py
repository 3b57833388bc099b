"""Names, queries and labelled pairs to measure on."""
