"""A client of Valkey for short-lived values that all nodes share; every use is optional.

Each use is one command on one key: one round trip, which works in a cluster. Values may be lost at any time (`OptionalDependency`).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha1
from typing import Any, cast

from valkey.asyncio import BlockingConnectionPool, Valkey, ValkeyCluster
from valkey.exceptions import NoScriptError

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.net.circuit_breaker import OptionalDependency

MAX_CONNECTIONS = 64
"""Connections of one process; further uses wait for a free one, within the time limit."""
CONNECT_TIMEOUT_S = 1.0
"""Added to the time limit of a use: in a cluster, the client first discovers which node holds which keys."""
ScriptArgument = str | bytes | int | float


@dataclass(frozen=True, slots=True)
class ValkeyScript:
    """A Lua script that uses a single key."""

    text: str

    @property
    def sha(self) -> str:
        """The script's SHA-1, by which the server identifies it."""
        return sha1(self.text.encode(), usedforsecurity=False).hexdigest()


class ValkeyStore:
    """The connections of one process to Valkey. Open it once, `close` it at the end; it connects when first used."""

    def __init__(self, client: "Valkey | ValkeyCluster", available: OptionalDependency) -> None:
        # The client's commands are typed as either synchronous or not.
        self._client: Any = client
        self._available = available

    @classmethod
    def open(cls, url: str, *, is_cluster: bool, timeout_s: float, failed: Callable[[str], None]) -> "ValkeyStore":
        """A store on `valkey://user:password@host:6379/0` (`valkeys`, `redis`, `rediss`). Raises `ConfigurationError`.

        `timeout_s` is for connecting, and for each command.
        """
        limits: dict[str, Any] = {"socket_timeout": timeout_s, "socket_connect_timeout": timeout_s}
        if url.startswith(("valkeys:", "rediss:")):
            limits["ssl_check_hostname"] = True  # the client's default accepts any certificate
        try:
            client = (
                ValkeyCluster.from_url(url, cluster_error_retry_attempts=1, connection_error_retry_attempts=0, **limits)
                if is_cluster
                else Valkey.from_pool(
                    BlockingConnectionPool.from_url(url, max_connections=MAX_CONNECTIONS, timeout=timeout_s, **limits)
                )
            )
        except Exception:  # noqa: BLE001 - its text may quote the address, password included, so none of it goes on
            raise ConfigurationError(
                Message("The address of Valkey must be valkey://host:port, and one of a cluster if it is a cluster.")
            ) from None
        return cls(client, OptionalDependency("Valkey", timeout_s + CONNECT_TIMEOUT_S if is_cluster else 2 * timeout_s, failed))

    @property
    def is_unavailable(self) -> bool:
        """Whether the last use failed."""
        return self._available.is_unavailable

    async def run(self, use: str, script: ValkeyScript, key: str, *arguments: ScriptArgument) -> Any:
        """Run a script on a key. Raises `DependencyUnavailable`."""
        async with self._available.attempt(use):
            try:
                return await cast("Awaitable[Any]", self._client.evalsha(script.sha, 1, key, *arguments))
            except NoScriptError:
                # A server that has just started; it now has the script.
                return await cast("Awaitable[Any]", self._client.eval(script.text, 1, key, *arguments))

    async def get(self, use: str, key: str) -> bytes | None:
        """The value of a key, or None. Raises `DependencyUnavailable`."""
        async with self._available.attempt(use):
            return cast("bytes | None", await self._client.get(key))

    async def put(self, use: str, key: str, value: str, seconds: float) -> None:
        """Store a value with an expiry. Raises `DependencyUnavailable`."""
        async with self._available.attempt(use):
            await self._client.set(key, value, px=max(1, round(seconds * 1000)))

    async def close(self) -> None:
        """Close every connection."""
        await self._client.aclose()
