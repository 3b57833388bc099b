"""The events of an organization, read through the API as a client reads them."""

from typing import Any

import httpx2

MOST = 100
"""Events that a page may have."""


def read_feed(caller: httpx2.Client) -> list[dict[str, Any]]:
    """Read all events of the organization of the key, page by page, oldest first."""
    page = _read_page(caller)
    events: list[dict[str, Any]] = page["events"]
    while page["pagination"]["hasMore"]:
        page = _read_page(caller, cursor=page["cursor"]["next"])
        events += page["events"]
    return events


def _read_page(caller: httpx2.Client, **cursor: str) -> dict[str, Any]:
    page: dict[str, Any] = caller.get("/events", params={"limit": MOST, **cursor}).raise_for_status().json()
    return page
