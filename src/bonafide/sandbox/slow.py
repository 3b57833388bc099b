"""Live registers that take their time: of a slow registration the first request for its report is put off, the next is answered.

What is slow stands in `faults`. The first refusal names the time to wait, as a busy register does; whoever does not come back in a
while is put off anew. Searches are answered at once.
"""

from collections.abc import Callable
from time import monotonic

from starlette.responses import PlainTextResponse, Response

from bonafide.sandbox.faults import Trouble, registration_trouble
from bonafide.sandbox.protocols import Asked, Endpoint

RETRY_AFTER_S = 1
PATIENCE_S = 30.0
"""For which a refusal counts: then the registration is slow again."""


class SlowRegisters:
    """Which registrations have been put off, and when; it lives as long as the server."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._put_off: dict[tuple[str, str], float] = {}

    def refusal(self, endpoint: Endpoint, asked: Asked) -> Response | None:
        """The answer in place of the register's; None to let it answer."""
        wanted = endpoint.report_of(asked) if endpoint.report_of is not None else None
        if wanted is None or registration_trouble(*wanted) is not Trouble.SLOW:
            return None
        before = self._put_off.pop(wanted, None)
        if before is not None and self._now() - before < PATIENCE_S:
            return None
        self._put_off[wanted] = self._now()
        return PlainTextResponse("Come back in a while.\n", 429, {"Retry-After": str(RETRY_AFTER_S)})
