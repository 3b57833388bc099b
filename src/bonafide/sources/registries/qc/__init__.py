"""Quebec's enterprise register, from the open data that a person downloads."""
