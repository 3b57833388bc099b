"""Cannabis licensees of Alberta: Alberta Gaming, Liquor and Cannabis."""
