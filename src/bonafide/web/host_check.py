"""Refuse requests whose `Host` is missing, repeated or malformed, which servers in a chain may interpret differently (RFC 9112)."""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message

_HOST = re.compile(rb"([A-Za-z0-9._~%!$&'()*+;=-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]*)?")
HTTP_1_0 = "1.0"


class HostCheck:
    """ASGI middleware that requires exactly one `Host`. HTTP/1.0, which health checks of load balancers use, may leave it out."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. Raises `ValidationFailed`."""
        if scope["type"] == "http":
            _check_hosts([value for name, value in scope["headers"] if name == b"host"], scope["http_version"])
        await self.app(scope, receive, send)


def _check_hosts(hosts: list[bytes], version: str) -> None:
    if len(hosts) == 0 and version == HTTP_1_0:
        return
    if len(hosts) != 1:
        raise ValidationFailed.of_field("Host", Message("must be sent exactly once"))
    if _HOST.fullmatch(hosts[0]) is None:
        raise ValidationFailed.of_field("Host", Message("must be a host name or an IP address"))
