"""What all lists of the console share: filters, saved views, exports, actions on many records, and the search of everything."""
