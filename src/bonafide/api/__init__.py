"""The HTTP API: each endpoint parses, authorizes, calls one service and renders.

`routes` lists the routers, `endpoints` has one module for each subject, `protocol` middleware and parsing, `description` the
OpenAPI description. Requests and responses are types of `model`.
"""
