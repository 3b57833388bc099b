"""Statements of the Beneficial Ownership Data Standard 0.4: what is written, what is read, and what is refused why."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given

from bonafide.errors import InvalidJson, ValidationFailed
from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import Claimant, OwnershipStatement, ShareBand
from bonafide.services.ownership.formats.bods_export import list_bods_statements, to_bods_share, write_bods
from bonafide.services.ownership.formats.bods_import import read_bods
from bonafide.services.ownership.formats.bods_statements import BodsShare
from tests.support.ownership_files import BUSINESS_ID, SUBJECT, build_answer, build_statement, statements
from tests.support.sampling import examples

NO_OPTIONS = OwnershipFileOptions()


def write(*given_statements: OwnershipStatement) -> list[dict[str, Any]]:
    return list_bods_statements(build_answer(given_statements), "North Inc.")


def read(
    given_statements: list[dict[str, Any]], options: OwnershipFileOptions = NO_OPTIONS, business_id: UUID = BUSINESS_ID
) -> OwnershipStatement:
    return read_bods(json.dumps(given_statements).encode(), SUBJECT, options).to_statement()


def find(given_statements: list[dict[str, Any]], record: str) -> dict[str, Any]:
    (found,) = (one for one in given_statements if one["recordId"] == f"{BUSINESS_ID}/{record}")
    return found


# ------------------------------------------------------------------------------------------------------------- round trip


def test_every_term_survives() -> None:
    statement = build_statement()
    assert read(write(statement)) == statement


@pytest.mark.parametrize("claimant", list(Claimant))
def test_the_claimant_survives(claimant: Claimant) -> None:
    assert read(write(build_statement(claimedBy=claimant))).claimed_by is claimant


@given(statements())
@examples(60)
def test_arbitrary_statements_survive(statement: OwnershipStatement) -> None:
    assert read(write(statement)) == with_exact_shares(statement)


def with_exact_shares(statement: OwnershipStatement) -> OwnershipStatement:
    """The statement with an exact share for each band of a single share, which is the same."""
    interests = [
        one.model_copy(update={"share": ShareBand(exact=one.share.min)})
        if one.share is not None and one.share.min is not None and one.share.min == one.share.max
        else one
        for one in statement.interests
    ]
    return statement.model_copy(update={"interests": tuple(interests)})


def test_the_same_data_gives_the_same_bytes() -> None:
    answer = build_answer([build_statement()])
    assert write_bods(answer, "North Inc.") == write_bods(answer, "North Inc.")


def test_another_share_gives_another_statement_of_the_same_record() -> None:
    before, after = build_statement(), build_statement()
    interests = [one.model_dump(by_alias=True) for one in after.interests]
    interests[0]["share"] = {"exact": 0.58}
    after = build_statement(interests=interests)
    old, new = (find(write(one), "interests/declared/1") for one in (before, after))
    assert old["statementId"] != new["statementId"]
    party = "parties/minority"
    assert find(write(before), party) == find(write(after), party)


# ---------------------------------------------------------------------------------------------------------------- export


def test_a_share_is_a_percentage_without_rounding_errors() -> None:
    shares = [
        one["recordDetails"]["interests"][0].get("share") for one in write(build_statement()) if "interests/" in one["recordId"]
    ]
    assert shares[:4] == [
        {"exact": 57.0},
        {"exclusiveMinimum": 50.0, "maximum": 75.0},
        {"exclusiveMaximum": 25.0},
        {"minimum": 10.0},
    ]


def test_an_interest_ends_on_the_day_after_its_last() -> None:
    interest = find(write(build_statement()), "interests/declared/9")["recordDetails"]["interests"][0]
    assert interest["endDate"] == "2026-01-01"


def test_a_month_is_rounded_and_says_so() -> None:
    statement = find(write(build_statement()), "interests/declared/8")
    assert statement["recordDetails"]["interests"][0]["endDate"] == "2024-03-01"
    (annotation,) = statement["annotations"]
    assert annotation["statementPointerTarget"] == "/recordDetails/interests/0/endDate"
    assert "2024-02" in annotation["description"]


def test_a_beneficial_owner_through_others_has_a_relationship_with_components() -> None:
    parties = [
        {"id": "business", "kind": "business", "name": "Sandbox Bakery Inc.", "businessId": str(BUSINESS_ID)},
        {"id": "holding", "kind": "business", "name": "Holding Ltd."},
        {"id": "jane", "kind": "person", "name": "Jane Doe"},
    ]
    interests = [
        {"id": "1", "owner": "holding", "owned": "business", "kind": "shares", "share": {"exact": 0.8}},
        {"id": "2", "owner": "jane", "owned": "holding", "kind": "shares", "share": {"exact": 0.5}},
    ]
    written = write(build_statement(parties=parties, interests=interests))
    owner = find(written, "beneficial-owners/jane")
    assert written.index(owner) == len(written) - 1
    details = owner["recordDetails"]
    prefix = f"{BUSINESS_ID}/"
    assert {record.removeprefix(prefix) for record in details["componentRecords"]} == {
        "parties/holding",
        "interests/declared/1",
        "interests/declared/2",
    }
    shares = [one for one in details["interests"] if one["type"] == "shareholding"]
    assert shares == [
        {
            "type": "shareholding",
            "directOrIndirect": "indirect",
            "beneficialOwnershipOrControl": True,
            "share": {"exact": 40.0},
        }
    ]
    components = {one["recordId"].removeprefix(prefix): one["recordDetails"]["isComponent"] for one in written}
    assert {record for record, is_component in components.items() if is_component} == {
        "parties/holding",
        "interests/declared/1",
        "interests/declared/2",
    }
    # What follows from the direct interests isn't read as one of them.
    assert [one.id for one in read(written).interests] == ["1", "2"]


def test_a_direct_beneficial_owner_is_marked_where_the_interest_is() -> None:
    parties = [
        {"id": "business", "kind": "business", "name": "Sandbox Bakery Inc.", "businessId": str(BUSINESS_ID)},
        {"id": "jane", "kind": "person", "name": "Jane Doe"},
        {"id": "joe", "kind": "person", "name": "Joe Doe"},
    ]
    interests = [
        {"id": "1", "owner": "jane", "owned": "business", "kind": "shares", "share": {"exact": 0.8}},
        {"id": "2", "owner": "joe", "owned": "business", "kind": "shares", "share": {"min": 0.1, "max": 0.2}},
    ]
    written = write(build_statement(parties=parties, interests=interests))
    flags = [one["recordDetails"]["interests"][0].get("beneficialOwnershipOrControl") for one in written[3:]]
    assert flags == [True, None]


@pytest.mark.parametrize("kind", ["trustee", "settlor", "beneficiary"])
def test_a_direct_owner_of_a_trust_is_marked(kind: str) -> None:
    parties = [
        {"id": "trust", "kind": "trust", "name": "Doe Family Trust", "businessId": str(BUSINESS_ID)},
        {"id": "jane", "kind": "person", "name": "Jane Doe"},
    ]
    interests = [
        {"id": "1", "owner": "jane", "owned": "trust", "kind": kind},
        {"id": "2", "owner": "jane", "owned": "trust", "kind": "control"},
        {"id": "3", "owner": "jane", "owned": "trust", "kind": "shares", "share": {"exact": 0.5}},
    ]
    written = write(build_statement(parties=parties, interests=interests))
    assert [one["recordDetails"]["interests"][0].get("beneficialOwnershipOrControl") for one in written[2:]] == [True] * 3


def test_a_chain_through_benefits_of_a_trust_has_its_components() -> None:
    parties = [
        {"id": "business", "kind": "business", "name": "Sandbox Bakery Inc.", "businessId": str(BUSINESS_ID)},
        {"id": "trust", "kind": "trust", "name": "Doe Family Trust"},
        {"id": "jane", "kind": "person", "name": "Jane Doe"},
    ]
    interests = [
        {"id": "1", "owner": "trust", "owned": "business", "kind": "shares", "share": {"exact": 1}},
        {"id": "2", "owner": "jane", "owned": "trust", "kind": "beneficiary", "share": {"exact": 1}},
    ]
    statement = build_statement(parties=parties, interests=interests)
    written = write(statement)
    components = find(written, "beneficial-owners/jane")["recordDetails"]["componentRecords"]
    assert f"{BUSINESS_ID}/interests/declared/2" in components
    assert read(written) == statement


def test_what_the_standard_has_no_place_for_is_kept_in_annotations() -> None:
    parties = [
        {
            "id": "business",
            "kind": "business",
            "name": "Sandbox Bakery Inc.",
            "businessId": str(BUSINESS_ID),
            "jurisdiction": "CAN",
        },
        {
            "id": "jane",
            "kind": "person",
            "name": "Jane Doe",
            "registrationNumber": "12",
            "jurisdiction": "ON",
            "businessId": "11111111-1111-1111-1111-111111111111",
            "dateOfBirth": "1500",
        },
    ]
    interests = [{"id": "1", "owner": "jane", "owned": "business", "kind": "trustee", "from": "2021-05-03T10:00:00Z"}]
    statement = build_statement(parties=parties, interests=interests, asOf="2030-01-01")
    written = write(statement)
    person, interest = find(written, "parties/jane"), find(written, "interests/declared/1")
    assert "identifiers" not in person["recordDetails"]
    assert "birthDate" not in person["recordDetails"]
    assert interest["recordDetails"]["interests"][0]["type"] == "otherInfluenceOrControl"
    assert {one["statementDate"] for one in written} == {"2026-11-23"}
    assert read(written) == statement


def test_a_band_of_a_single_share_is_exact() -> None:
    assert to_bods_share(ShareBand(min=0.25, max=0.25)) == BodsShare(exact=25.0)


def test_an_edited_value_counts_instead_of_its_annotation() -> None:
    written = write(build_statement())
    jane, ended = find(written, "parties/jane"), find(written, "interests/declared/8")
    ended["recordDetails"]["interests"][0]["endDate"] = "2024-05-02"
    jane["recordDetails"]["birthDate"] = "1976-01"
    business = find(written, "parties/business")
    business["annotations"] = [
        {
            "statementPointerTarget": "/recordDetails",
            "motivation": "transformation",
            "description": "jurisdiction is QC; the standard has no place for it.",
        }
    ]
    statement = read(written)
    assert statement.interests[7].to == "2024-05-01"
    assert {party.id: party for party in statement.parties}["jane"].date_of_birth == "1976-01"
    assert statement.parties[0].jurisdiction == "ON"


def test_several_claimants_keep_their_own_interests() -> None:
    written = write(build_statement(), build_statement(claimedBy="registry", declaredBy=None))
    registry = find(written, "interests/registry/1")
    assert registry["source"]["type"] == ["officialRegister"]
    assert find(written, "interests/declared/1")["source"]["assertedBy"] == [{"name": "Jean Tremblay, director"}]
    with pytest.raises(ValidationFailed) as refused:
        read(written)
    assert refused.value.details[0].path == "claimedBy"


# ---------------------------------------------------------------------------------------------------------------- import


def statement_of(record_type: str, record_id: str, details: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "statementId": f"{record_id:0>32}",
        "statementDate": "2026-04-17",
        "declarationSubject": "acme",
        "source": {"type": ["officialRegister"]},
        "recordId": record_id,
        "recordType": record_type,
        "recordStatus": "new",
        "recordDetails": {"isComponent": False, **details},
        **more,
    }


ACME = statement_of("entity", "acme", {"entityType": {"type": "registeredEntity"}, "name": "Acme Ltd."})
HOLDING = statement_of("entity", "holding", {"entityType": {"type": "registeredEntity"}, "name": "Holding Ltd."})
JANE = statement_of("person", "jane", {"personType": "knownPerson", "names": [{"fullName": "Jane Doe"}]})


def related(
    *interests: Mapping[str, Any], record: str = "r", owner: Any = "jane", subject: Any = "acme", **more: Any
) -> dict[str, Any]:
    details = {"subject": subject, "interestedParty": owner, "interests": list(interests), **more.pop("details", {})}
    return statement_of("relationship", record, details, **more)


def test_a_relationship_with_two_interests_is_two_interests() -> None:
    shares = {"type": "shareholding", "share": {"exact": 75}, "startDate": "2010-01-01", "endDate": "2020-01-01"}
    statement = read([ACME, JANE, related(shares, {"type": "votingRights"})])
    assert (statement.claimed_by, statement.as_of) == (Claimant.REGISTRY, date(2026, 4, 17))
    first, second = statement.interests
    assert (first.id, first.kind, first.from_, first.to) == ("r#1", "shares", "2010-01-01", "2019-12-31")
    assert first.share is not None
    assert first.share.exact == 0.75
    assert (second.id, second.kind, second.share) == ("r#2", "votes", None)
    assert [party.business_id for party in statement.parties] == [BUSINESS_ID, None]


@pytest.mark.parametrize(
    ("bods", "kind", "is_kept"),
    [
        ("appointmentOfBoard", "control", True),
        ("otherInfluenceOrControl", "control", False),
        ("seniorManagingOfficial", "director", True),
        ("protector", "control", True),
        ("nominee", "trustee", True),
        ("nominator", "control", True),
        ("boardChair", "director", True),
        ("boardMember", "director", False),
        ("unknownInterest", "shares", True),
        ("controlByLegalFramework", "control", True),
    ],
)
def test_a_type_without_an_equivalent_is_kept_as_evidence(bods: str, kind: str, is_kept: bool) -> None:  # noqa: FBT001 - a case
    (interest,) = read([ACME, JANE, related({"type": bods, "directOrIndirect": "direct"})]).interests
    assert (interest.kind, interest.evidence) == (kind, f"type: {bods}" if is_kept else None)


@pytest.mark.parametrize(
    "bods",
    [
        "rightsToSurplusAssetsOnDissolution",
        "rightsToProfitOrIncome",
        "enjoymentAndUseOfAssets",
        "rightToProfitOrIncomeFromAssets",
    ],
)
def test_a_right_that_is_neither_ownership_nor_control_is_refused(bods: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        read([ACME, JANE, related({"type": bods})])
    (problem,) = refused.value.details
    assert problem.path == "2.recordDetails.interests.0.type"
    assert bods in problem.message


def test_somebody_unspecified_is_an_unknown_party_with_the_reason() -> None:
    nobody = {"reason": "subjectUnableToConfirmOrIdentifyBeneficialOwner", "description": "None above the threshold"}
    statement = read([ACME, related(record="r", owner=nobody)])
    assert [party.kind for party in statement.parties] == ["business", "unknown"]
    (interest,) = statement.interests
    assert (interest.kind, interest.share) == ("shares", None)
    assert interest.evidence is not None
    assert "subjectUnableToConfirmOrIdentifyBeneficialOwner: None above the threshold" in interest.evidence


def test_an_anonymous_person_is_an_unknown_party() -> None:
    person = statement_of(
        "person",
        "jane",
        {"personType": "anonymousPerson", "unspecifiedPersonDetails": {"reason": "interestedPartyExemptFromDisclosure"}},
    )
    statement = read([ACME, person, related({"type": "shareholding", "share": {"minimum": 25, "exclusiveMaximum": 50}})])
    assert statement.parties[1].kind == "unknown"
    (interest,) = statement.interests
    assert interest.evidence == "interestedPartyExemptFromDisclosure"
    assert interest.share is not None
    assert (interest.share.min, interest.share.max, interest.share.exclusive_max) == (0.25, 0.5, True)


def test_the_latest_statement_of_a_record_counts() -> None:
    old = related({"type": "shareholding", "share": {"exact": 50}})
    new = related({"type": "shareholding", "share": {"exact": 100}}, recordStatus="updated", statementDate="2026-05-01T10:00:00Z")
    statement = read([new, ACME, JANE, old])
    (interest,) = statement.interests
    assert interest.share is not None
    assert (interest.share.exact, statement.as_of) == (1.0, date(2026, 5, 1))


def test_a_closed_relationship_is_left_out_with_its_party() -> None:
    old = related({"type": "shareholding", "share": {"exact": 50}}, owner="holding", record="old")
    closed = {**old, "recordStatus": "closed", "statementDate": "2026-05-01"}
    gone = {**HOLDING, "recordStatus": "closed", "statementDate": "2026-05-01"}
    statement = read([ACME, JANE, HOLDING, old, related({"type": "shareholding", "share": {"exact": 100}}), closed, gone])
    assert [party.id for party in statement.parties] == ["acme", "jane"]
    assert [interest.id for interest in statement.interests] == ["r"]


def test_an_indirect_interest_counts_once() -> None:
    direct = [
        related({"type": "shareholding", "share": {"exact": 50}}, record="a", owner="holding"),
        related({"type": "shareholding", "share": {"exact": 60}}, record="b", subject="holding"),
    ]
    indirect = {"type": "shareholding", "directOrIndirect": "indirect", "share": {"exact": 30}}
    components = related(indirect, record="c", details={"componentRecords": ["a", "b", "holding"]})
    assert [one.id for one in read([ACME, JANE, HOLDING, *direct, components]).interests] == ["a", "b"]
    with pytest.raises(ValidationFailed) as refused:
        read([ACME, JANE, HOLDING, *direct, related(indirect, record="c")])
    assert refused.value.details[0].path == "5.recordDetails.interests.0.directOrIndirect"
    (alone,) = read([ACME, JANE, related(indirect)]).interests
    assert (alone.evidence, alone.owned) == ("directOrIndirect: indirect", "acme")


DIRECT = [
    related({"type": "shareholding", "share": {"exact": 50}}, record="a", owner="holding"),
    related({"directOrIndirect": "unknown"}, record="b", subject="holding"),
]
INDIRECT = {"type": "shareholding", "directOrIndirect": "indirect", "share": {"exact": 50}}
COMPONENTS = {"componentRecords": ["holding", "a", "b"]}


def test_a_direct_interest_beside_an_indirect_one_is_read() -> None:
    both = related(INDIRECT, {**INDIRECT, "directOrIndirect": "direct"}, record="c", details=COMPONENTS)
    interests = read([ACME, JANE, HOLDING, *DIRECT, both]).interests
    assert [(one.id, one.owner, one.owned, one.share.exact if one.share else None) for one in interests] == [
        ("a", "holding", "acme", 0.5),
        ("b", "jane", "holding", None),
        ("c#2", "jane", "acme", 0.5),
    ]


def test_a_claim_beside_an_indirect_interest_is_somebodys() -> None:
    both = related(INDIRECT, {**INDIRECT, "directOrIndirect": "direct"}, record="c", details=COMPONENTS, source={})
    with pytest.raises(ValidationFailed) as refused:
        read([ACME, JANE, HOLDING, *DIRECT, both])
    assert refused.value.details[0].path == "claimedBy"
    derived = related(INDIRECT, record="c", details=COMPONENTS, source={})
    assert len(read([ACME, JANE, HOLDING, *DIRECT, derived]).interests) == 2


DIRECTOR = {"type": "boardMember"}
ENDED = {"type": "shareholding", "endDate": "2020-01-01"}


@pytest.mark.parametrize(
    "components",
    [
        pytest.param(["holding"], id="no relationship"),
        pytest.param(["holding", "a"], id="half of the chain"),
        pytest.param(["holding", "director", "b"], id="a director owns nothing"),
        pytest.param(["holding", "ended", "b"], id="an interest that has ended"),
        pytest.param(["holding", "later", "b"], id="an interest that has not begun"),
        pytest.param(["holding", "closed", "b"], id="a closed record"),
        pytest.param(["c"], id="itself"),
        pytest.param(["d"], id="another sum"),
    ],
)
def test_an_indirect_interest_that_would_be_lost_is_refused(components: list[str]) -> None:
    others = [
        related(DIRECTOR, record="director", owner="holding"),
        related(ENDED, record="ended", owner="holding"),
        related({"type": "shareholding", "startDate": "2027-01-01"}, record="later", owner="holding"),
        related({"type": "shareholding"}, record="closed", owner="holding", recordStatus="closed"),
        related(INDIRECT, record="d", details=COMPONENTS),
    ]
    file = [ACME, JANE, HOLDING, *DIRECT, *others, related(INDIRECT, record="c", details={"componentRecords": components})]
    with pytest.raises(ValidationFailed) as refused:
        read(file)
    assert [problem.path for problem in refused.value.details] == ["10.recordDetails.componentRecords"]


def test_what_has_ended_follows_from_what_has_ended() -> None:
    ended = related(ENDED, record="a", owner="holding")
    past = related({**INDIRECT, "endDate": "2020-01-01"}, record="c", details=COMPONENTS)
    assert [one.id for one in read([ACME, JANE, HOLDING, ended, DIRECT[1], past]).interests] == ["a", "b"]


def test_a_sum_that_is_not_called_indirect_does_not_count_twice() -> None:
    unclear = related({"type": "shareholding", "share": {"exact": 50}}, record="c", details=COMPONENTS)
    with pytest.raises(ValidationFailed) as refused:
        read([ACME, JANE, HOLDING, *DIRECT, unclear])
    assert refused.value.details[0].path == "5.recordDetails.interests.0.directOrIndirect"
    nothing = related(record="c", details=COMPONENTS)
    assert [one.id for one in read([ACME, JANE, HOLDING, *DIRECT, nothing]).interests] == ["a", "b"]


def test_a_director_may_have_an_indirect_interest() -> None:
    file = [ACME, JANE, related(DIRECTOR, record="a"), related(INDIRECT, record="b")]
    assert [one.kind for one in read(file).interests] == ["director", "shares"]


def test_too_many_interests_are_refused_before_they_are_read() -> None:
    interests = [{"type": "shareholding"}] * 100
    # The end that is no record would be refused first.
    relationships = [related(*interests, record=f"r{number}", owner="nobody") for number in range(21)]
    with pytest.raises(ValidationFailed) as refused:
        read([ACME, *relationships])
    assert [problem.path for problem in refused.value.details] == [""]


@pytest.mark.parametrize("field", ["identifiers", "addresses"])
def test_problems_and_lists_are_limited(field: str) -> None:
    wrong = {**ACME["recordDetails"], field: [1] * 1000}
    with pytest.raises(ValidationFailed) as refused:
        read([{**ACME, "recordDetails": wrong, "recordId": f"{number}"} for number in range(100)])
    assert len(refused.value.details) == 20
    with pytest.raises(ValidationFailed) as refused:
        read([{**ACME, "recordDetails": {**ACME["recordDetails"], field: [{}] * 101}}])
    assert [problem.path for problem in refused.value.details] == [f"0.recordDetails.{field}"]


OTHERS_ID = {"identifiers": [{"schemeName": "bonafide business record", "id": "11111111-1111-1111-1111-111111111111"}]}
OWN_ID = {"identifiers": [{"schemeName": "bonafide business record", "id": str(BUSINESS_ID)}]}


def test_a_file_about_another_business_is_refused_unless_the_subject_is_named() -> None:
    other = {**ACME, "recordDetails": {**ACME["recordDetails"], **OTHERS_ID}}
    with pytest.raises(ValidationFailed) as refused:
        read([other])
    assert refused.value.details[0].path == "subject"
    assert read([other], OwnershipFileOptions(subject="acme")).parties[0].business_id == BUSINESS_ID
    own = {**HOLDING, "recordDetails": {**HOLDING["recordDetails"], **OWN_ID}}
    with pytest.raises(ValidationFailed) as refused:
        read([ACME, own], OwnershipFileOptions(subject="acme"))
    assert refused.value.details[0].path == "subject"


def test_the_codes_of_provinces_are_not_those_of_countries() -> None:
    places = [("CA-ON", "ON"), ("CA", "FED"), ("NL", "NLD"), ("CA-NL", "NL"), ("GB", "GB"), ("US-DE", "US-DE"), (None, "Freedonia")]
    for code, jurisdiction in places:
        place = {"name": "Freedonia"} | ({"code": code} if code is not None else {})
        details = {**ACME["recordDetails"], "jurisdiction": place}
        (party,) = read([{**ACME, "recordDetails": details}]).parties
        assert party.jurisdiction == jurisdiction


def test_the_number_of_the_register_comes_before_the_lei() -> None:
    identifiers = [{"scheme": "XI-LEI", "id": "5493008ZYIONF7JPJL24"}, {"schemeName": "Registry", "id": "3268803"}]
    (party,) = read([{**ACME, "recordDetails": {**ACME["recordDetails"], "identifiers": identifiers}}]).parties
    assert party.registration_number == "3268803"


def test_options_count_instead_of_the_file() -> None:
    options = OwnershipFileOptions(claimed_by=Claimant.DOCUMENT, as_of=date(2026, 6, 1), declared_by="Jane Doe", subject="holding")
    statement = read([ACME, HOLDING], options)
    assert (statement.claimed_by, statement.as_of, statement.declared_by) == (Claimant.DOCUMENT, date(2026, 6, 1), "Jane Doe")
    assert [party.business_id for party in statement.parties] == [None, BUSINESS_ID]


@pytest.mark.parametrize(
    ("given_statements", "path"),
    [
        ([{**ACME, "declarationSubject": "a"}, {**HOLDING, "declarationSubject": "b"}], "subject"),
        ([JANE], "subject"),
        ([{**ACME, "source": {}}], "claimedBy"),
        ([{**ACME, "recordType": "company"}], "0.recordType"),
        ([{"statementType": "entityStatement", **ACME}], "0.statementType"),
        ([ACME | {"statementId": "short"}], "0.statementId"),
        ([], ""),
        ([ACME, 7], "1"),
        ([{**ACME, "statementDate": "yesterday"}], "0.statementDate"),
        (
            [{**ACME, "publicationDetails": {"publicationDate": "2020-01-01", "bodsVersion": "0.3", "publisher": {"name": "X"}}}],
            "0.publicationDetails.bodsVersion",
        ),
        ([ACME, JANE, related(owner="nobody")], "2.recordDetails.interestedParty"),
        ([ACME, JANE, related(subject="jane", owner="acme")], "2.recordDetails"),
        ([ACME, JANE, related(subject={"reason": "unknown"})], "2.recordDetails.subject"),
        ([ACME, JANE, related({"type": "shareholding", "share": {"exact": 101}})], "2.recordDetails.interests.0.share.exact"),
        ([ACME, JANE, related({"type": "shareholding", "share": {"exact": "5"}})], "2.recordDetails.interests.0.share.exact"),
        (
            [ACME, JANE, related({"type": "shareholding", "share": {"exact": 9, "minimum": 10}})],
            "2.recordDetails.interests.0.share.exact",
        ),
        ([ACME, JANE, related({"type": "shareholder"})], "2.recordDetails.interests.0.type"),
        ([ACME, {**JANE, "recordDetails": {"isComponent": False, "personType": "knownPerson"}}], "1.recordDetails.names"),
        ([ACME, {**JANE, "recordId": "acme"}], "1.recordId"),
        (
            [
                ACME,
                JANE,
                HOLDING,
                related({"type": "shareholding", "share": {"exact": 60}}),
                related({"type": "shareholding", "share": {"exact": 60}}, record="s", owner="holding"),
            ],
            "4.recordDetails.interests.0",
        ),
    ],
)
def test_a_refusal_names_the_place(given_statements: list[Any], path: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        read(given_statements)
    assert path in [problem.path for problem in refused.value.details]


@pytest.mark.parametrize(
    "content", [b"{", b"\xff", b"[" * 100_000, b"[NaN]", b"[-Infinity]", b'[{"a": 1, "a": 2}]', b'{"a": 1}\n{"a": 1, "a": 2}']
)
def test_what_is_not_json_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidJson):
        read_bods(content, SUBJECT, NO_OPTIONS)


def test_one_statement_per_line_is_read_too() -> None:
    lines = "\n".join(json.dumps(one) for one in (ACME, JANE))
    assert len(read_bods(lines.encode(), SUBJECT, NO_OPTIONS).to_statement().parties) == 2


def test_only_a_line_feed_ends_a_line() -> None:
    named = {**ACME, "recordDetails": {**ACME["recordDetails"], "details": "one\u2028two\x85three"}}
    lines = "\n".join(json.dumps(one, ensure_ascii=False) for one in (named, JANE))
    assert len(read_bods(lines.encode(), SUBJECT, NO_OPTIONS).to_statement().parties) == 2
