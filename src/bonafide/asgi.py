"""The address of the ASGI application that operators name: `uvicorn bonafide.asgi:application`."""

from bonafide.app.asgi import application

__all__ = ["application"]
