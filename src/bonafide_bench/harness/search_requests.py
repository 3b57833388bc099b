"""Build the bytes of HTTP requests to the API."""

import json
from typing import Any

HOST = "127.0.0.1"
"""Where the server runs."""


def build_request(method: str, path: str, key: str, body: dict[str, Any] | None = None, *headers: str) -> bytes:
    """A request with an API key, and a JSON body if there is one."""
    content = json.dumps(body).encode() if body is not None else b""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}", f"Authorization: Bearer {key}", *headers]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content
