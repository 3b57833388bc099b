"""Gaming registrants: Alberta Gaming, Liquor and Cannabis."""
