"""The made-up Canada: businesses from one seed, written in each publisher's own file format, and a server that publishes them.

Nothing here knows how the files are read: sources and sandbox meet in the formats alone.
"""
