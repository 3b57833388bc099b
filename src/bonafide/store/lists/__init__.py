"""Saved views, actions on many business records, and the search of everything by words."""
