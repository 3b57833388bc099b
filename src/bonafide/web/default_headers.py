"""Security headers of pages and API responses.

A response that may be cached sets `Cache-Control` itself; any other is not cached.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS = {
    # Everything is loaded from this origin and nothing is inline, so that quoted text cannot run.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
API_HEADERS = {
    # Programs read API responses. If a browser shows one, it runs, loads and embeds nothing.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
HSTS = {"Strict-Transport-Security": "max-age=31536000"}
"""A year. The owner of the domain decides on subdomains and preloading."""


class DefaultHeaders:
    """ASGI middleware that adds the headers that a response does not have, and over https `Strict-Transport-Security`."""

    def __init__(self, app: ASGIApp, base_url: str) -> None:
        self._app = app
        headers = {**API_HEADERS, **(HSTS if base_url.startswith("https://") else {})}
        self._headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(header for header in self._headers if header[0] not in present)]
            await send(message)

        await self._app(scope, receive, send_with_headers)
