"""Record what is claimed about the owners of a business, and roll it up."""
