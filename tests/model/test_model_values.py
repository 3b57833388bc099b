"""The values of the model: how they are spelled on the wire, and what they refuse."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import ClassVar

import pytest
from pydantic import ValidationError

from bonafide.model.base import BackwardCompatibleDocument, Document, Instant, format_instant
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import AddressInput, SearchRequest
from bonafide.model.search.result import CheckErrors


class Moment(Document):
    happened_at: Instant


class Grown(BackwardCompatibleDocument):
    """A document that has a field of two words more than in an earlier release."""

    missing: ClassVar[Mapping[str, object]] = {"open_hits": 0}
    name: str
    open_hits: int


def test_a_document_of_an_earlier_release_is_read_with_the_fields_that_it_lacks() -> None:
    assert Grown.model_validate_json('{"name": "Sandbox"}').open_hits == 0
    assert Grown.model_validate_json('{"name": "Sandbox", "openHits": 3}').open_hits == 3
    assert Grown(name="Sandbox", open_hits=3).to_json() == '{"name":"Sandbox","openHits":3}'


def test_instants_are_utc_with_milliseconds_and_z() -> None:
    east = datetime(2026, 11, 20, 9, 33, 0, 125_999, tzinfo=timezone(timedelta(hours=-5)))
    assert format_instant(east) == "2026-11-20T14:33:00.125Z"
    assert Moment(happened_at=east).to_json() == '{"happenedAt":"2026-11-20T14:33:00.125Z"}'
    assert Moment.model_validate_json('{"happenedAt":"2026-11-20T14:33:00Z"}').happened_at.tzinfo is UTC


def test_an_instant_needs_a_zone() -> None:
    with pytest.raises(ValidationError, match="time zone"):
        Moment(happened_at=datetime(2026, 11, 20))  # noqa: DTZ001 - that is the point


@pytest.mark.parametrize(
    ("text", "code"), [("ON", "ON"), ("ontario", "ON"), ("Québec", "QC"), ("federal", "FED"), (" yukon ", "YT")]
)
def test_a_jurisdiction_is_a_code_or_a_full_name(text: str, code: str) -> None:
    assert Jurisdiction.parse(text) == code


def test_an_unknown_jurisdiction_lists_the_codes() -> None:
    with pytest.raises(ValueError, match="FED"):
        Jurisdiction.parse("Texas")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "  "},
        {"name": "!!!"},
        {"name": "a\x00b"},
        {"name": "x" * 301},
        {"name": "A", "sanctionsThreshold": 0.69},
        {"name": "A", "regulatoryRegistryThreshold": 1.01},
        {"name": "A", "jurisdictions": []},
        {"name": "A", "limit": 51},
        {"name": "A", "unknown": 1},
        {"businessId": "not-a-uuid"},
    ],
)
def test_a_search_that_makes_no_sense_is_refused(body: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SearchRequest.model_validate(body)


def test_a_given_address_is_one_line_too() -> None:
    given = AddressInput(street="123 Main St", unit="4", city="Toronto", province="ON", postal_code="M5V 1A1")
    assert given.as_address().raw == "4-123 Main St, Toronto, ON, M5V 1A1"
    assert AddressInput(street="123 Main St", unit="Suite 4").as_address().street == "123 Main St, Suite 4"
    assert AddressInput(street="Rural Route 2", unit="4").as_address().street == "Rural Route 2, 4"
    assert AddressInput(unit="4").as_address().street == "4"
    assert AddressInput().as_address().raw is None


def test_no_error_is_no_error() -> None:
    assert not CheckErrors().any()
