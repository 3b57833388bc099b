"""The documentation for readers: API reference with runnable samples, the pages of docs/, the changelog and its feed.

They say nothing that the description, the Markdown files and the changelog do not say, and need no sign-in.
"""
