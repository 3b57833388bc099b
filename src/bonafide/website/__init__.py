"""A business's own web site: its few telling pages read through the guarded door, and what they state.

It finds and quotes; whether a statement is true is for the registers to say.
"""
