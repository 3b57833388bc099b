"""Saved views, exports of lists, actions on many business records, and the search of everything."""
