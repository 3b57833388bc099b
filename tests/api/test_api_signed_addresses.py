"""The address of a document can't be forged, changed or extended: whatever is done to it, there is no document."""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bonafide.errors import NotFound
from bonafide.runtime import Runtime
from bonafide.services.reports import signed_urls
from tests.support.api.clients import NOON, ManualClock
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.sampling import examples

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database_url"), ON_SQLITE_ONLY]
SHARED = settings(examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
NORTH, SOUTH = uuid4(), uuid4()
DOCUMENT, OTHER = "verifications/one.pdf", "verifications/two.pdf"
SIGNATURE_BYTES, ID_BYTES, EXPIRY_BYTES = 32, 16, 8


@dataclass(frozen=True)
class Addressed:
    """A document that is there, its token, and whoever asks for it."""

    token: str
    runtime: Runtime
    client: httpx2.AsyncClient

    @property
    def raw(self) -> bytes:
        return base64.urlsafe_b64decode(self.token + "=" * (-len(self.token) % 4))

    async def told(self, path: str) -> tuple[int, str]:
        answer = await self.client.get(f"{signed_urls.PATH}{path}")
        return answer.status_code, answer.json()["error"] if answer.status_code != 200 else answer.text


@pytest.fixture
async def addressed(runtime: Runtime, anonymous: httpx2.AsyncClient) -> Addressed:
    for organization_id, document in ((NORTH, DOCUMENT), (NORTH, OTHER), (SOUTH, DOCUMENT)):
        await runtime.files.put(organization_id, document, f"{organization_id}/{document}".encode(), "application/pdf")
    return Addressed(signed_urls.sign_url(runtime, NORTH, DOCUMENT).url.rsplit("/", 1)[1], runtime, anonymous)


UNKNOWN = (404, "We couldn’t find that document.")


def spelt(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


async def test_the_address_opens_its_document_until_it_ends(addressed: Addressed, clock: ManualClock) -> None:
    assert await addressed.told(addressed.token) == (200, f"{NORTH}/{DOCUMENT}")
    clock.move(seconds=addressed.runtime.settings.signed_url_ttl_s - 1)
    assert (await addressed.told(addressed.token))[0] == 200
    clock.move(seconds=1)
    assert (await addressed.told(addressed.token))[0] == 404


@SHARED
@given(place=st.integers(min_value=0), bit=st.integers(0, 7))
async def test_no_bit_can_be_changed(addressed: Addressed, place: int, bit: int) -> None:
    raw = bytearray(addressed.raw)
    raw[place % len(raw)] ^= 1 << bit
    refused(addressed, spelt(bytes(raw)))


@SHARED
@given(place=st.integers(min_value=0), character=st.characters(codec="utf-8"))
async def test_no_character_can_be_changed(addressed: Addressed, place: int, character: str) -> None:
    place %= len(addressed.token)
    changed = addressed.token[:place] + character + addressed.token[place + 1 :]
    if changed != addressed.token:
        refused(addressed, changed)


@SHARED
@given(
    text=st.text(min_size=1, max_size=40) | st.sampled_from(["=", "==", "A", "AA", "%3D", "\n", " ", "\0"]), before=st.booleans()
)
async def test_nothing_can_be_added(addressed: Addressed, text: str, *, before: bool) -> None:
    refused(addressed, text + addressed.token if before else addressed.token + text)


@SHARED
@given(start=st.integers(0, 40), end=st.integers(1, 120))
async def test_nothing_can_be_left_out(addressed: Addressed, start: int, end: int) -> None:
    refused(addressed, addressed.token[start:-end])
    refused(addressed, spelt(addressed.raw[start:-end]))


@SHARED
@given(token=st.text(max_size=400) | st.binary(max_size=200).map(spelt))
async def test_nothing_can_be_made_up(addressed: Addressed, token: str) -> None:
    refused(addressed, token)


@SHARED
@given(raw=st.binary(min_size=SIGNATURE_BYTES, max_size=SIGNATURE_BYTES))
async def test_no_signature_can_be_guessed(addressed: Addressed, raw: bytes) -> None:
    refused(addressed, spelt(raw + addressed.raw[SIGNATURE_BYTES:]))


@pytest.mark.parametrize(
    "claim",
    [
        (SOUTH, NOON + timedelta(minutes=15), DOCUMENT),
        (NORTH, NOON + timedelta(minutes=15), OTHER),
        (NORTH, NOON + timedelta(days=3650), DOCUMENT),
        (NORTH, NOON + timedelta(minutes=15), f"../{SOUTH}/{DOCUMENT}"),
    ],
    ids=["another organization", "another document", "a later end", "a way out of the folder"],
)
@pytest.mark.parametrize("key", [b"", b"another key", b"north "])
async def test_another_s_signature_is_none(addressed: Addressed, claim: tuple[UUID, datetime, str], key: bytes) -> None:
    organization_id, expires_at, document = claim
    forged = organization_id.bytes + int(expires_at.timestamp()).to_bytes(EXPIRY_BYTES, "big") + document.encode()
    assert await addressed.told(spelt(addressed.raw[:SIGNATURE_BYTES] + forged)) == UNKNOWN
    assert await addressed.told(spelt(hmac.new(key, forged, hashlib.sha256).digest() + forged)) == UNKNOWN


async def test_every_way_to_change_an_address_gets_the_same_answer(addressed: Addressed) -> None:
    token = addressed.token
    spare = token[:-1] + chr(ord(token[-1]) + 1)  # the same bytes, where the last character has bits to spare
    for changed in (spare, f"{token}=", f"{token}==", token[:-1], token.swapcase(), f"{token}%00", f"%E2%80%8B{token}", "A" * 5000):
        assert await addressed.told(changed) == UNKNOWN, changed
    for beside in (f"{token}/", f"{token}/x", f"x/{token}", "../businesses", ""):
        assert (await addressed.told(beside))[0] in {401, 404}, beside


@pytest.mark.parametrize("query", ["?expires=9999999999", "?token=x&token=y", "?x=%00", "?&&==", "#later"])
async def test_what_is_hung_on_changes_neither_document_nor_end(addressed: Addressed, clock: ManualClock, query: str) -> None:
    assert await addressed.told(addressed.token + query) == (200, f"{NORTH}/{DOCUMENT}")
    clock.move(minutes=15)
    assert (await addressed.told(addressed.token + query))[0] == 404


async def test_its_characters_may_be_escaped_for_that_is_the_same_address(addressed: Addressed) -> None:
    escaped = "".join(f"%{ord(character):02X}" for character in addressed.token)
    assert await addressed.told(escaped) == (200, f"{NORTH}/{DOCUMENT}")


def refused(addressed: Addressed, token: str) -> None:
    with pytest.raises(NotFound) as refusal:
        signed_urls.verify_token(addressed.runtime, token)
    assert (refusal.value.status, refusal.value.message) == UNKNOWN
