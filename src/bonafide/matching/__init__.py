"""Pure, explained scoring of names, numbers and addresses, in English and French.

The package uses no network, database, clock or settings; it only reads its own tables, at import, and the message catalogue.
"""
