"""Security headers of pages and API responses.

Which answers may be kept is said where they are made; what says nothing is not kept.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS = {
    # Everything comes from here, and nothing stands in the page itself: what a page quotes can't come alive in it.
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
    # An answer is read by programs: should a browser show one, nothing in it is run, loaded or embedded.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
HSTS = {"Strict-Transport-Security": "max-age=31536000"}
"""A year; subdomains and preloading are for whoever has the domain to decide."""


class DefaultHeaders:
    """ASGI middleware that adds to each answer what it does not say itself, and over https that it is always to be asked so."""

    def __init__(self, app: ASGIApp, base_url: str) -> None:
        self._app = app
        headers = {**API_HEADERS, **(HSTS if base_url.startswith("https://") else {})}
        self._headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(header for header in self._headers if header[0] not in said)]
            await send(message)

        await self._app(scope, receive, send_with_headers)
