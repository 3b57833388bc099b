"""A minimal FastAPI application: the baseline of `bonafide bench load`."""

from fastapi import FastAPI

application = FastAPI(openapi_url=None)


@application.get("/")
async def hello() -> dict[str, str]:
    """Return a constant response."""
    return {"hello": "world"}
