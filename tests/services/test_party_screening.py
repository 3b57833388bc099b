"""The parties of a business are screened with it: each has its own result, and none that was not screened is clear."""

import json
from typing import Any
from uuid import uuid4

import pytest

from bonafide.i18n.catalog import get_translator
from bonafide.i18n.language import Language
from bonafide.matching.scoring.word_rarity import STATIC_RARITY
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import Address, NameHistoryItem, Person, RegistrationNumber, RoleCategory, RoleDetail
from bonafide.model.entry import EntityKind, RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import ScreeningSubject, SearchRequest
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.model.search.match import ScreenedSubject, Screening, ScreeningStatus, SubjectOrigin, SubjectRole
from bonafide.model.search.result import SearchResult, SelectionStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.records import business_records
from bonafide.services.screening import history as screenings
from bonafide.services.screening.list_cache import open_lists
from bonafide.services.screening.party_set import MAX_PARTIES, BusinessParty, PartyScreener, list_foreign_countries
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.screening.subject_screening import screen_against
from bonafide.services.search import history
from bonafide.services.search.execution import create_search, read_search
from bonafide.store.records.screenings import ScreeningFilter
from bonafide_bench.datasets.labelled_pairs import create_labelled_pairs
from tests.support.services.business_records import sent
from tests.support.services.events import list_events
from tests.support.services.loading import put
from tests.support.services.runtimes import principal_of, search, without
from tests.support.services.sanctions_lists import ANALYST, SEMA, UN, dismissed, load_lists, party

pytestmark = pytest.mark.anyio
LISTED = "Quillon Brightwater"


@pytest.fixture
async def north(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north")


def person(name: str, category: RoleCategory = RoleCategory.DIRECTOR, **said: Any) -> Person:
    label = category.value.title()
    return Person(name=name, roles=(label,), role_details=(RoleDetail(category=category, label=label),), **said)


def register(runtime: Runtime, *entries: dict[str, Any]) -> None:
    """Businesses of Ontario's register, and one listed person on every list's world."""
    numbered = [
        {
            "entry_id": str(place),
            "jurisdiction": Jurisdiction.ON,
            "legal_name": "Orlovska Catering Inc.",
            "registration_numbers": [RegistrationNumber(label="Corporation number", value=f"765432{place}")],
            **fields,
        }
        for place, fields in enumerate(entries)
    ]
    put(runtime, "on", [RegistryEntry.model_validate(entry) for entry in numbered], World.SANDBOX)
    load_lists(runtime, {SEMA: [party(LISTED, "77", entity_type=EntityKind.PERSON, birth_dates=("1961-03-02",))]})


async def screened(runtime: Runtime, principal: Principal, **request: Any) -> Screening:
    result = await search(runtime, principal, **{"name": "Orlovska Catering", "sanctionsScreening": True, **request})
    assert result.sanctions is not None
    return result.sanctions


def by_name(screening: Screening) -> dict[str, ScreenedSubject]:
    return {subject.name: subject for subject in screening.subjects}


async def test_names_and_people_of_the_best_match_are_screened_by_their_roles(empty_runtime: Runtime, north: Principal) -> None:
    register(
        empty_runtime,
        {
            "alternate_names": ["Kwiatek Foods"],
            "name_history": [NameHistoryItem(type="former", name="Hollis Provisions Ltd.")],
            "people": [
                person(LISTED),
                person("Ottoline Farrow", RoleCategory.OFFICER),
                person("Percival Stroud", RoleCategory.SHAREHOLDER),
                person("Wendeline Ash", RoleCategory.AGENT),
            ],
        },
    )
    found = await screened(empty_runtime, north)
    roles = {name: subject.role.value for name, subject in by_name(found).items()}
    assert roles == {
        "Kwiatek Foods": "tradeName",
        "Hollis Provisions Ltd.": "formerName",
        LISTED: "director",
        "Ottoline Farrow": "officer",
        "Percival Stroud": "owner",
        "Wendeline Ash": "otherPerson",
    }
    assert {subject.status for subject in found.subjects} == {ScreeningStatus.SCREENED}
    director = by_name(found)[LISTED]
    assert (director.total_matches, director.titles, director.origin) == (1, ("Director",), "match")
    assert director.matches[0].match.reasons != ()
    # The typed name keeps its own result.
    assert (found.total_matches, found.matches, found.open_hits) == (0, (), 1)


async def test_people_and_names_of_the_record_are_screened(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, {"people": [person("Ottoline Farrow")]})
    wanted = BusinessUpsert.model_validate(
        {
            "name": "Orlovska Catering",
            "operatingNames": ["Zephyr Diner"],
            "people": [{"name": LISTED, "role": "Owner"}, {"name": "Ottoline Farrow"}],
        }
    )
    record = (await business_records.upsert(empty_runtime, north.organization_id, wanted, ANALYST)).record
    found = await screened(empty_runtime, north, businessId=str(record.id))
    # The register's director is not screened a second time.
    roles = [(subject.name, subject.role.value, subject.origin.value) for subject in found.subjects]
    assert roles == [
        ("Ottoline Farrow", "director", "match"),
        ("Zephyr Diner", "tradeName", "record"),
        (LISTED, "recordPerson", "record"),
    ]
    assert by_name(found)[LISTED].titles == ("Owner",)
    assert found.open_hits == 1


async def test_nobody_is_clear_if_no_list_is_loaded(empty_runtime: Runtime, north: Principal) -> None:
    entry = {"entry_id": "1", "jurisdiction": "ON", "legal_name": "Orlovska Catering Inc.", "people": [person(LISTED)]}
    put(empty_runtime, "on", [RegistryEntry.model_validate(entry)], World.SANDBOX)
    found = await screened(empty_runtime, north)
    (subject,) = found.subjects
    assert (subject.status, subject.total_matches) == (ScreeningStatus.NOT_SCREENED, 0)
    assert subject.reason is not None


async def test_parties_beyond_the_limit_are_named_and_not_clear(empty_runtime: Runtime, north: Principal) -> None:
    names = [f"{chr(97 + number // 26)}{chr(97 + number % 26)}quor Stroudwick" for number in range(MAX_PARTIES + 5)]
    register(empty_runtime, {"people": [person(name) for name in names]})
    found = await screened(empty_runtime, north)
    assert [subject.name for subject in found.subjects] == names
    statuses = [subject.status for subject in found.subjects]
    assert statuses == [ScreeningStatus.SCREENED] * MAX_PARTIES + [ScreeningStatus.NOT_SCREENED] * 5


async def test_a_generic_trade_name_is_not_clear(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, {"alternate_names": ["The Company"]})
    (subject,) = (await screened(empty_runtime, north)).subjects
    assert subject.status is ScreeningStatus.NOT_SCREENED


async def test_a_listed_director_alone_does_not_prevent_the_selection(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, {"people": [person(LISTED)]})
    result = await search(
        empty_runtime,
        north,
        name="Orlovska Catering",
        sanctionsScreening=True,
        matchSelection=True,
        registrationNumber="7654320",
    )
    assert result.match_selection is not None
    assert result.match_selection.status is SelectionStatus.AUTO_SELECTED
    assert result.sanctions is not None
    assert result.sanctions.open_hits == 1


async def test_selecting_another_match_screens_that_one(empty_runtime: Runtime, north: Principal) -> None:
    register(
        empty_runtime,
        {"people": [person("Ottoline Farrow")]},
        {"legal_name": "Orlovska Caterings Inc.", "people": [person(LISTED)]},
    )
    result = await search(empty_runtime, north, name="Orlovska Catering", sanctionsScreening=True, matchSelection=True)
    first, second = result.businesses or ()
    assert result.sanctions is not None
    assert (result.sanctions.match_id, list(by_name(result.sanctions))) == (first.match_id, ["Ottoline Farrow"])
    search_id = result.meta.search_id
    for match, expected, hits in ((second, [LISTED], 1), (first, ["Ottoline Farrow"], 0)):
        choice = MatchChoice(match_id=str(match.match_id))
        await history.choose_match(empty_runtime, north.organization_id, search_id, choice)
        stored = (await read_search(empty_runtime, north.organization_id, search_id)).parse(SearchResult).sanctions
        assert stored is not None
        people = [subject.name for subject in stored.subjects if subject.role == "director"]
        assert (stored.match_id, people, stored.open_hits) == (match.match_id, expected, hits)
        assert stored.subjects_screened_at is not None


async def test_the_hits_of_a_selected_match_are_reported_for_the_record(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, {}, {"legal_name": "Orlovska Caterings Inc.", "people": [person(LISTED)]})
    record = await sent(empty_runtime, north.organization_id, name="Orlovska Catering")
    result = await search(empty_runtime, north, businessId=str(record.id), sanctionsScreening=True, matchSelection=True)
    second = (result.businesses or ())[1]
    for _ in range(2):
        choice = MatchChoice(match_id=str(second.match_id))
        await history.choose_match(empty_runtime, north.organization_id, result.meta.search_id, choice)
    events = await list_events(empty_runtime, north.organization_id)
    (found,) = [event for event in events if event.type == "screening.hit_found"]
    assert found.data["screened"] == {"name": LISTED, "role": "director"}
    assert found.links.resource == f"/v1/search/{result.meta.search_id}"


async def test_a_match_is_not_clear_if_a_list_fails_when_it_is_selected(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, {}, {"legal_name": "Orlovska Caterings Inc.", "people": [person("Ottoline Farrow")]})
    result = await search(empty_runtime, north, name="Orlovska Catering", sanctionsScreening=True, matchSelection=True)
    second = (result.businesses or ())[1]
    search_id, lacking = result.meta.search_id, without(empty_runtime, SEMA)
    await history.choose_match(lacking, north.organization_id, search_id, MatchChoice(match_id=str(second.match_id)))
    stored = (await read_search(empty_runtime, north.organization_id, search_id)).parse(SearchResult).sanctions
    assert stored is not None
    assert by_name(stored)["Ottoline Farrow"].status is ScreeningStatus.NOT_SCREENED


async def test_a_dismissed_hit_is_not_clear_if_a_list_fails_when_the_match_is_selected(
    empty_runtime: Runtime, north: Principal
) -> None:
    register(empty_runtime, {}, {"legal_name": "Orlovska Caterings Inc.", "people": [person(LISTED)]})
    load_lists(empty_runtime, {UN: [party(LISTED, "77", entity_type=EntityKind.PERSON)]})
    await dismissed(empty_runtime, north, LISTED)
    result = await search(empty_runtime, north, name="Orlovska Catering", sanctionsScreening=True, matchSelection=True)
    second = (result.businesses or ())[1]
    search_id, lacking = result.meta.search_id, without(empty_runtime, SEMA)
    await history.choose_match(lacking, north.organization_id, search_id, MatchChoice(match_id=str(second.match_id)))
    stored = (await read_search(empty_runtime, north.organization_id, search_id)).parse(SearchResult).sanctions
    assert stored is not None
    director = by_name(stored)[LISTED]
    assert (director.status, director.total_matches, director.open_hits) == (ScreeningStatus.NOT_SCREENED, 1, 0)


# ------------------------------------------------------------------------------------------------ without a search


async def test_further_subjects_of_a_request_have_their_own_results(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, {})
    subjects = [
        {"name": LISTED, "kind": "person", "role": "Owner", "dateOfBirth": "1961-03-02"},
        {"name": LISTED, "kind": "person", "dateOfBirth": "1999"},
        {"name": "The Company"},
    ]
    request = ScreeningRequest.model_validate({"query": "Orlovska Catering", "subjects": subjects})
    answer = await screenings.create_screening(empty_runtime, north, request)
    same, other, generic = answer.screening.subjects
    assert (same.role, same.titles, same.origin, same.total_matches) == ("submitted", ("Owner",), "request", 1)
    assert other.total_matches == 0 or other.matches[0].match.score < same.matches[0].match.score
    assert generic.status is ScreeningStatus.NOT_SCREENED
    page = await screenings.list_screenings(empty_runtime, north.organization_id, ScreeningFilter(), 1)
    assert (page.screenings[0].subjects, page.screenings[0].outcome) == (4, ScreeningOutcome.HITS)


async def test_people_of_the_record_are_screened_without_a_search(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, {})
    wanted = BusinessUpsert.model_validate({"name": "Orlovska Catering", "people": [{"name": LISTED}]})
    record = (await business_records.upsert(empty_runtime, north.organization_id, wanted, ANALYST)).record
    request = ScreeningRequest.model_validate({"query": "Orlovska Catering", "businessId": str(record.id)})
    answer = await screenings.create_screening(empty_runtime, north, request)
    (subject,) = answer.screening.subjects
    assert (subject.role, subject.total_matches) == ("recordPerson", 1)


@pytest.mark.parametrize(
    ("countries", "expected"),
    [(["Canada"], ()), ([], ()), (["Belarus"], ("BY",)), (["Canada", "BY"], ("CA", "BY")), (["Nowhereland"], ())],
)
def test_a_canadian_address_alone_is_no_evidence(countries: list[str], expected: tuple[str, ...]) -> None:
    assert list_foreign_countries([Address(country=country) for country in countries]) == expected


async def test_a_party_has_the_result_of_its_own_screening(empty_runtime: Runtime) -> None:
    """In a party set as by itself: listed, misspelt, with a date of birth or abroad, of one listed name and of none."""
    pairs = create_labelled_pairs(4)[::3]
    parties = [
        party(LISTED, "1", entity_type=EntityKind.PERSON, birth_dates=("1961-03-02",), countries=("RU",)),
        party("BRIGHTWATER, Quillon", "2", entity_type=EntityKind.PERSON, aliases=(LISTED,)),
        party("Orlovska Trading House", "3", aliases=("Orlovska", "Орловска")),
        party("Mohammed bin Hassan", "4", entity_type=EntityKind.PERSON, weak_aliases=("Abu Hassan",)),
        *(party(pair.a, str(number)) for number, pair in enumerate(pairs, 10)),
    ]
    load_lists(empty_runtime, {SEMA: parties[::2], UN: parties[1::2]})
    lists = open_lists(empty_runtime, World.SANDBOX, get_official_lists(empty_runtime))
    subjects = [
        ScreeningSubject(LISTED),
        ScreeningSubject("Quilon Brightwater", EntityKind.PERSON, date_of_birth="1961-03-02"),
        ScreeningSubject("Brightwater Quillon", countries=("RU",)),
        *(ScreeningSubject(name) for name in ("Orlovska Trading", "Abu Hassan", "Muhammad b. Hasan", "Percival Stroud", "!!")),
        *(ScreeningSubject(pair.b) for pair in pairs),
    ]
    role, origin = SubjectRole.RECORD_PERSON, SubjectOrigin.RECORD
    wanted = [BusinessParty(role, origin, None, subject) for subject in subjects]
    together = PartyScreener(lists, 0.7, STATIC_RARITY).screen(uuid4(), wanted, parse_subject(ScreeningSubject("Nobody at all")))
    alone = [screen_against(lists, subject, 0.7, STATIC_RARITY).screening for subject in subjects]
    assert [(one.name, one.status, one.total_matches, one.matches) for one in together] == [
        (one.query, one.status, one.total_matches, one.matches) for one in alone
    ]
    assert sum(one.total_matches > 0 for one in together) > 10


async def test_hits_of_the_parties_are_included_if_the_settings_say_so(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, {"alternate_names": ["Kwiatek Foods"], "people": [person(LISTED), person("Ottoline Farrow")]})
    request = SearchRequest.model_validate({"name": "Orlovska Catering", "sanctionsScreening": True})
    plain = await _answer(empty_runtime, north, request)
    assert (plain["totalMatches"], plain["matches"], "includesParties" in plain) == (0, [], False)
    change = SettingsChange.model_validate({"search": {"sanctionsIncludeParties": True}})
    await change_settings(empty_runtime, north.organization_id, change, ANALYST)
    answer = await _answer(empty_runtime, north, request)
    assert (answer["totalMatches"], answer["openHits"], answer["includesParties"]) == (1, 1, True)
    (match,) = answer["matches"]
    director = next(subject for subject in answer["subjects"] if subject["name"] == LISTED)
    assert match["subject"] == {"subjectId": director["subjectId"], "name": LISTED, "role": "director"}
    # The hit of the subject itself is the same without the mark, and the document has the result of the query alone.
    assert director["matches"] == [{field: value for field, value in match.items() if field != "subject"}]
    read = Screening.model_validate(answer)
    assert (read.total_matches, read.matches, read.with_open_hits().open_hits) == (0, (), 1)
    assert read.model_dump(mode="json", by_alias=True) == answer


def test_included_hits_beyond_the_returned_ones_count_too() -> None:
    subject = ScreenedSubject(
        subject_id=uuid4(),
        name=LISTED,
        kind=None,
        role=SubjectRole.DIRECTOR,
        origin=SubjectOrigin.MATCH,
        status=ScreeningStatus.SCREENED,
        total_matches=130,
        matches=(),
    )
    plain = Screening(query="Orlovska Catering", total_matches=2, matches=(), subjects=(subject,), lists=())
    included = plain.model_copy(update={"includes_parties": True}).with_open_hits()
    written = included.model_dump(mode="json", by_alias=True)
    assert (written["totalMatches"], written["openHits"]) == (132, 132)
    read = Screening.model_validate(written)
    assert read.total_matches == 2
    assert read.model_dump(mode="json", by_alias=True) == written


async def test_the_selection_of_another_match_includes_its_hits(empty_runtime: Runtime, north: Principal) -> None:
    second = {"legal_name": "Orlovska Caterings Inc.", "people": [person(LISTED)]}
    register(empty_runtime, {"people": [person("Ottoline Farrow")]}, second)
    change = SettingsChange.model_validate({"search": {"sanctionsIncludeParties": True, "sanctionsScreening": True}})
    await change_settings(empty_runtime, north.organization_id, change, ANALYST)
    result = await search(empty_runtime, north, name="Orlovska Catering", matchSelection=True)
    search_id = result.meta.search_id
    for match, expected in zip(result.businesses or (), ([], [LISTED]), strict=True):
        choice = MatchChoice(match_id=str(match.match_id))
        await history.choose_match(empty_runtime, north.organization_id, search_id, choice)
        stored = await read_search(empty_runtime, north.organization_id, search_id)
        answer = json.loads(stored.write(SearchResult, get_translator(Language.ENGLISH)))["sanctions"]
        assert [found["subject"]["name"] for found in answer["matches"]] == expected
        assert answer["totalMatches"] == answer["openHits"] == len(expected)


async def _answer(runtime: Runtime, principal: Principal, request: SearchRequest) -> dict[str, Any]:
    """The sanctions part of the response to a search."""
    reply = await create_search(runtime, principal, request, respond_async=False)
    found: dict[str, Any] = json.loads(reply.document.write(SearchResult, get_translator(Language.ENGLISH)))["sanctions"]
    return found
