"""The web sites of some generated businesses, and of no business, at `https://<label>.sandbox.example`.

Sites are generated on request from the world's seed. This package does not know how sites are crawled or parsed.
"""
