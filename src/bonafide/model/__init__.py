"""The values that travel through the service: what was asked, what a source states, what was found.

Frozen, typed and inert: nothing here reads a clock, a file, a setting or a network.
"""
