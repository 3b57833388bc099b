"""What the API, the console and the documentation share of HTTP: facts of the request under way, style, scripts, templates, texts.

Nothing here knows a page or an endpoint.
"""
