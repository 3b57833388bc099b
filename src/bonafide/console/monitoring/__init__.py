"""Pages of monitoring: of all records of the organization, and the section of one record."""
