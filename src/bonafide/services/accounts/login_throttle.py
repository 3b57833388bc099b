"""Limit failed sign-ins: after several failures in a row, each further attempt is delayed twice as long.

It is counted by e-mail and by client, in the database, so that it holds for all nodes together. An attempt is counted before it is
known how it ends and given back when it was good: of a thousand guesses at the same time, no more are tried than one after the
other. During a pause a right password is refused too, else the pause would tell that it was right.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256

from bonafide.errors import SignInPaused
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.people import sign_ins
from bonafide.store.people.sign_ins import SignInAttempts

FREE_BY_EMAIL = 5
FREE_BY_CLIENT = 20
"""An office shares one address, and has more people who mistype."""
FREE_SIGN_ONS = 60
"""Single sign-ons of one client that were begun and did not come back: each asks the identity provider and is remembered."""
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(hours=24)


def compute_pause(failures: int, free: int) -> timedelta:
    """How long nothing is tried after so many failures in a row, of which `free` minus one have no consequence."""
    doublings = failures - free
    if doublings < 0:
        return timedelta(0)
    return min(FIRST_PAUSE * (1 << min(doublings, 16)), LONGEST_PAUSE)


def add_failure(before: SignInAttempts, free: int, now: datetime) -> SignInAttempts:
    """The attempts with one more at `now`, taken as failed."""
    failures = 1 if now - before.failed_at >= FORGOTTEN_AFTER else before.failures + 1
    pause = compute_pause(failures, free)
    return SignInAttempts(failures, now, now + pause if pause > timedelta(0) else None)


async def count_attempt(runtime: Runtime, email: str, client: str) -> None:
    """Count an attempt to sign in as failed until `refund_attempt`. Raises `SignInPaused` where nothing is tried now."""
    await _count_failures(
        runtime, {_build_subject("e-mail", email): FREE_BY_EMAIL, _build_subject("client", client): FREE_BY_CLIENT}
    )


async def count_sign_on(runtime: Runtime, client: str) -> None:
    """Count a single sign-on as one that never comes back until `refund_sign_on`. Raises as `count_attempt` does."""
    await _count_failures(runtime, {_build_subject("sign-on", client): FREE_SIGN_ONS})


async def _count_failures(runtime: Runtime, free: Mapping[str, int]) -> None:
    now = runtime.clock()
    async with runtime.store.write() as connection:
        held = await sign_ins.lock_attempts(connection, list(free), now)
        pauses = [attempts.paused_until for attempts in held.values() if attempts.paused_until is not None]
        if any(until > now for until in pauses):
            raise SignInPaused(max(pauses) - now)
        for subject, attempts in held.items():
            await sign_ins.save_attempts(connection, subject, add_failure(attempts, free[subject], now))


async def refund_attempt(connection: Connection, email: str, client: str, now: datetime) -> None:
    """The attempt was good: the e-mail never failed, and the client not this time."""
    person, place = _build_subject("e-mail", email), _build_subject("client", client)
    held = await sign_ins.lock_attempts(connection, [person, place], now)
    await sign_ins.remove_attempts(connection, person)
    await sign_ins.save_attempts(connection, place, _remove_failure(held[place]))


async def refund_sign_on(connection: Connection, client: str, now: datetime) -> None:
    """A single sign-on came back."""
    place = _build_subject("sign-on", client)
    held = await sign_ins.lock_attempts(connection, [place], now)
    await sign_ins.save_attempts(connection, place, _remove_failure(held[place]))


def _remove_failure(attempts: SignInAttempts) -> SignInAttempts:
    return replace(attempts, failures=max(attempts.failures - 1, 0), paused_until=None)


def _build_subject(kind: str, value: str) -> str:
    return sha256(f"{kind} {value}".encode("utf-8", "surrogatepass")).hexdigest()
