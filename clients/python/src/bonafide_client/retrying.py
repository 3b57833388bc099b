"""Decides whether and when a request is sent again."""

import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from bonafide_client.requests import ApiRequest

_NOTHING_WAS_DONE = frozenset({429, 503})
"""Statuses of requests that were refused before their work began."""
_MAY_SUCCEED_LATER = frozenset({408, 500, 502, 504})
_CONFLICT = 409


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a request is sent again, and how long the client waits before."""

    max_retries: int = 4
    """The number of further attempts after the first. 0 switches retries off."""
    first_wait_s: float = 0.5
    """The wait before the second attempt in seconds. It doubles with each attempt, and is random from half of it to all of it."""
    max_wait_s: float = 60.0
    """The longest wait in seconds. A response whose `Retry-After` is longer is not retried."""


@dataclass(slots=True)
class RetryState:
    """The attempts of one request."""

    policy: RetryPolicy
    request: ApiRequest
    attempts: int = 0
    was_interrupted: bool = False
    """Whether the outcome of an earlier attempt is unknown."""

    def decide_after_response(self, status: int, retry_after: str | None) -> float | None:
        """The seconds to wait before the next attempt; None if the response is final."""
        is_retried = (
            status in _NOTHING_WAS_DONE
            or (status in _MAY_SUCCEED_LATER and self.request.is_repeatable)
            # The first attempt can still be in progress.
            or (status == _CONFLICT and self.was_interrupted and self.request.idempotency_key is not None)
        )
        if status in _MAY_SUCCEED_LATER:
            self.was_interrupted = True
        return self._compute_wait(retry_after) if is_retried else None

    def decide_after_failure(self, *, was_sent: bool) -> float | None:
        """The seconds to wait before the next attempt after a broken connection; None if there is none."""
        if was_sent and not self.request.is_repeatable:
            return None
        self.was_interrupted = self.was_interrupted or was_sent
        return self._compute_wait(None)

    def _compute_wait(self, retry_after: str | None) -> float | None:
        self.attempts += 1
        if self.attempts > self.policy.max_retries:
            return None
        wait_s = self.policy.first_wait_s * 2 ** (self.attempts - 1) * random.uniform(0.5, 1)  # noqa: S311 - spreads clients
        wait_s = min(wait_s, self.policy.max_wait_s)
        if retry_after is not None:
            wait_s = max(wait_s, _parse_retry_after(retry_after))
        return wait_s if wait_s <= self.policy.max_wait_s else None


def _parse_retry_after(text: str) -> float:
    """The seconds of a `Retry-After`, which the service sends, or until its time, which a proxy may send; 0 if it is neither."""
    if text.isdecimal():
        return float(text)
    try:
        return parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, OverflowError):
        return 0
