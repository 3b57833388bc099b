"""An identity provider of the test's own: OpenID Connect with discovery, over real HTTP, and strict about what it is sent.

Whoever is sent to it is the person that the test has named, and is sent back at once. What it signs can be made wrong on purpose.
"""

import base64
import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, OctKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.support.servers.asgi_server import served

CLIENT_ID, CLIENT_SECRET = "bonafide", "the client's: secret/é"
ANN = {"sub": "person-1", "email": "ann@north.example", "email_verified": True, "name": "Ann Northrup"}


@dataclass
class LocalProvider:
    """The provider, and what it is to do next."""

    clock: Callable[[], datetime]
    issuer: str = ""
    person: dict[str, Any] = field(default_factory=lambda: dict(ANN))
    """The claims of whoever is sent to it."""
    changes: dict[str, Any] = field(default_factory=dict)
    """Claims of the ID token that are to be others; None leaves one out."""
    alg: str = "ES256"
    signing_key: Any = None
    """Another key than the one that it publishes."""
    auth_methods: tuple[str, ...] = ("client_secret_basic",)
    metadata: dict[str, Any] = field(default_factory=dict)
    """Of its description, what is to be different."""
    asked: list[str] = field(default_factory=list)
    """The paths that it was asked for."""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    key: ECKey = field(default_factory=lambda: ECKey.generate_key("P-256", {"kid": "one", "use": "sig"}))

    @property
    def settings(self) -> dict[str, Any]:
        """What the service is told of it."""
        return {
            "oidc_issuer": self.issuer,
            "oidc_client_id": CLIENT_ID,
            "oidc_client_secret": CLIENT_SECRET,
            "oidc_name": "North ID",
            "oidc_private_address": urlsplit(self.issuer).netloc,
        }

    def app(self) -> Starlette:
        """Its four addresses."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._describe),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/keys", self._keys),
            ]
        )

    def sent_back(self, asked: dict[str, str]) -> dict[str, str]:
        """What it sends back with a person who came with these parameters."""
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"]}

    async def _describe(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        described = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": self.auth_methods,
        }
        return JSONResponse(described | self.metadata)

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        assert (asked["client_id"], asked["response_type"], asked["code_challenge_method"]) == (CLIENT_ID, "code", "S256")
        assert set(asked["scope"].split()) == {"openid", "email", "profile"}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(self.sent_back(asked))}", 303)

    async def _token(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        async with request.form() as form:
            sent = {name: str(value) for name, value in form.items()}
        asked = self.codes.pop(sent["code"], None)
        if asked is None or not self._is_client(request, sent):
            return JSONResponse({"error": "invalid_grant"}, 400)
        proof = base64.urlsafe_b64encode(hashlib.sha256(sent["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if (proof, sent["redirect_uri"]) != (asked["code_challenge"], asked["redirect_uri"]):
            return JSONResponse({"error": "invalid_grant"}, 400)
        return JSONResponse({"access_token": "x", "token_type": "Bearer", "id_token": self._id_token(asked["nonce"])})

    async def _keys(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        symmetric = OctKey.import_key(CLIENT_SECRET).as_dict(private=True)
        return JSONResponse({"keys": [self.key.as_dict(private=False), symmetric | {"kid": "shared"}]})

    def _is_client(self, request: Request, sent: dict[str, str]) -> bool:
        if "client_secret_basic" in self.auth_methods:
            pair = base64.b64encode(f"{CLIENT_ID}:the%20client%27s%3A%20secret%2F%C3%A9".encode()).decode()
            return request.headers.get("authorization") == f"Basic {pair}" and "client_secret" not in sent
        return "authorization" not in request.headers and sent.get("client_secret") == CLIENT_SECRET

    def _id_token(self, nonce: str) -> str:
        now = int(self.clock().timestamp())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": nonce, **self.person, **self.changes}
        told = {name: value for name, value in claims.items() if value is not None}
        if self.alg == "none":
            return f"{_encoded({'alg': 'none'})}.{_encoded(told)}."
        key = self.signing_key if self.signing_key is not None else self.key
        return jwt.encode({"alg": self.alg, "kid": key.kid}, told, key, algorithms=[self.alg])


def _encoded(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@asynccontextmanager
async def running_provider(clock: Callable[[], datetime]) -> AsyncIterator[LocalProvider]:
    """A provider while the block runs."""
    provider = LocalProvider(clock)
    async with served(provider.app()) as address:
        provider.issuer = address
        yield provider
