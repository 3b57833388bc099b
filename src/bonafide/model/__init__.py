"""The frozen values that every layer uses: queries, entries, matches, results, records.

Frozen, typed and inert: nothing here reads a clock, a file, a setting or a network.
"""
