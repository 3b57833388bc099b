"""All SQL: one module for each kind of row, the same statements on SQLite and PostgreSQL.

Each function takes an open connection and then the organization whose rows it accesses. The docstring says so where a function does
not know it yet (a key by its digest) or works for all organizations (overdue rows, the next job). Nothing here reads a clock or
interprets a stored document. Transactions begin and end in `engine.Store` only; the time is a parameter.
"""
