"""A business's own website: crawl its relevant pages, extract its statements, and classify its industry.

Statements are quoted, not verified: the registers do that.
"""
