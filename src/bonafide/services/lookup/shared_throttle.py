"""Throttle states of live sources shared by all nodes: in Valkey or the database, with the state of this process as fallback.

The Lua script implements the same rule as `throttle.transition`; a test compares the two.
"""

import asyncio
from dataclasses import dataclass

from bonafide.model.accounts.organizations import World
from bonafide.net.circuit_breaker import DependencyUnavailable, OptionalDependency
from bonafide.net.throttle import (
    BURST,
    FAILURE_PAUSE_S,
    FIRST_PAUSE_S,
    MAX_DOUBLINGS,
    MAX_FAILURES,
    MAX_PAUSE_S,
    MemoryThrottleStore,
    ThrottleDecision,
    ThrottleDecisionKind,
    ThrottleEvent,
    ThrottleStore,
    transition,
)
from bonafide.net.valkey_store import ValkeyScript, ValkeyStore
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Store
from bonafide.store.work import shared_state

DATABASE_S = 1.0
FORGET_S = 3600
"""Valkey deletes the state of a source that was not queried for this long; every pause is over by then."""
USE = "pace"
CLOCK = "local time = redis.call('TIME')\nlocal now = time[1] + time[2] / 1000000"
"""The server's clock, which is the same for all nodes."""
RULE = f"""
local event, seconds, interval = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local kept = redis.call('HMGET', KEYS[1], 'free_at', 'rests_until', 'is_silent', 'refusals', 'failures')
local free_at, rests_until = tonumber(kept[1] or '-inf'), tonumber(kept[2] or '-inf')
local is_silent, refusals, failures = kept[3] == '1', tonumber(kept[4] or '0'), tonumber(kept[5] or '0')
local verdict, wait = '{ThrottleDecisionKind.TURN}', 0
local pause = rests_until > now and rests_until - now or 0
local reason = is_silent and '{ThrottleDecisionKind.SILENT}' or '{ThrottleDecisionKind.ASKED_TO_REST}'
if event == '{ThrottleEvent.WANTED}' then
  if pause > 0 and (is_silent or pause > seconds) then
    verdict, wait = reason, pause
  else
    local opens_at = math.max(rests_until, now)
    wait = math.max(free_at, opens_at) - now
    if wait > seconds then
      verdict = '{ThrottleDecisionKind.TAKEN}'
    else
      free_at = math.max(free_at, opens_at - {BURST - 1} * interval) + interval
    end
  end
elseif event == '{ThrottleEvent.DUE}' then
  if pause > 0 then
    verdict, wait = reason, pause
  end
elseif event == '{ThrottleEvent.ANSWERED}' then
  refusals, failures = 0, 0
elseif event == '{ThrottleEvent.REFUSED}' then
  local rest = seconds >= 0 and seconds or {FIRST_PAUSE_S} * 2 ^ math.min(refusals, {MAX_DOUBLINGS})
  refusals, rests_until, is_silent = refusals + 1, now + math.min(rest, {MAX_PAUSE_S}), false
else
  failures = failures + 1
  if failures >= {MAX_FAILURES} then
    rests_until, is_silent = now + {FAILURE_PAUSE_S}, true
  end
end
local function whole(number) return string.format('%.17g', number) end
redis.call('HSET', KEYS[1], 'free_at', whole(free_at), 'rests_until', whole(rests_until), 'is_silent', is_silent and '1' or '0',
  'refusals', refusals, 'failures', failures)
redis.call('EXPIRE', KEYS[1], {FORGET_S})
return {{verdict, whole(wait)}}
"""
TRANSITION_SCRIPT = ValkeyScript(f"{CLOCK}\n{RULE}")


@dataclass(frozen=True, slots=True)
class ThrottledSource:
    """A source of a world, and the seconds between evenly spaced calls."""

    world: World
    key: str
    interval_s: float


class ValkeyThrottleStore:
    """The state in Valkey; each event is one script."""

    def __init__(self, shared: ValkeyStore, source: ThrottledSource) -> None:
        self._shared = shared
        self._key = f"bonafide:pace:{{{source.world}:{source.key}}}"
        self._interval_s = source.interval_s

    async def record_event(self, event: ThrottleEvent, seconds: float = 0.0) -> ThrottleDecision:
        """Apply an event to the state and return the decision. Raises `DependencyUnavailable`."""
        verdict, wait_s = await self._shared.run(USE, TRANSITION_SCRIPT, self._key, event, seconds, self._interval_s)
        return ThrottleDecision(ThrottleDecisionKind(verdict.decode()), float(wait_s))


class DatabaseThrottleStore:
    """The state in the database: one row, locked for each event."""

    def __init__(self, store: Store, source: ThrottledSource, available: OptionalDependency) -> None:
        self._store = store
        self._source = source
        self._available = available

    async def record_event(self, event: ThrottleEvent, seconds: float = 0.0) -> ThrottleDecision:
        """Apply an event to the state and return the decision. Raises `DependencyUnavailable`."""
        world, key = self._source.world, self._source.key
        async with self._available.attempt(USE), self._store.write(is_effect=False) as connection:
            state, now = await shared_state.lock_throttle(connection, world, key)
            changed, decision = transition(state, event, seconds, now, self._source.interval_s)
            if changed != state:
                await shared_state.save_throttle(connection, world, key, changed)
        return decision


class FallbackThrottleStore:
    """A shared state, with the state of this process as fallback while that is unavailable."""

    def __init__(self, shared: ThrottleStore, own: MemoryThrottleStore) -> None:
        self._shared = shared
        self._own = own

    async def record_event(self, event: ThrottleEvent, seconds: float = 0.0) -> ThrottleDecision:
        """Apply an event to the state and return the decision."""
        own = await self._own.record_event(event, seconds)
        try:
            return await self._shared.record_event(event, seconds)
        except DependencyUnavailable:
            return own


def create_throttle_store(runtime: Runtime, source: ThrottledSource) -> ThrottleStore:
    """Create the store of the throttle state of a source."""
    own = MemoryThrottleStore(source.interval_s, asyncio.get_running_loop().time)
    if runtime.valkey is not None:
        return FallbackThrottleStore(ValkeyThrottleStore(runtime.valkey, source), own)
    if runtime.store.is_server:
        available = OptionalDependency("the database's turns", DATABASE_S, runtime.metrics.count_shared_failure)
        return FallbackThrottleStore(DatabaseThrottleStore(runtime.store, source, available), own)
    return own
