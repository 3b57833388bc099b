"""Start-up: the ASGI application and the composition root."""
