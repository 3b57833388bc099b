"""Identify a person through an OpenID Connect provider: authorization code flow with PKCE (OpenID Connect Core 1.0, RFC 7636).

It verifies what the provider signed for this sign-on. `services/accounts/single_sign_on` decides whether the person may sign in.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from authlib.oauth2.rfc6749.parameters import prepare_grant_uri  # type: ignore[import-untyped]  # has no types
from authlib.oauth2.rfc7636 import create_s256_code_challenge  # type: ignore[import-untyped]  # likewise
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jwt import JWTClaimsRegistry
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from bonafide.errors import ConfigurationError, ParseFailed, SourceAuthFailed
from bonafide.model.accounts.users import is_email
from bonafide.model.query import Text
from bonafide.net.fetch import Fetcher
from bonafide.net.http_messages import SourceRequest
from bonafide.settings import Settings

RETURN_PATH = "/console/sign-in/return"
"""Of the address that the provider must know: to it people come back."""
SCOPE = "openid email profile"
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
"""Signatures by a key that only the provider has: no `none`, and none made with the client's own secret."""
LEEWAY_S = 60
"""By which clocks may differ."""
B = TypeVar("B", bound=BaseModel)
_TEXT = TypeAdapter[str](Text)


class ProviderMetadata(BaseModel):
    """What the provider says of itself (OpenID Connect Discovery 1.0, section 3), as far as it is read."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class _Tokens(BaseModel):
    id_token: str


class _Keys(BaseModel):
    keys: Annotated[list[dict[str, Any]], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """What is new with each sign-on: `state` names it, `nonce` must stand in the answer, `verifier` proves who asked."""

    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class OidcIdentity:
    """Whom the provider means. The e-mail is one that it has verified, or None."""

    issuer: str
    subject: str
    email: str | None
    name: str | None


async def fetch_metadata(door: Fetcher, settings: Settings) -> ProviderMetadata:
    """What the provider says of itself. Raises `SourceError`, `AddressRefused`, `ConfigurationError` for another issuer's."""
    issuer = _get_issuer(settings)
    said = await _fetch_document(door, SourceRequest(f"{issuer.rstrip('/')}/.well-known/openid-configuration"), ProviderMetadata)
    if said.issuer != issuer:
        raise ConfigurationError(f"oidc_issuer must be spelt as the provider spells it: {said.issuer}")
    return said


def build_authorization_url(settings: Settings, provider: ProviderMetadata, question: AuthorizationRequest) -> str:
    """Where to send the person's browser."""
    address: str = prepare_grant_uri(
        provider.authorization_endpoint,
        client_id=settings.oidc_client_id,
        response_type="code",
        redirect_uri=f"{settings.base_url}{RETURN_PATH}",
        scope=SCOPE,
        state=question.state,
        nonce=question.nonce,
        code_challenge=create_s256_code_challenge(question.verifier),
        code_challenge_method="S256",
    )
    return address


async def fetch_identity(
    door: Fetcher, settings: Settings, code: str, question: AuthorizationRequest, now: datetime
) -> OidcIdentity:
    """Who came back with this code. Raises `SourceError`, `AddressRefused`, and `ParseFailed` for an answer that proves nothing."""
    provider = await fetch_metadata(door, settings)
    tokens = await _fetch_document(door, _build_token_request(settings, provider, code, question), _Tokens)
    keys = await _fetch_document(door, SourceRequest(provider.jwks_uri), _Keys)
    try:
        claims = jwt.decode(tokens.id_token, _import_signing_keys(keys), ALGORITHMS).claims
        _build_claims_registry(settings, question, now).validate(claims)
    except (JoseError, ValueError, TypeError) as error:
        raise ParseFailed(f"the identity provider's answer proves nothing: {error}") from error
    if claims.get("azp", settings.oidc_client_id) != settings.oidc_client_id:
        raise ParseFailed("the identity provider's answer proves nothing: it was made for another client")
    subject = _parse_text(claims["sub"])
    if subject is None or subject != claims["sub"]:
        raise ParseFailed("the identity provider's answer proves nothing: it names nobody")
    return OidcIdentity(claims["iss"], subject, _get_verified_email(claims), _parse_text(claims.get("name")))


def _build_token_request(
    settings: Settings, provider: ProviderMetadata, code: str, question: AuthorizationRequest
) -> SourceRequest:
    """The code for the tokens, with the client's secret in the way that the provider takes it."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": f"{settings.base_url}{RETURN_PATH}",
        "client_id": str(settings.oidc_client_id),
        "code_verifier": question.verifier,
    }
    headers = {"Accept": "application/json"}
    if settings.oidc_client_secret is not None:
        secret = settings.oidc_client_secret.get_secret_value()
        if "client_secret_basic" in provider.token_endpoint_auth_methods_supported:
            # RFC 6749, section 2.3.1: both are encoded as in a form before they are joined.
            pair = f"{quote(str(settings.oidc_client_id), safe='')}:{quote(secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form["client_secret"] = secret
    return SourceRequest(provider.token_endpoint, method="POST", headers=headers, form=form)


def _import_signing_keys(keys: _Keys) -> KeySet:
    """The provider's public keys; a symmetric one among them would be no proof, and one for encryption signs nothing."""
    public = [key for key in keys.keys if key.get("kty") in {"RSA", "EC", "OKP"} and key.get("use", "sig") == "sig"]
    return KeySet.import_key_set({"keys": public})


def _build_claims_registry(settings: Settings, question: AuthorizationRequest, now: datetime) -> JWTClaimsRegistry:
    return JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=LEEWAY_S,
        iss={"essential": True, "value": _get_issuer(settings)},
        sub={"essential": True},
        aud={"essential": True, "value": str(settings.oidc_client_id)},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": question.nonce},
    )


def _get_verified_email(claims: Mapping[str, Any]) -> str | None:
    # A boolean by the standard (section 5.1); some providers write it as a word.
    verified, email = claims.get("email_verified"), _parse_text(claims.get("email"))
    return email if (verified is True or verified == "true") and email is not None and is_email(email) else None


def _parse_text(value: object) -> str | None:
    try:
        return _TEXT.validate_python(value, strict=True)
    except ValidationError:
        return None


def _get_issuer(settings: Settings) -> str:
    if settings.oidc_issuer is None:
        raise ConfigurationError("there is no identity provider: set oidc_issuer")
    return settings.oidc_issuer


async def _fetch_document(door: Fetcher, call: SourceRequest, kind: type[B]) -> B:
    answer = await door.send(call)
    try:
        if not answer.found:
            raise SourceAuthFailed(f"the identity provider has nothing at {call.url}")
        return kind.model_validate_json(answer.body)
    except ValidationError:
        # Nothing of the answer is told: it may hold tokens.
        raise ParseFailed(f"the identity provider's answer at {call.url} can't be read") from None
