"""The section `listings` of a result: left out where there is none, and weak by its type."""

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest
from pydantic import ValidationError

from bonafide.model.loading import Route
from bonafide.model.query import SearchParams
from bonafide.model.search.match import ListingMatch, MatchExplanation, ScoredName
from bonafide.model.search.result import SearchMeta, SearchResult, SearchStatus, Submitted
from bonafide.sources.framework.discovery import list_regulator_keys

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def listed(**changes: object) -> ListingMatch:
    match: dict[str, object] = {
        "legal_name": ScoredName(name="Example Pharmacy", match_score=1.0),
        "match": MatchExplanation(score=1.0, fields=()),
        "alternate_names": (),
        "registration_number": None,
        "status": "Active",
        "status_code": "active",
        "addresses": (),
        "details": {"naicsCode": "44", "naicsOrigin": "derived"},
        "source": "odbus",
        "source_url": None,
        "route": Route.BULK,
        "as_of": None,
        "retrieved_at": NOON,
        "weight": "weak",
    }
    return ListingMatch.model_validate(match | changes)


def result(listings: dict[str, tuple[ListingMatch, ...]] | None) -> SearchResult:
    meta = SearchMeta(
        search_id=UUID(int=1),
        searched_at=NOON,
        searched_by="north",
        submitted=Submitted(name="Example", website=None, params=SearchParams()),
        status=SearchStatus.COMPLETED,
        duration=1,
        coverage=(),
    )
    nothing = dict.fromkeys(list_regulator_keys(), ())
    return SearchResult(meta=meta, businesses=(), regulatory=nothing, sanctions=None, errors=None, listings=listings)


def test_it_is_omitted_where_there_is_none_and_other_sections_are_null() -> None:
    document = json.loads(result(None).to_json())
    assert not {"listings", "matchSelection"} & set(document)
    assert (document["sanctions"], document["website"]) == (None, None)


@pytest.mark.parametrize("listings", [{"odbus": ()}, {"odbus": (listed(),)}])
def test_it_comes_back_as_it_went(listings: dict[str, tuple[ListingMatch, ...]]) -> None:
    document = result(listings)
    assert json.loads(document.to_json())["listings"].keys() == {"odbus"}
    assert SearchResult.model_validate_json(document.to_json()) == document


@pytest.mark.parametrize("weight", ["strong", None])
def test_no_listing_is_anything_but_weak(weight: str | None) -> None:
    with pytest.raises(ValidationError, match="weight"):
        listed(weight=weight)


def test_its_schema_says_so() -> None:
    schema = ListingMatch.model_json_schema(mode="serialization")
    assert schema["properties"]["weight"]["const"] == "weak"
    assert "weight" in schema["required"]
    assert "listings" not in SearchResult.model_json_schema(mode="serialization")["required"]
