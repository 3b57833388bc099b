"""Serve the world of the stored day, and change to the world of another day when that is stored."""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.settings import Settings
from bonafide_sandbox.stored_day import StoredDay, read_stored_day, resolve_calendar_path

FileState = tuple[int, int, int]


class CurrentWorldApp:
    """A server for the world of the stored day. Each request costs one `stat`.

    `create` returns the server of one day. A request that has begun is answered from the day on which it began.
    """

    def __init__(self, settings: Settings, create: Callable[[StoredDay], ASGIApp]) -> None:
        self._settings = settings
        self._create = create
        self._state: FileState | None = None
        self._app = self._open()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and self._read_state() != self._state:
            self._app = self._open()
        await self._app(scope, receive, send)

    def _open(self) -> ASGIApp:
        # The state is read first: if the day changes in between, the next request opens it again.
        self._state = self._read_state()
        stored = read_stored_day(self._settings)
        assert stored is not None  # noqa: S101 - the demo stores the day before it serves the world
        return self._create(stored)

    def _read_state(self) -> FileState:
        stat = resolve_calendar_path(self._settings).stat()
        return stat.st_ino, stat.st_mtime_ns, stat.st_size
