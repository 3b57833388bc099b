"""The yardstick of `bonafide bench load`: the least that a FastAPI application can do, served in the same way in the same run."""

from fastapi import FastAPI

application = FastAPI(openapi_url=None)


@application.get("/")
async def hello() -> dict[str, str]:
    """A greeting, without a look at anything."""
    return {"hello": "world"}
