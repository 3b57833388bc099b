"""A receiver of webhooks in a process of its own: it stores when each event arrives, and returns these times.

It responds to events under `/slow` after `SLOW_S` seconds, to all others at once. `GET /arrivals/<path>` returns the events that
have arrived under a path, `{"<webhook-id>": <seconds since 1970>}`, and deletes them.
"""

import asyncio
import json
import time
from collections import defaultdict
from typing import Any

SLOW_S = 10.0
ARRIVALS = "/arrivals"
_arrivals: defaultdict[str, dict[str, float]] = defaultdict(dict)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """The ASGI application."""
    if scope["type"] != "http":
        return
    path: str = scope["path"]
    body = b""
    if scope["method"] == "GET":
        body = json.dumps(_arrivals.pop(path.removeprefix(ARRIVALS), {})).encode()
    else:
        headers = dict(scope["headers"])
        while (await receive()).get("more_body"):
            pass
        _arrivals[path].setdefault(headers[b"webhook-id"].decode(), time.time())
        if path.startswith("/slow"):
            await asyncio.sleep(SLOW_S)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(body)).encode())]})
    await send({"type": "http.response.body", "body": body})
