"""Registration numbers: parsing, normalization and comparison."""
