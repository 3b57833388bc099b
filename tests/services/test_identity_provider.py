"""What an identity provider says is believed only if it has signed it, for us, for this very sign-on; over real HTTP."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import ECKey, OctKey

from bonafide.errors import AddressRefused, ConfigurationError, ParseFailed, SourceError
from bonafide.net.fetch import Fetcher
from bonafide.runtime import build_identity_provider_fetcher
from bonafide.services.accounts import openid_connect
from bonafide.services.accounts.openid_connect import AuthorizationRequest, OidcIdentity
from bonafide.settings import Settings
from tests.support.servers.identity_provider import CLIENT_SECRET, LocalProvider, running_provider
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
QUESTION = AuthorizationRequest("a state", "a nonce", "a verifier that is long enough for the standard, which asks for 43")


@pytest.fixture
async def provider(clock: ManualClock) -> AsyncIterator[LocalProvider]:
    async with running_provider(clock) as running:
        yield running


@pytest.fixture
def settings(provider: LocalProvider) -> Settings:
    return Settings(**provider.settings)


@pytest.fixture
async def door(settings: Settings, clock: ManualClock) -> AsyncIterator[Fetcher]:
    opened = build_identity_provider_fetcher(settings, clock)
    assert opened is not None
    yield opened
    await opened.close()


@pytest.fixture
def asked(provider: LocalProvider, settings: Settings, door: Fetcher, clock: ManualClock) -> "Asked":
    return Asked(provider, settings, door, clock)


class Asked:
    """Somebody was sent to the provider, and is back."""

    def __init__(self, provider: LocalProvider, settings: Settings, door: Fetcher, clock: ManualClock) -> None:
        self.provider, self.settings, self.door, self.clock = provider, settings, door, clock

    async def sent(self) -> dict[str, str]:
        """What was taken along to the provider."""
        described = await openid_connect.fetch_metadata(self.door, self.settings)
        address = openid_connect.build_authorization_url(self.settings, described, QUESTION)
        return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}

    async def identity(self, question: AuthorizationRequest = QUESTION) -> OidcIdentity:
        """Who it was, by what the provider says."""
        code = self.provider.sent_back(await self.sent())["code"]
        return await openid_connect.fetch_identity(self.door, self.settings, code, question, self.clock.now)


async def test_a_person_is_who_the_provider_has_signed(asked: Asked) -> None:
    assert await asked.identity() == OidcIdentity(asked.provider.issuer, "person-1", "ann@north.example", "Ann Northrup")
    assert asked.provider.asked[-3:] == ["/.well-known/openid-configuration", "/token", "/keys"]


async def test_a_secret_is_sent_as_the_provider_takes_it(asked: Asked) -> None:
    asked.provider.auth_methods = ("client_secret_post",)
    assert (await asked.identity()).subject == "person-1"


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://evil.example"},
        {"aud": "another client"},
        {"aud": ["another client"]},
        {"azp": "another client"},
        {"nonce": "another nonce"},
        {"nonce": None},
        {"exp": 1},
        {"exp": None},
        {"iat": None},
        {"iat": 2**40},
        {"sub": None},
        {"sub": ""},
        {"sub": 17},
        {"sub": "x" * 501},
        {"sub": "person\x00"},
    ],
    ids=str,
)
async def test_a_token_of_something_else_proves_nothing(asked: Asked, changes: dict[str, Any]) -> None:
    asked.provider.changes = changes
    with pytest.raises(ParseFailed, match="ID token"):
        await asked.identity()


async def test_two_clients_may_be_named_if_the_token_was_made_for_us(asked: Asked) -> None:
    asked.provider.changes = {"aud": ["bonafide", "another client"], "azp": "bonafide"}
    assert (await asked.identity()).subject == "person-1"


@pytest.mark.parametrize(
    ("alg", "key"),
    [
        ("ES256", ECKey.generate_key("P-256", {"kid": "one"})),
        ("ES256", ECKey.generate_key("P-256", {"kid": "unknown"})),
        # Signed with what the client knows too, and what stands among the published keys.
        ("HS256", OctKey.import_key(CLIENT_SECRET, {"kid": "shared"})),
        ("none", None),
    ],
    ids=["another key", "an unknown key", "a shared secret", "no signature"],
)
async def test_a_signature_that_is_not_the_provider_s_proves_nothing(asked: Asked, alg: str, key: Any) -> None:
    asked.provider.alg, asked.provider.signing_key = alg, key
    with pytest.raises(ParseFailed, match="ID token"):
        await asked.identity()


@pytest.mark.parametrize(
    "person",
    [
        {"email_verified": False},
        {"email_verified": None},
        {"email_verified": "yes"},
        {"email_verified": 1},
        {"email_verified": [True]},
        {"email": None},
        {"email": ""},
        {"email": 7},
        {"email": "ann\x00@north.example"},
        {"email": "no address"},
    ],
    ids=str,
)
async def test_an_address_that_the_provider_does_not_vouch_for_is_none(asked: Asked, person: dict[str, Any]) -> None:
    asked.provider.person |= person
    assert (await asked.identity()).email is None


async def test_some_providers_write_a_word_for_yes(asked: Asked) -> None:
    asked.provider.person |= {"email_verified": "true", "name": "\x00"}
    found = await asked.identity()
    assert (found.email, found.name) == ("ann@north.example", None)


@pytest.mark.parametrize(
    "question",
    [AuthorizationRequest("", QUESTION.nonce, "another verifier"), AuthorizationRequest("", "another", QUESTION.verifier)],
)
async def test_a_code_is_worth_something_only_to_who_asked_for_it(asked: Asked, question: AuthorizationRequest) -> None:
    with pytest.raises(SourceError):
        await asked.identity(question)


@pytest.mark.parametrize("metadata", [{"authorization_endpoint": None}, {"jwks_uri": 7}, {"token_endpoint": {}}])
async def test_a_description_that_can_not_be_read_is_told_without_its_text(asked: Asked, metadata: dict[str, Any]) -> None:
    asked.provider.metadata = metadata
    with pytest.raises(ParseFailed, match=r"at http://127\.0\.0\.1:\d+/\.well-known/openid-configuration is not in the expected"):
        await asked.sent()


async def test_a_provider_spells_itself_as_the_operator_does(asked: Asked) -> None:
    asked.provider.metadata = {"issuer": "https://evil.example"}
    with pytest.raises(ConfigurationError, match="must be spelled as in the provider’s metadata"):
        await asked.sent()


async def test_a_provider_can_not_lead_elsewhere_inside(asked: Asked) -> None:
    asked.provider.metadata = {"token_endpoint": "http://127.0.0.1:1/token"}
    with pytest.raises(AddressRefused):
        await asked.identity()


async def test_a_redirect_is_not_followed_for_the_secret_would_go_along(asked: Asked) -> None:
    asked.provider.metadata = {"token_endpoint": f"{asked.provider.issuer}/authorize"}
    with pytest.raises(SourceError):
        await asked.identity()
