"""A business's own web site: crawl its relevant pages, extract what they state, and classify its industry.

It finds and quotes; whether a statement is true is for the registers to say.
"""
