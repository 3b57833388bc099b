"""Crawl the few relevant pages of a site, within robots.txt and the limits."""
