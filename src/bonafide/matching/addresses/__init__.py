"""Canadian addresses: parsing and comparison, in English and French."""
