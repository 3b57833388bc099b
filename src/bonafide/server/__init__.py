"""Serve an ASGI application: sockets, header limits, process state."""
