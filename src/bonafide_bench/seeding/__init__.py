"""Fill an organization with data to measure on."""
