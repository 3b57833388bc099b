"""Pages for people who read: the API's reference with examples that run, the documentation of `docs/`, the changelog and its feed.

They say nothing that the description, the Markdown files and the changelog do not say, and need no sign-in.
"""
