"""Pure, explained scoring of names, numbers and addresses, in English and French.

Nothing here reads a network, a database, a clock or a setting; the only files read are this package's own tables, once, at import.
"""
