"""A claim against a register's report: what matches, what doesn't and why, and what nobody could compare."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest

from bonafide.matching.verification.claim_comparison import build_not_found_findings, build_thresholds, compare_claim
from bonafide.model.accounts.account_settings import VerificationSettings
from bonafide.model.entity import Address, NameHistoryItem, Part, Person, RegistrationNumber, RoleCategory, RoleDetail, StatusCode
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.search.match import BusinessReport, BusinessReportDetails
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.requests import MatchingInput
from bonafide.model.verification.results import CheckedPerson, CheckStatus, ClaimedPerson, Findings, ResultStatus, Subject

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
EVERYTHING = tuple(Part)
STRICT = {"threshold": 1.0}


def report(**changes: Any) -> RegistryReport:
    former = (NameHistoryItem(type="former", name="Orlova Oven Ltd.", end_date=date(2009, 6, 30)),)
    values: dict[str, Any] = {
        "report_id": UUID(int=1),
        "search_id": UUID(int=1),
        "jurisdiction": Jurisdiction.ON,
        "jurisdiction_label": "Ontario",
        "registration_number": "1000017",
        "legal_name": "Orlova Bakery Inc.",
        "alternate_names": ("Boulangerie Orlova inc.",),
        "registration_numbers": (
            RegistrationNumber(label="Ontario Corporation Number", value="1000017"),
            RegistrationNumber(label="Business Number (BN)", value="990000010"),
        ),
        "entity_type": None,
        "entity_type_code": None,
        "status": "Active",
        "status_code": StatusCode.ACTIVE,
        "incorporation_date": None,
        "addresses": (
            Address(street="9 Elm Street", city="Ottawa", province="ON", postal_code="K1A 0A1"),
            Address(street="100 King Street West", city="Toronto", province="ON", postal_code="M5X 1A9"),
        ),
        "people": (
            person("Margaret Quillon", "Director", "President"),
            person("Luc Beauvallon", "Director"),
            person("Ines Moreau"),
        ),
        "home_jurisdiction": None,
        "home_number": None,
        "business_report": BusinessReport(details=BusinessReportDetails(name_history=former)),
        "source": "on",
        "source_url": None,
        "route": Route.IMPORT,
        "as_of": date(2026, 11, 20),
        "retrieved_at": NOON,
        "obtained_at": NOON,
        "cached": False,
        "evidence": (),
        "source_files": (),
        "notes": (),
    }
    return RegistryReport(**(values | changes))


def person(name: str, *roles: str) -> Person:
    return Person(name=name, roles=roles)


def verify(
    claim: dict[str, Any] | None = None,
    *,
    matching: dict[str, Any] | None = None,
    published: tuple[Part, ...] = EVERYTHING,
    **register: Any,
) -> Findings:
    settings = MatchingInput.model_validate(matching or {}).over(VerificationSettings())
    return compare_claim(subject(**(claim or {})), settings, report(**register), published)


def subject(**claim: Any) -> Subject:
    values = {
        "legalName": "Orlova Bakery Inc.",
        "jurisdiction": "ON",
        "jurisdictionLabel": "Ontario",
        "registrationNumber": "1000017",
    }
    return Subject.model_validate({**values, **claim})


def name_of(claimed: str, **more: Any) -> tuple[CheckStatus, str]:
    field = verify({"legalName": claimed}, **more).fields.legal_name
    return field.status, field.reason


def people(*claimed: dict[str, Any], **more: Any) -> list[tuple[CheckStatus, str]]:
    found = verify({"people": list(claimed)}, **more).people
    return [(row.status, row.reason) for row in found if row.provided is not None]


# ------------------------------------------------------------------------------------------------------------ the whole


def test_a_claim_that_agrees_is_verified() -> None:
    found = verify({"address": {"city": "Toronto"}, "people": [{"name": "Luc Beauvallon"}]})
    assert (found.status, found.discrepancy_count) == (ResultStatus.VERIFIED, 0)


def test_each_field_that_differs_is_one_discrepancy() -> None:
    claim = {"legalName": "Other Ltd.", "address": {"city": "Moncton", "province": "NB"}, "people": [{"name": "A Stranger"}] * 2}
    found = verify(claim)
    assert (found.status, found.discrepancy_count) == (ResultStatus.DISCREPANCIES, 4)


@pytest.mark.parametrize("code", StatusCode)
def test_everything_matches_and_the_business_is_not_active(code: StatusCode) -> None:
    active = code in {StatusCode.ACTIVE, StatusCode.PENDING_DISSOLUTION, StatusCode.UNKNOWN}
    assert verify(status_code=code).status is (ResultStatus.VERIFIED if active else ResultStatus.INACTIVE)
    assert verify({"legalName": "Other Ltd."}, status_code=code).status is ResultStatus.DISCREPANCIES


def test_a_number_that_the_register_does_not_have_leaves_nothing_to_compare() -> None:
    claimed = subject(
        registrationNumber="12", address={"city": "Toronto"}, people=[{"name": "Luc Beauvallon", "roles": ["Director"]}]
    )
    found = build_not_found_findings(claimed, VerificationSettings())
    assert (found.status, found.discrepancy_count) == (ResultStatus.NOT_FOUND, 1)
    assert found.fields.registration_number.status is CheckStatus.MISMATCHED
    assert found.fields.address is not None
    statuses = {
        found.fields.legal_name.status,
        found.fields.address.status,
        *(row.status for row in found.people if row.provided is not None),
    }
    assert statuses == {CheckStatus.NOT_CHECKED}
    assert found.fields.address.fields == {}


def test_the_same_input_gives_the_same_findings() -> None:
    claim = {"legalName": "Orlov Bakery", "people": [{"name": "L. Beauvallon"}]}
    assert verify(claim) == verify(claim)


def test_thresholds_are_those_that_applied() -> None:
    settings = MatchingInput.model_validate({"people": {"enabled": False}, "address": STRICT}).over(VerificationSettings())
    assert build_thresholds(settings).model_dump() == {
        "legal_name": 0.95,
        "registration_number": 1.0,
        "address": 1.0,
        "people": None,
    }
    assert build_thresholds(settings, 0.9).sanctions == 0.9


# ------------------------------------------------------------------------------------------------------------ the name


@pytest.mark.parametrize(
    "claimed",
    [
        "Orlova Bakery Inc.",
        "ORLOVA BAKERY INCORPORATED",
        "Orlova Bakery",
        "Orlova Bakery Ltée",
        "The Orlova  Bakery, Ltd.",
        "Boulangerie Orlova",
        "Boulangerie Orlova Ltd.",
    ],
)
def test_legal_forms_of_both_languages_do_not_count_even_where_equality_is_asked_for(claimed: str) -> None:
    assert name_of(claimed, matching={"legalName": STRICT})[0] is CheckStatus.MATCHED


def test_another_legal_form_is_told_though_it_does_not_count() -> None:
    assert name_of("Orlova Bakery Ltd.") == (
        CheckStatus.MATCHED,
        "same name; the legal form is Inc. instead of Ltd., which is not compared",
    )


@pytest.mark.parametrize("claimed", ["Orlovaa Bakery Inc.", "Bakery Orlova Inc."])
def test_a_slip_is_matched_by_the_usual_threshold_and_not_by_equality(claimed: str) -> None:
    assert name_of(claimed, matching={"legalName": {"threshold": 0.9}})[0] is CheckStatus.MATCHED
    assert name_of(claimed, matching={"legalName": STRICT})[0] is CheckStatus.MISMATCHED


def test_a_former_name_is_a_mismatch_that_says_which_until_when() -> None:
    field = verify({"legalName": "Orlova Oven"}).fields.legal_name
    assert field.status is CheckStatus.MISMATCHED
    assert field.reason == "former name Orlova Oven Ltd., until 2009-06-30; the legal name is now Orlova Bakery Inc."
    assert field.registry == "Orlova Bakery Inc."


def test_a_former_name_that_is_borne_again_is_none() -> None:
    assert name_of("Orlova Oven", alternate_names=("Orlova Oven Ltd.",))[0] is CheckStatus.MATCHED


def test_another_registered_name_is_told_as_what_it_is() -> None:
    status, reason = name_of("Boulangerie Orlova")
    assert (status, reason) == (CheckStatus.MATCHED, "another registered name: same name")


def test_a_number_in_a_name_must_agree() -> None:
    assert name_of("4261607 Canada Inc.", legal_name="4261608 Canada Inc.")[0] is CheckStatus.MISMATCHED


# ------------------------------------------------------------------------------------------------------------ the number


@pytest.mark.parametrize("number", ["1000017", "No. 1000017", "ON 1000017", "0001000017", "990000010", "99000 0010 RC0001"])
def test_a_number_is_the_same_in_any_spelling(number: str) -> None:
    field = verify({"registrationNumber": number}).fields.registration_number
    assert (field.status, field.score) == (CheckStatus.MATCHED, 1.0)


def test_another_number_is_matched_only_as_fuzzily_as_the_threshold_allows() -> None:
    strict = verify({"registrationNumber": "1000018"}).fields.registration_number
    assert (strict.status, strict.registry) == (CheckStatus.MISMATCHED, "1000017")
    assert strict.reason == "1000017 (Ontario Corporation Number) instead of 1000018"
    lax = verify({"registrationNumber": "1000018"}, matching={"registrationNumber": {"threshold": 0.8}})
    assert lax.fields.registration_number.status is CheckStatus.MATCHED


def test_an_entry_without_any_number_publishes_none() -> None:
    assert verify(registration_numbers=()).fields.registration_number.status is CheckStatus.NOT_PUBLISHED


# ------------------------------------------------------------------------------------------------------------ the address


def test_no_address_is_compared_when_none_is_sent() -> None:
    assert verify().fields.address is None


def test_the_address_is_compared_with_the_one_that_is_most_like_it_and_only_where_it_was_sent() -> None:
    address = verify({"address": {"street": "100 King St W", "city": "Toronto"}}).fields.address
    assert address is not None
    assert address.status is CheckStatus.MATCHED
    assert address.registry is not None
    assert "Toronto" in address.registry
    assert address.fields["street"].status is CheckStatus.MATCHED
    assert address.fields["postalCode"].status is CheckStatus.NOT_PROVIDED


def test_one_part_that_differs_makes_the_whole_a_mismatch_and_says_so() -> None:
    address = verify({"address": {"street": "100 King Street West", "city": "Toronto", "postalCode": "V6E 3P3"}}).fields.address
    assert address is not None
    assert (address.status, address.fields["city"].status) == (CheckStatus.MISMATCHED, CheckStatus.MATCHED)
    assert address.fields["postalCode"].status is CheckStatus.MISMATCHED
    assert "postal code" in address.reason


@pytest.mark.parametrize("published", [(), EVERYTHING])
def test_a_register_without_an_address_for_it_contradicts_none(published: tuple[Part, ...]) -> None:
    found = verify({"address": {"city": "Toronto"}}, addresses=(), published=published)
    assert found.fields.address is not None
    assert found.fields.address.status is CheckStatus.NOT_PUBLISHED
    assert (found.status, found.fields.address.registry) == (ResultStatus.VERIFIED, None)
    assert ("does not include" in found.fields.address.reason) is (published == ())


# ------------------------------------------------------------------------------------------------------------ people


@pytest.mark.parametrize(
    "claimed",
    [
        {"name": "Margaret Quillon"},
        {"name": "QUILLON, Margaret", "roles": ["Director"]},
        {"name": "Margaret Quillon", "roles": ["président"]},
        {"name": "Margaret Quillon", "roles": ["Director", "CEO"]},
        {"name": "Luc Beauvallon", "roles": ["Administrateur"]},
        {"name": "Ines Moreau", "roles": ["Treasurer"]},
    ],
    ids=["name", "order", "french", "categories", "other language", "no role published"],
)
def test_a_person_is_matched_by_name_and_role(claimed: dict[str, Any]) -> None:
    assert [status for status, _ in people(claimed)] == [CheckStatus.MATCHED]


def test_a_person_in_another_role_is_a_mismatch_that_says_so() -> None:
    assert people({"name": "Luc Beauvallon", "roles": ["Director", "Secretary"]}) == [
        (CheckStatus.MISMATCHED, "same name; found as Director, not as Secretary")
    ]


def test_of_two_who_bear_a_name_the_one_in_the_role_is_meant() -> None:
    namesakes = (person("Jean Tremblay", "Shareholder"), person("Jean Tremblay", "Director"))
    assert [status for status, _ in people({"name": "Jean Tremblay", "roles": ["Director"]}, people=namesakes)] == [
        CheckStatus.MATCHED
    ]


def test_the_common_categories_of_a_register_s_own_words_count() -> None:
    own = Person(name="Jean Tremblay", role_details=(RoleDetail(category=RoleCategory.OFFICER, label="PDG"),))
    assert [status for status, _ in people({"name": "Jean Tremblay", "roles": ["President"]}, people=(own,))] == [
        CheckStatus.MATCHED
    ]


def test_a_person_whom_the_register_does_not_name_is_a_mismatch() -> None:
    row, *_ = verify({"people": [{"name": "Quite A Stranger", "roles": ["Director"]}]}).people
    assert (row.status, row.reason, row.registry) == (CheckStatus.MISMATCHED, "the register names no person with this name", None)
    near, *_ = verify({"people": [{"name": "Luc Beauvalon"}]}, matching={"people": STRICT}).people
    assert near.status is CheckStatus.MISMATCHED
    assert near.registry is not None
    assert near.registry.name == "Luc Beauvallon"


def test_a_register_that_never_names_people_contradicts_none() -> None:
    assert people({"name": "Luc Beauvallon"}, people=(), published=()) == [
        (CheckStatus.NOT_PUBLISHED, "this data of the register does not include people")
    ]
    assert people({"name": "Luc Beauvallon"}, people=()) == [(CheckStatus.MISMATCHED, "the register names no people")]


def test_a_row_tells_all_the_roles_that_were_claimed() -> None:
    claimed = ClaimedPerson(name="Luc Beauvallon", roles=("Director", "Secretary")).model_dump()
    row, *_ = verify({"people": [claimed]}).people
    assert row.role == "Director, Secretary"


# ------------------------------------------------------------------------------------------------ only in the register


def test_what_the_claim_does_not_state_is_listed_and_no_discrepancy() -> None:
    found = verify({"people": [{"name": "Luc Beauvallon", "roles": ["Director"]}], "address": {"city": "Toronto"}})
    unclaimed = [row for row in found.people if row.provided is None]
    assert [(row.name, row.status, row.score) for row in unclaimed] == [
        ("Margaret Quillon", CheckStatus.NOT_PROVIDED, None),
        ("Ines Moreau", CheckStatus.NOT_PROVIDED, None),
    ]
    assert unclaimed[0].registry is not None
    assert unclaimed[0].registry.roles == ("Director", "President")
    assert [address.city for address in found.registry_only.addresses] == ["Ottawa"]
    assert [(item.name, item.end_date) for item in found.registry_only.names] == [
        ("Boulangerie Orlova inc.", None),
        ("Orlova Oven Ltd.", date(2009, 6, 30)),
    ]
    assert (found.not_provided_count, found.discrepancy_count, found.counts_not_provided) == (5, 0, False)
    assert found.status is ResultStatus.VERIFIED


def test_settings_make_it_a_discrepancy() -> None:
    found = verify({"people": [{"name": "Luc Beauvallon"}]}, matching={"countNotProvided": True, "address": {"enabled": False}})
    assert found.registry_only.addresses == ()
    assert (found.not_provided_count, found.discrepancy_count, found.status) == (4, 4, ResultStatus.DISCREPANCIES)


def test_people_are_not_listed_if_people_are_not_compared() -> None:
    assert verify(matching={"people": {"enabled": False}}).people == ()


def test_a_claimed_other_name_or_a_person_in_another_role_is_not_listed() -> None:
    found = verify({"legalName": "Orlova Oven Ltd.", "people": [{"name": "Ines Moreau", "roles": ["Secretary"]}]})
    assert "Orlova Oven Ltd." not in [item.name for item in found.registry_only.names]
    assert "Ines Moreau" not in [row.name for row in found.people if row.provided is None]


def test_what_is_only_in_the_register_is_in_its_order_and_has_the_first_label() -> None:
    elm, king = Address(street="9 Elm Street", city="Ottawa"), Address(street="100 King Street West", city="Toronto")
    labelled = (elm.model_copy(update={"label": "registered"}), king, elm.model_copy(update={"label": "mailing"}))
    names = ("Quillon Pastry", "Beauvallon Bread", "Quillon Pastry")
    found = verify(addresses=labelled, alternate_names=names).registry_only
    assert found.addresses == labelled[:2]
    assert [item.name for item in found.names] == ["Quillon Pastry", "Beauvallon Bread", "Orlova Oven Ltd."]


def test_a_stored_person_of_an_earlier_release_was_claimed() -> None:
    row = verify({"people": [{"name": "Luc Beauvallon"}]}).people[0].model_dump()
    del row["provided"]
    assert CheckedPerson.model_validate(row).provided == "Luc Beauvallon"
