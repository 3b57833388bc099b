"""A cache of API keys with a lifetime of two seconds.

A key that another process revoked is accepted for at most that long. Unknown keys are not cached: anyone could fill the memory with
them.
"""

from collections import OrderedDict
from datetime import datetime, timedelta
from uuid import UUID

from bonafide.model.accounts.organizations import ApiKey

CACHE_TTL = timedelta(seconds=2)
MAX_CACHED_KEYS = 1024


class ApiKeyCache:
    """The keys read last, by digest."""

    def __init__(self) -> None:
        self._keys: OrderedDict[str, tuple[datetime, ApiKey]] = OrderedDict()

    def find(self, digest: str, now: datetime) -> ApiKey | None:
        """The key as it was read, unless that is too long ago (or lies ahead: clocks are set back)."""
        read_at, key = self._keys.get(digest, (None, None))
        if read_at is None or not timedelta(0) <= now - read_at < CACHE_TTL:
            return None
        return key

    def remember(self, digest: str, key: ApiKey, now: datetime) -> None:
        """Keep the key as it was read at `now`; the oldest one makes room."""
        self._keys[digest] = (now, key)
        self._keys.move_to_end(digest)
        if len(self._keys) > MAX_CACHED_KEYS:
            self._keys.popitem(last=False)

    def forget(self, key_id: UUID) -> None:
        """The key was changed here: read it anew."""
        for digest in [digest for digest, (_, key) in self._keys.items() if key.id == key_id]:
            del self._keys[digest]
