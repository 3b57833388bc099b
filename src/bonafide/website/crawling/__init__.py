"""Crawl a site: the few relevant pages, within what robots.txt and the limits allow."""
