"""An in-memory cache with an expiry for each entry and a limit in bytes.

When the limit is reached, the oldest entries are evicted.
"""

from collections import OrderedDict
from datetime import datetime


class TtlCache:
    """Texts by key, of at most `max_bytes` together."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._texts: OrderedDict[str, tuple[datetime, bytes]] = OrderedDict()
        self._bytes = 0

    def get(self, key: str, now: datetime) -> bytes | None:
        """The text of a key; None when there is none or it has expired."""
        until, text = self._texts.get(key, (now, None))
        return text if now < until else None

    def put(self, key: str, text: bytes, until: datetime) -> None:
        """Store a text until the given time, if it fits."""
        self._forget(key)
        if len(text) > self._max_bytes:
            return
        self._texts[key] = (until, text)
        self._bytes += len(text)
        while self._bytes > self._max_bytes:
            self._forget(next(iter(self._texts)))

    def _forget(self, key: str) -> None:
        _, text = self._texts.pop(key, (None, b""))
        self._bytes -= len(text)
