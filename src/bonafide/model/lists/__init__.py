"""Lists of the console: saved views, and actions on many records at once."""
