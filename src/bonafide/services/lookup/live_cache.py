"""A short-lived cache of live responses for each organization: in Valkey, otherwise in memory.

The cache is separate for each organization: a shared one would reveal to one organization that another has just sent the same
query. A response keeps the instant at which it was received. Failures are never cached, nor are responses in the sandbox, whose
registers simulate delays and failures. Reports and verifications do not use this cache; they reuse stored reports of the requested
age.
"""

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from pydantic import ValidationError

from bonafide import __version__
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import ENTRY_TYPES, AnyEntry
from bonafide.net.circuit_breaker import DependencyUnavailable
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import LiveQuery

USE = "live_answers"
MAX_ANSWER_BYTES = 256 * 1024
"""The largest response that is cached, as JSON."""


@dataclass(frozen=True, slots=True)
class LiveCacheKey:
    """A query of an organization to a live source."""

    organization_id: UUID
    source: Source
    query: LiveQuery

    def key(self, secret: bytes) -> str:
        """A keyed digest of the query, equal for texts that differ only in case or spaces."""
        texts = [" ".join(text.casefold().split()) if text is not None else None for text in (self.query.name, self.query.number)]
        # Another version may read entries differently.
        text = json.dumps([USE, __version__, str(self.organization_id), self.source.key, *texts])
        return f"bonafide:answer:{{{hmac.new(secret, text.encode(), sha256).hexdigest()}}}"


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """The entries that a source returned, and when."""

    entries: Sequence[AnyEntry]
    responded_at: datetime


def build_cache_key(
    runtime: Runtime, world: World, organization_id: UUID | None, source: Source, query: LiveQuery
) -> LiveCacheKey | None:
    """The cache key of a query; None if its response must not be cached."""
    if organization_id is None or world is not World.LIVE or runtime.settings.live_cache_s == 0:
        return None
    return LiveCacheKey(organization_id, source, query)


async def get_response(runtime: Runtime, cache_key: LiveCacheKey) -> CachedResponse | None:
    """The cached response; None without a recent one. Counted in the metrics."""
    key, now = cache_key.key(runtime.signing_key), runtime.clock()
    try:
        text = await runtime.valkey.get(USE, key) if runtime.valkey is not None else runtime.live_cache.get(key, now)
    except DependencyUnavailable:
        text = None
    response = _parse_response(cache_key.source, text) if text is not None else None
    # Clocks of nodes differ: a response is never older than allowed, nor from the future.
    is_recent = response is not None and timedelta(0) <= now - response.responded_at < timedelta(
        seconds=runtime.settings.live_cache_s
    )
    runtime.metrics.count_cache(USE, hit=is_recent)
    return response if is_recent else None


async def put_response(runtime: Runtime, cache_key: LiveCacheKey, response: CachedResponse) -> None:
    """Cache a response. Does nothing if that fails."""
    key, seconds = cache_key.key(runtime.signing_key), runtime.settings.live_cache_s
    text = json.dumps({"saidAt": response.responded_at.isoformat(), "entries": [entry.to_json() for entry in response.entries]})
    if len(text) > MAX_ANSWER_BYTES:
        return
    if runtime.valkey is None:
        runtime.live_cache.put(key, text.encode(), response.responded_at + timedelta(seconds=seconds))
        return
    try:
        await runtime.valkey.put(USE, key, text, seconds)
    except DependencyUnavailable:
        return


def _parse_response(source: Source, text: bytes) -> CachedResponse | None:
    """A cached response; None for one that this version can't read."""
    kind = ENTRY_TYPES[source.metadata.kind]
    try:
        kept = json.loads(text)
        return CachedResponse(
            [kind.model_validate_json(entry) for entry in kept["entries"]], datetime.fromisoformat(kept["saidAt"])
        )
    except (ValueError, KeyError, TypeError, ValidationError):
        return None
