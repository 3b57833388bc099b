"""A listed name is found however its letters are disguised, and a name that cannot be screened is never reported as clear."""

import pytest

from bonafide.errors import SourceErrorCode
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import NameHistoryItem, RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity, RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import ScreeningSubject
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.model.search.match import ScreeningStatus, ScreeningWarningCode
from bonafide.model.search.result import CoverageStatus, SearchResult, SelectionStatus
from bonafide.runtime import Runtime
from bonafide.services.screening.dismissals import apply_dismissals_to_result
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.screening.subject_screening import ScreeningResult, screen_subject
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.services.loading import put
from tests.support.services.runtimes import principal_of, search

pytestmark = pytest.mark.anyio
TRADING = "Sandbox Sanctioned Trading Ltd."
LIST = "ca-sanctions-autonomous"


async def screen(runtime: Runtime, name: str, **fields: object) -> ScreeningResult:
    subject = ScreeningRequest.model_validate({"query": name, **fields}).submitted().subject()
    return await screen_subject(runtime, World.SANDBOX, subject, 0.85, get_official_lists(runtime))


# ------------------------------------------------------------------------------------------------------------- disguises


@pytest.mark.parametrize(
    "name",
    [
        "Sandboх Sanctioned Trading Ltd.",
        "Ѕandbox Ѕanctioned Тrading Ltd.",
        "Saոdbox Saոctioոed Tradiոg Ltd.",
        "ꜱᴀɴᴅʙᴏx ꜱᴀɴᴄᴛɪᴏɴᴇᴅ ᴛʀᴀᴅɪɴɢ Ltd.",
        "S4ndb0x S4nct10n3d Tr4d1ng Ltd.",
        "5andbox $anctioned 7rading Ltd.",
        "Sand\u200bbox Sanc\u00adtioned Trad\u2060ing Ltd.",
        "\u202eSandbox Sanctioned Trading Ltd.",
    ],
)
@ON_SQLITE_ONLY
async def test_a_disguised_name_is_a_hit(runtime: Runtime, name: str) -> None:
    [match] = (await screen(runtime, name)).screening.matches
    assert (match.legal_name.name, match.legal_name.match_score) == (TRADING, 1)


@pytest.mark.parametrize(
    "name", ["B2B Trading 4Refuel", "1st Choice 3M", "Farm2Fork Kids4Kids Inc.", "G4S Web3 Studio54", "H2O 2Go"]
)
@ON_SQLITE_ONLY
async def test_a_name_with_ordinary_digits_gains_no_hit(runtime: Runtime, name: str) -> None:
    found = (await screen(runtime, name)).screening
    assert (found.total_matches, found.warnings, found.status) == (0, (), ScreeningStatus.SCREENED)


async def test_a_listed_name_with_a_look_alike_letter_is_found_too(empty_runtime: Runtime) -> None:
    listed = ListedEntity(entry_id="1", entity_type=EntityKind.ORGANIZATION, name="Zеphyrine Holdings")
    put(empty_runtime, LIST, [listed])
    found = await screen_subject(empty_runtime, World.LIVE, "Zephyrine Holdings", 0.85, [empty_runtime.sources[LIST]])
    assert [match.legal_name.match_score for match in found.screening.matches] == [1]


# -------------------------------------------------------------------------------------------------------------- warnings


async def test_a_word_of_mixed_script_is_a_warning(runtime: Runtime) -> None:
    found = (await screen(runtime, "Nobody Аt Aӏl")).screening
    [warning] = found.warnings
    assert (warning.code, warning.field) == (ScreeningWarningCode.MIXED_SCRIPT, "query")
    assert "“Аt”, “Aӏl”" in warning.message
    assert found.status is ScreeningStatus.SCREENED


async def test_removed_characters_are_a_warning(runtime: Runtime) -> None:
    found = (await screen(runtime, "No\u200bbody \u202eAt All")).screening
    [warning] = found.warnings
    assert (found.query, warning.code) == ("Nobody At All", ScreeningWarningCode.INVISIBLE_CHARACTERS)
    assert "U+200B, U+202E" in warning.message


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("\u3164", ScreeningWarningCode.EMPTY_NAME),
        ("ー", ScreeningWarningCode.EMPTY_NAME),
        ("Inc.", ScreeningWarningCode.GENERIC_ONLY),
        ("The", ScreeningWarningCode.GENERIC_ONLY),
        ("The Company Ltd.", ScreeningWarningCode.GENERIC_ONLY),
        ("Société en commandite", ScreeningWarningCode.GENERIC_ONLY),
        ("S.A.", ScreeningWarningCode.GENERIC_ONLY),
        ("Corp.", ScreeningWarningCode.GENERIC_ONLY),
        ("ООО", ScreeningWarningCode.GENERIC_ONLY),
    ],
)
@ON_SQLITE_ONLY
async def test_a_name_that_cannot_be_screened_is_not_clear(runtime: Runtime, name: str, code: ScreeningWarningCode) -> None:
    found = await screen(runtime, name)
    assert (found.screening.status, found.screening.reason is not None) == (ScreeningStatus.NOT_SCREENED, True)
    assert code in [warning.code for warning in found.screening.warnings]
    assert (found.screening.total_matches, found.screening.lists) == (0, ())
    assert {item.code for item in found.screening.lists_not_screened} == {SourceErrorCode.INVALID_INPUT}
    assert found.error is not None
    assert (found.error.code, found.error.retryable) == (SourceErrorCode.INVALID_INPUT, False)


@pytest.mark.parametrize("name", ["A B", "Le Co Holdings", "Inc. 9187629", "Holdings", "X", "3M"])
@ON_SQLITE_ONLY
async def test_a_short_name_is_screened(runtime: Runtime, name: str) -> None:
    found = await screen(runtime, name)
    assert (found.screening.status, found.screening.warnings, found.error) == (ScreeningStatus.SCREENED, (), None)


async def test_a_generic_word_may_be_the_name_of_a_person(runtime: Runtime) -> None:
    found = await screen(runtime, "Le Co", entityType="person")
    assert found.screening.status is ScreeningStatus.SCREENED


async def test_a_generic_name_that_is_listed_is_a_hit(empty_runtime: Runtime) -> None:
    put(empty_runtime, LIST, [ListedEntity(entry_id="1", entity_type=EntityKind.ORGANIZATION, name="The Company")])
    found = await screen_subject(empty_runtime, World.LIVE, ScreeningSubject("The Company"), 0.85, [empty_runtime.sources[LIST]])
    assert (found.screening.total_matches, found.screening.status) == (1, ScreeningStatus.SCREENED)
    assert [warning.code for warning in found.screening.warnings] == [ScreeningWarningCode.GENERIC_ONLY]


async def test_a_search_for_a_generic_name_says_that_no_list_was_screened(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name="Inc.", sanctionsScreening=True)
    assert result.sanctions is not None
    assert result.sanctions.status is ScreeningStatus.NOT_SCREENED
    assert result.errors is not None
    assert result.errors.sanctions_screening is not None
    assert result.errors.sanctions_screening.code is SourceErrorCode.INVALID_INPUT
    assert {row.status for row in result.meta.coverage if row.source == LIST} == {CoverageStatus.FAILED}


# --------------------------------------------------------------------------------------------------- the selected match


NUMBER = "7654321"
LISTED = "Zephyrine Petrochemical Holdings"


def register(runtime: Runtime, **fields: object) -> None:
    """One business of Ontario's register, and one listed party."""
    number = RegistrationNumber(label="Corporation number", value=NUMBER)
    business = RegistryEntry.model_validate(
        {
            "entry_id": "1",
            "jurisdiction": Jurisdiction.ON,
            "legal_name": "Orlovska Catering Inc.",
            "registration_numbers": [number],
            **fields,
        }
    )
    put(runtime, "on", [business])
    put(runtime, LIST, [ListedEntity(entry_id="1", entity_type=EntityKind.ORGANIZATION, name=LISTED)])


@pytest.fixture
async def north_of_empty(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north", World.LIVE)


async def select(runtime: Runtime, principal: Principal, **request: object) -> SearchResult:
    options = {"name": "Orlovska Catering", "registrationNumber": NUMBER, "sanctionsScreening": True, "matchSelection": True}
    return await search(runtime, principal, **{**options, **request})


@pytest.mark.parametrize(
    ("fields", "role"),
    [
        ({"legal_name": f"{LISTED} Inc."}, "legalName"),
        ({"alternate_names": [LISTED]}, "tradeName"),
        ({"name_history": [NameHistoryItem(type="former", name=LISTED)]}, "formerName"),
    ],
)
async def test_a_listed_business_is_not_selected_beside_a_clean_screening(
    empty_runtime: Runtime, north_of_empty: Principal, fields: dict[str, object], role: str
) -> None:
    register(empty_runtime, **fields)
    result = await select(empty_runtime, north_of_empty)
    assert result.match_selection is not None
    assert (result.match_selection.status, result.match_selection.selected_match_id) == (SelectionStatus.NEEDS_REVIEW, None)
    assert result.sanctions is not None
    assert (result.sanctions.query, result.sanctions.total_matches, result.sanctions.open_hits) == ("Orlovska Catering", 0, 1)
    [subject] = [subject for subject in result.sanctions.subjects if subject.matches]
    assert (subject.role, subject.origin, subject.total_matches) == (role, "match", 1)
    assert subject.matches[0].legal_name.name == LISTED


async def test_a_business_whose_names_are_clear_is_selected(empty_runtime: Runtime, north_of_empty: Principal) -> None:
    register(empty_runtime, alternate_names=["Kwiatek Catering"])
    result = await select(empty_runtime, north_of_empty)
    assert result.match_selection is not None
    assert result.match_selection.status is SelectionStatus.AUTO_SELECTED
    assert result.sanctions is not None
    # The legal name has the words of the submitted name.
    assert [(subject.name, subject.matches) for subject in result.sanctions.subjects] == [("Kwiatek Catering", ())]
    assert result.sanctions.open_hits == 0


async def test_a_business_that_is_listed_by_its_submitted_name_is_selected_with_the_hit(
    empty_runtime: Runtime, north_of_empty: Principal
) -> None:
    register(empty_runtime, legal_name=f"{LISTED} Inc.")
    result = await select(empty_runtime, north_of_empty, name=LISTED)
    assert result.match_selection is not None
    assert result.match_selection.status is SelectionStatus.AUTO_SELECTED
    assert result.sanctions is not None
    assert (result.sanctions.total_matches, result.sanctions.open_hits, result.sanctions.subjects) == (1, 1, ())


async def test_without_screening_no_name_is_screened(empty_runtime: Runtime, north_of_empty: Principal) -> None:
    register(empty_runtime, alternate_names=[LISTED])
    result = await select(empty_runtime, north_of_empty, sanctionsScreening=False)
    assert result.sanctions is None
    assert result.match_selection is not None
    assert result.match_selection.status is SelectionStatus.AUTO_SELECTED


async def test_dismissals_of_a_further_name_apply_when_the_result_is_read(
    empty_runtime: Runtime, north_of_empty: Principal
) -> None:
    register(empty_runtime, alternate_names=[LISTED])
    result = await select(empty_runtime, north_of_empty)
    again = await apply_dismissals_to_result(
        empty_runtime, north_of_empty.organization_id, result, ScreeningSubject("Orlovska Catering")
    )
    assert again == result
