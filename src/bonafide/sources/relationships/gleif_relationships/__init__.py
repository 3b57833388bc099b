"""The relationship records and reporting exceptions of the Global LEI index."""
