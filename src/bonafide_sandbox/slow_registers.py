"""Refuse the first report request for a slow registration with 429, and answer the next one.

`world.simulated_failures` defines which registrations are slow. The refusal has a `Retry-After` header. If no retry arrives within
`REFUSAL_TTL_S`, the next request is refused again. Searches are never refused.
"""

from collections.abc import Callable
from time import monotonic

from starlette.responses import PlainTextResponse, Response

from bonafide.sources.framework.simulated_failures import SimulatedFailure
from bonafide_sandbox.protocols import ProtocolEndpoint, ProtocolRequest
from bonafide_sandbox.world.simulated_failures import find_report_failure

RETRY_AFTER_S = 1
REFUSAL_TTL_S = 30.0
"""How long a refusal is remembered. After this the registration is slow again."""


class SlowRegisters:
    """The registrations whose report was refused, and when. Lives as long as the server."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._put_off: dict[tuple[str, str], float] = {}

    def refusal(self, endpoint: ProtocolEndpoint, request: ProtocolRequest) -> Response | None:
        """Return the 429 response, or None to let the register respond."""
        wanted = endpoint.parse_report_request(request) if endpoint.parse_report_request is not None else None
        if wanted is None or find_report_failure(*wanted) is not SimulatedFailure.SLOW:
            return None
        before = self._put_off.pop(wanted, None)
        if before is not None and self._now() - before < REFUSAL_TTL_S:
            return None
        self._put_off[wanted] = self._now()
        return PlainTextResponse("Too many requests. Retry later.\n", 429, {"Retry-After": str(RETRY_AFTER_S)})
