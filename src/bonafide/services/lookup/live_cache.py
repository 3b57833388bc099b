"""A short-lived cache of live responses for each organization: in Valkey, otherwise in memory.

Of an organization's own questions only: an answer that is older than its search would tell another that somebody has just asked.
An answer keeps the instant at which it was said. Failures are never kept. Nothing is of the sandbox, whose registers are there to
be slow and to fail; and no report or verification is answered from here: those have kept reports, of the age asked for.
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
"""Of one answer, as JSON; a larger one is asked for again."""


@dataclass(frozen=True, slots=True)
class LiveCacheKey:
    """A question that an organization has put to a live source."""

    organization_id: UUID
    source: Source
    query: LiveQuery

    def key(self, secret: bytes) -> str:
        """The same for all spellings that differ in case or spaces only; without the secret nobody finds a name from it."""
        words = [" ".join(text.casefold().split()) if text is not None else None for text in (self.query.name, self.query.number)]
        # Another version may read entries differently.
        question = json.dumps([USE, __version__, str(self.organization_id), self.source.key, *words])
        return f"bonafide:answer:{{{hmac.new(secret, question.encode(), sha256).hexdigest()}}}"


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """What a source has said, and when."""

    entries: Sequence[AnyEntry]
    responded_at: datetime


def build_cache_key(
    runtime: Runtime, world: World, organization_id: UUID | None, source: Source, query: LiveQuery
) -> LiveCacheKey | None:
    """A question whose answer may serve again; None where it may not, and the source is to be asked each time."""
    if organization_id is None or world is not World.LIVE or runtime.settings.live_cache_s == 0:
        return None
    return LiveCacheKey(organization_id, source, query)


async def get_response(runtime: Runtime, asked: LiveCacheKey) -> CachedResponse | None:
    """The answer that was given lately; None when there is none. Counted in the metrics."""
    key, now = asked.key(runtime.signing_key), runtime.clock()
    try:
        text = await runtime.valkey.get(USE, key) if runtime.valkey is not None else runtime.live_cache.get(key, now)
    except DependencyUnavailable:
        text = None
    heard = _parse_response(asked.source, text) if text is not None else None
    # Whatever the clocks of the store and the nodes say: never older than allowed, nor from the future.
    is_recent = heard is not None and timedelta(0) <= now - heard.responded_at < timedelta(seconds=runtime.settings.live_cache_s)
    runtime.metrics.count_cache(USE, hit=is_recent)
    return heard if is_recent else None


async def put_response(runtime: Runtime, asked: LiveCacheKey, heard: CachedResponse) -> None:
    """Keep an answer for the next who ask the same; nothing happens when it can't be kept."""
    key, seconds = asked.key(runtime.signing_key), runtime.settings.live_cache_s
    text = json.dumps({"saidAt": heard.responded_at.isoformat(), "entries": [entry.to_json() for entry in heard.entries]})
    if len(text) > MAX_ANSWER_BYTES:
        return
    if runtime.valkey is None:
        runtime.live_cache.put(key, text.encode(), heard.responded_at + timedelta(seconds=seconds))
        return
    try:
        await runtime.valkey.put(USE, key, text, seconds)
    except DependencyUnavailable:
        return


def _parse_response(source: Source, text: bytes) -> CachedResponse | None:
    """An answer as it was kept; None for one that this version can't read."""
    kind = ENTRY_TYPES[source.metadata.kind]
    try:
        kept = json.loads(text)
        return CachedResponse(
            [kind.model_validate_json(entry) for entry in kept["entries"]], datetime.fromisoformat(kept["saidAt"])
        )
    except (ValueError, KeyError, TypeError, ValidationError):
        return None
