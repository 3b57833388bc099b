"""The verbs of the product.

Each takes the `Runtime` first, opens its own short transactions, and never holds one while it waits for anything else. Nothing here
knows of HTTP, of a terminal, or of SQL.
"""
