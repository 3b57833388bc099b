"""When a domain was created, asked of the sandbox's registry over HTTP, and read from odd answers of registries."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest

from bonafide.errors import AddressRefused, SourceRateLimited, SourceUnavailable
from bonafide.i18n.message import Message
from bonafide.net.fetch import Fetcher
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.settings import Settings
from bonafide.website.domain_registration import look_up_domain
from bonafide_sandbox.protocols.rdap import OTHER_DOMAINS_CREATED, compute_creation_day
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.sites.catalog import load_catalog
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.servers.asgi_server import served

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 20, 14, 30, tzinfo=UTC)
REGISTERED = {"eventAction": "registration", "eventDate": "2011-03-04T05:06:07Z"}
Ask = Callable[[SourceRequest], Awaitable[SourceResponse]]


@pytest.fixture
async def ask(live_world: Path) -> AsyncIterator[Ask]:
    """The question put to the sandbox's registry."""
    async with served(create_sandbox_app(live_world, {}, None, BusinessDirectory(live_world, DEFAULT_SEED))) as address:
        fetcher = Fetcher(Settings(), lambda: NOW, sandbox=address)
        yield fetcher.send
        await fetcher.close()


def answering(body: object, status: int = 200) -> Ask:
    """A registry that says this, whatever it is asked."""

    async def ask(call: SourceRequest) -> SourceResponse:
        said = body if isinstance(body, bytes) else json.dumps(body).encode()
        return SourceResponse(call, status, "application/rdap+json", said, NOW)

    return ask


def failing(error: Exception) -> Ask:
    async def ask(_call: SourceRequest) -> SourceResponse:
        raise error

    return ask


def record(*events: Any, **facts: Any) -> Mapping[str, Any]:
    return {"objectClassName": "domain", "ldhName": "EXAMPLE.CA", "events": list(events), **facts}


class TestTheSandboxsRegistry:
    async def test_a_sites_domain_has_its_day(self, ask: Ask) -> None:
        found = await look_up_domain("https://www.bakery.sandbox.example/contact", ask)
        site = load_catalog(DEFAULT_SEED).site("bakery.sandbox.example")

        assert site is not None
        assert found.url == "bakery.sandbox.example"
        assert found.created_at is not None
        assert found.created_at.date() == compute_creation_day(site.shop)
        assert (found.source, found.note) == ("https://rdap.example/domain/bakery.sandbox.example", None)

    async def test_a_registry_that_sends_us_elsewhere_is_followed(self, ask: Ask) -> None:
        found = await look_up_domain("https://moved.sandbox.example", ask)

        assert found.created_at is not None
        assert found.created_at.date() == OTHER_DOMAINS_CREATED
        assert found.source == "https://rdap.elsewhere.example/domain/moved.sandbox.example"

    @pytest.mark.parametrize(
        ("label", "reason"),
        [
            ("unknown", "the domain is not registered"),
            ("no-such-shop", "the domain is not registered"),
            ("withheld", "does not publish the registration date"),
            ("circle", "HTTP 302"),
            ("crowded", "limits the rate of requests"),
        ],
    )
    async def test_where_there_is_no_day_there_is_a_reason(self, ask: Ask, label: str, reason: str) -> None:
        found = await look_up_domain(f"https://{label}.sandbox.example", ask)

        assert found.created_at is None
        assert reason in (found.note or "")
        assert found.source == f"https://rdap.example/domain/{label}.sandbox.example"


class TestOddAnswers:
    async def test_the_question_names_its_media_type_and_the_domain_alone(self) -> None:
        asked: list[SourceRequest] = []

        async def ask(call: SourceRequest) -> SourceResponse:
            asked.append(call)
            return await answering(record(REGISTERED))(call)

        await look_up_domain("https://WWW.Example.CA.:443/a?b=c", ask)

        [call] = asked
        assert call.url == "https://rdap.ca.fury.ca/rdap/domain/example.ca"
        assert call.headers == {"Accept": "application/rdap+json"}

    @pytest.mark.parametrize(
        ("written", "read"),
        [
            ("2011-03-04T05:06:07Z", datetime(2011, 3, 4, 5, 6, 7, tzinfo=UTC)),
            ("2011-03-04T05:06:07.0Z", datetime(2011, 3, 4, 5, 6, 7, tzinfo=UTC)),
            ("2011-03-04T01:06:07-04:00", datetime(2011, 3, 4, 5, 6, 7, tzinfo=UTC)),
            ("2011-03-04T05:06:07", datetime(2011, 3, 4, 5, 6, 7, tzinfo=UTC)),
            ("2011-03-04", datetime(2011, 3, 4, tzinfo=UTC)),
        ],
    )
    async def test_instants_are_read_in_the_ways_that_registries_write_them(self, written: str, read: datetime) -> None:
        found = await look_up_domain("https://example.ca", answering(record({"eventAction": "registration", "eventDate": written})))

        assert found.created_at == read

    async def test_of_two_registrations_the_first_counts_and_other_events_do_not(self) -> None:
        changed = {"eventAction": "last changed", "eventDate": "1999-01-01T00:00:00Z"}
        again = {"eventAction": "registration", "eventDate": "2019-01-01T00:00:00Z"}
        renewed = {"eventAction": "reregistration", "eventDate": "2001-01-01T00:00:00Z"}
        found = await look_up_domain("example.ca", answering(record(changed, again, renewed, REGISTERED)))

        assert found.created_at == datetime(2011, 3, 4, 5, 6, 7, tzinfo=UTC)

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"<html>Not here</html>",
            b"\xff\xfe\x00garbage",
            b"[" * 200_000,
            b"[]",
            b'"domain"',
            b"null",
            b'{"objectClassName": "domain"}',
            {"errorCode": 404, "title": "Not found"},
            record(),
            record({"eventAction": "registration"}),
            record({"eventAction": "registration", "eventDate": None}),
            record({"eventAction": "registration", "eventDate": 20110304}),
            record({"eventAction": "registration", "eventDate": "yesterday"}),
            record({"eventAction": "registration", "eventDate": "2011-02-30T00:00:00Z"}),
            record({"eventAction": "registration", "eventDate": "0001-01-01T00:00:00+14:00"}),
            record({"eventAction": "registration", "eventDate": "2041-01-01T00:00:00Z"}),
            record("registration", None, 7),
            record(REGISTERED, events={"registration": "2011"}),
            record(REGISTERED, ldhName="other.ca"),
            record(REGISTERED, objectClassName="nameserver"),
        ],
        ids=repr,
    )
    async def test_what_is_not_clear_is_a_null_with_a_reason(self, body: object) -> None:
        found = await look_up_domain("https://example.ca", answering(body))

        assert (found.url, found.created_at) == ("example.ca", None)
        assert isinstance(found.note, Message)
        assert found.note.template is not None

    @pytest.mark.parametrize("status", [404, 410])
    async def test_a_domain_that_is_not_registered_has_no_day(self, status: int) -> None:
        found = await look_up_domain("https://example.ca", answering(record(REGISTERED), status))

        assert found.created_at is None

    @pytest.mark.parametrize(
        "error",
        [
            SourceUnavailable(Message("can't be reached")),
            SourceRateLimited(Message("slow down")),
            AddressRefused(Message("not public")),
        ],
        ids=str,
    )
    async def test_a_registry_that_can_not_be_asked_is_a_reason(self, error: Exception) -> None:
        found = await look_up_domain("https://example.ca", failing(error))

        assert (found.created_at, found.note) == (None, str(error))

    async def test_a_registry_that_sends_us_off_the_secure_web_is_not_followed(self) -> None:
        moved = SourceUnavailable(Message("sent away"))
        moved.moved_to = "http://rdap.example/domain/example.ca"
        found = await look_up_domain("https://example.ca", failing(moved))

        assert found.created_at is None
        assert "without https" in (found.note or "")

    async def test_redirects_are_followed_twice_and_no_further(self) -> None:
        asked: list[str] = []

        async def ask(call: SourceRequest) -> SourceResponse:
            asked.append(call.url)
            moved = SourceUnavailable(Message("sent away"))
            moved.moved_to = f"https://rdap{len(asked)}.example/"
            raise moved

        found = await look_up_domain("https://example.ca", ask)

        assert found.note == "sent away"
        assert asked[1:] == ["https://rdap1.example/", "https://rdap2.example/"]

    @pytest.mark.slow
    async def test_a_registry_that_does_not_answer_is_not_waited_for(self) -> None:
        async def ask(call: SourceRequest) -> SourceResponse:
            await anyio.sleep(60)
            return await answering(record(REGISTERED))(call)

        found = await look_up_domain("https://example.ca", ask)

        assert found.created_at is None
        assert "within" in (found.note or "")
