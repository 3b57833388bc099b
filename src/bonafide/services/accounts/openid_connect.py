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
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import is_email
from bonafide.model.query import Text
from bonafide.net.fetch import Fetcher
from bonafide.net.http_messages import SourceRequest
from bonafide.settings import Settings

RETURN_PATH = "/console/sign-in/return"
"""The path of the redirect URI, which the provider must know."""
SCOPE = "openid email profile"
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
"""Asymmetric signatures only: no `none`, and none that the client's own secret can produce."""
LEEWAY_S = 60
"""The allowed difference between clocks."""
B = TypeVar("B", bound=BaseModel)
_TEXT = TypeAdapter[str](Text)


class ProviderMetadata(BaseModel):
    """The provider's metadata (OpenID Connect Discovery 1.0, section 3), as far as it is used."""

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
    """The random values of one sign-on: `state` identifies it, the ID token must contain `nonce`, `verifier` is the PKCE secret."""

    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class OidcIdentity:
    """The person whom the provider identified. The email is one that the provider has verified, or None."""

    issuer: str
    subject: str
    email: str | None
    name: str | None


async def fetch_metadata(fetcher: Fetcher, settings: Settings) -> ProviderMetadata:
    """Fetch the provider's metadata. Raises `SourceError`, `AddressRefused`, and `ConfigurationError` for another issuer's."""
    issuer = _get_issuer(settings)
    metadata = await _fetch_document(
        fetcher, SourceRequest(f"{issuer.rstrip('/')}/.well-known/openid-configuration"), ProviderMetadata
    )
    if metadata.issuer != issuer:
        raise ConfigurationError(
            Message("oidc_issuer must be spelled as in the provider’s metadata: {issuer}", issuer=metadata.issuer)
        )
    return metadata


def build_authorization_url(settings: Settings, provider: ProviderMetadata, request: AuthorizationRequest) -> str:
    """The URL to which the browser is redirected."""
    address: str = prepare_grant_uri(
        provider.authorization_endpoint,
        client_id=settings.oidc_client_id,
        response_type="code",
        redirect_uri=f"{settings.base_url}{RETURN_PATH}",
        scope=SCOPE,
        state=request.state,
        nonce=request.nonce,
        code_challenge=create_s256_code_challenge(request.verifier),
        code_challenge_method="S256",
    )
    return address


async def fetch_identity(
    fetcher: Fetcher, settings: Settings, code: str, request: AuthorizationRequest, now: datetime
) -> OidcIdentity:
    """The identity for this code. Raises `SourceError`, `AddressRefused`, and `ParseFailed` for an invalid ID token."""
    provider = await fetch_metadata(fetcher, settings)
    tokens = await _fetch_document(fetcher, _build_token_request(settings, provider, code, request), _Tokens)
    keys = await _fetch_document(fetcher, SourceRequest(provider.jwks_uri), _Keys)
    try:
        claims = jwt.decode(tokens.id_token, _import_signing_keys(keys), ALGORITHMS).claims
        _build_claims_registry(settings, request, now).validate(claims)
    except (JoseError, ValueError, TypeError) as error:
        raise ParseFailed(
            Message("The ID token of the identity provider is invalid: {problem}", problem=Message.untranslated(str(error)))
        ) from error
    if claims.get("azp", settings.oidc_client_id) != settings.oidc_client_id:
        raise ParseFailed(Message("The ID token of the identity provider was issued to another client."))
    subject = _parse_text(claims["sub"])
    if subject is None or subject != claims["sub"]:
        raise ParseFailed(Message("The ID token of the identity provider has no valid subject."))
    return OidcIdentity(claims["iss"], subject, _get_verified_email(claims), _parse_text(claims.get("name")))


def _build_token_request(settings: Settings, provider: ProviderMetadata, code: str, request: AuthorizationRequest) -> SourceRequest:
    """The token request, with the client's secret as the provider accepts it."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": f"{settings.base_url}{RETURN_PATH}",
        "client_id": str(settings.oidc_client_id),
        "code_verifier": request.verifier,
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
    """The provider's public signature keys, without symmetric and encryption keys."""
    public = [key for key in keys.keys if key.get("kty") in {"RSA", "EC", "OKP"} and key.get("use", "sig") == "sig"]
    return KeySet.import_key_set({"keys": public})


def _build_claims_registry(settings: Settings, request: AuthorizationRequest, now: datetime) -> JWTClaimsRegistry:
    return JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=LEEWAY_S,
        iss={"essential": True, "value": _get_issuer(settings)},
        sub={"essential": True},
        aud={"essential": True, "value": str(settings.oidc_client_id)},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": request.nonce},
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
        raise ConfigurationError(Message("No identity provider is configured. Set `oidc_issuer`."))
    return settings.oidc_issuer


async def _fetch_document(fetcher: Fetcher, call: SourceRequest, kind: type[B]) -> B:
    response = await fetcher.send(call)
    try:
        if not response.found:
            raise SourceAuthFailed(Message("The identity provider returned no document at {url}.", url=call.url))
        return kind.model_validate_json(response.body)
    except ValidationError:
        # The error omits the response, which may contain tokens.
        raise ParseFailed(
            Message("The response of the identity provider at {url} is not in the expected format.", url=call.url)
        ) from None
