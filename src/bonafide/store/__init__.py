"""Where SQL lives: one module a noun, the same statements on SQLite and PostgreSQL.

Each function takes an open connection and then the organization whose rows it touches; the few that can't know it yet (a key by
its digest) or work for all at once (what is overdue, which job is next) say so. Nothing here reads a clock or interprets a stored
document, and no noun's module begins or ends a transaction: that is `engine.Store`'s; time comes in as a parameter.
"""
