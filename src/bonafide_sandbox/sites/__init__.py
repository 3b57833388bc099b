"""The web sites of some of the made-up businesses, and of nobody: what a person would find at `https://<label>.sandbox.example`.

They are made on the fly from the world's seed. Nothing here knows how a site is crawled or understood.
"""
