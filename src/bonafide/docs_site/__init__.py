"""The documentation for readers: API reference with runnable samples, the pages of docs/, the changelog and its feed.

They need no sign-in.
"""
