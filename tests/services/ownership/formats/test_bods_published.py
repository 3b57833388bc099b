"""Published data of the standard: fixtures are imported or refused with a reason, and exports pass the published validator.

The fixtures of `bods-v04-fixtures` and the validator are described in `tests/support/validators.py`. The examples of the standard
belong to its documentation (GFDL) and are not copied here: `BONAFIDE_TEST_BODS_STANDARD` is a checkout of
openownership/data-standard.
"""

import json
import os
import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given

from bonafide.errors import ValidationFailed
from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import Claimant, OwnershipStatement
from bonafide.services.ownership.formats.bods_export import list_bods_statements, write_bods
from bonafide.services.ownership.formats.bods_import import read_bods
from bonafide.services.ownership.formats.csv_shares import format_share
from tests.support import bods
from tests.support.ownership_files import BUSINESS_ID, SUBJECT, build_answer, build_statement, statements
from tests.support.sampling import examples
from tests.support.validators import find_package

HERE = Path(__file__).parent / "bods_standard"
STANDARD = os.environ.get("BONAFIDE_TEST_BODS_STANDARD")
DOCUMENT = OwnershipFileOptions(claimed_by=Claimant.DOCUMENT)
needs_standard = pytest.mark.skipif(STANDARD is None, reason="BONAFIDE_TEST_BODS_STANDARD names no checkout of the standard")


def import_file(content: bytes, options: OwnershipFileOptions = DOCUMENT) -> OwnershipStatement | ValidationFailed:
    """The statement, or the refusal."""
    try:
        return read_bods(content, SUBJECT, options).to_statement()
    except ValidationFailed as refused:
        return refused


def describe_interests(read: OwnershipStatement) -> list[str]:
    """The ends of each interest, its kind and its share."""
    names = {party.id: party.name or party.kind.value for party in read.parties}
    return [
        f"{names[one.owner]} > {names[one.owned]}: {one.kind}{f' {format_share(one.share)}' if one.share is not None else ''}"
        for one in read.interests
    ]


def test_every_fixture_imports() -> None:
    files = sorted((find_package("bods_fixtures") / "data").rglob("*.json"))
    circular = OwnershipFileOptions(claimed_by=Claimant.DOCUMENT, subject="rec-alpha-corp")
    found = {}
    for file in files:
        read = import_file(file.read_bytes(), circular if "circular" in file.name else DOCUMENT)
        assert isinstance(read, OwnershipStatement), f"{file.name}: {read}"
        found[file.stem] = describe_interests(read)
    assert found == FIXTURES


FIXTURES: dict[str, list[str]] = {
    "01-direct-ownership": ["Jane Smith > Acme Holdings Ltd: shares 75%", "Jane Smith > Acme Holdings Ltd: votes 75%"],
    "10-circular-ownership": ["Alpha Corp Ltd > Beta Corp Ltd: shares 100%", "Beta Corp Ltd > Alpha Corp Ltd: shares 100%"],
    "11-anonymous-person": ["unknown > Opaque Holdings SA: shares"],
}


@needs_standard
def test_every_example_of_the_standard_imports_or_says_why_not() -> None:
    found: dict[str, list[str] | str] = {}
    for file in sorted((Path(str(STANDARD)) / "examples").glob("*.json")):
        read = import_file(file.read_bytes())
        assert isinstance(read, OwnershipStatement) or read.details[0].message
        found[file.stem] = describe_interests(read) if isinstance(read, OwnershipStatement) else read.details[0].path
    assert found == EXAMPLES


EXAMPLES: dict[str, list[str] | str] = {
    "bods-package-annotations": ["DRILLGREAT LIMITED > MONSOON HOLDINGS (NO.1) LIMITED: shares"],
    "bods-package-entity-owning-entity": ["MVJ LIMITED > JENEX LIMITED: shares >=75% - <100%"],
    "bods-package-fi-soe": "7.recordDetails.interests.0",
    "bods-package-linking-annotations": ["Mr Jeremy Hunt > MARE POND PROPERTIES LIMITED: shares >25% - <50%"],
    "bods-package": ["Jennifer Hewitson-Smith > Profitech Ltd: shares 100%"],
    "fermcat": ["Patrick O'Donohue > Fermcat Ltd: shares 100%", "Patrick O'Donohue > Fermcat Ltd: director"],
    "full-pep-declaration": [
        "Michael Hubbard > Platinum Emerald and Plutonim Mining Limited: shares >=25% - <50%",
        "Michael Hubbard > Platinum Emerald and Plutonim Mining Limited: votes >=25% - <50%",
    ],
    "indirect-ownership": ["Company B > Company A: shares 60%", "Person 1 > Company B: shares"],
    "joint-ownership": [
        "Joint shareholding > CHRINON LTD: shares 100%",
        "Natalie Coleman > Joint shareholding: shares 50%",
        "Roberto Lopez > Joint shareholding: shares 50%",
    ],
    "levent": [
        "Andrew Anderson > Levent Trust: trustee",
        "Bella Buxton > Levent Trust: settlor",
        "Bella Buxton > Levent Trust: trustee",
        "unknown > Levent Trust: beneficiary",
    ],
    "listed-company-exempt-from-disclosure": ["unknown > Listed Company OS-17: shares"],
    "mixed-direct-and-indirect-ownership": [
        "Company B > Company A: shares 50%",
        "Person 1 > Company B: shares",
        "Person 1 > Company A: shares 50%",
    ],
    "multiple-indirect-ownership": [
        "Company C > Company B: shares 50%",
        "Company D > Company B: shares 50%",
        "Person 1 > Company C: shares",
        "Person 1 > Company D: shares",
    ],
    "multiple-tax-residencies": ["Logan Morton > Company A: shares 100%"],
    "mutilple-indirect-ownership-2": [
        "Company B > Company A: shares 40%",
        "Company C > Company A: shares 20%",
        "Person 1 > Company B: shares",
        "Person 1 > Company C: shares",
    ],
    "nomination": "7.recordDetails.componentRecords",
    "plc-entity-statement": [],
    "simple-pep-declaration": [
        "Michael Hubbard > Platinum Emerald and Plutonim Mining Limited: shares >=25% - <50%",
        "Michael Hubbard > Platinum Emerald and Plutonim Mining Limited: votes >=25% - <50%",
    ],
    "tecido": ["Shear Trust > Tecido Ltd: shares 80%", "Shear Trust > Tecido Ltd: votes 80%"],
}
"""What is imported of each example, or where it is refused. In nomination, a director is all that leads to the business."""


# ------------------------------------------------------------------------------------------------- statements of the schema

UNREAD = re.compile(
    r"alternateNames|dissolutionDate|foundingDate|formedByStatute|publicListing|politicalExposure|placeOfBirth|deathDate|license|retrievedAt"
    r"|\buri$|\burl$|postCode|addresses\.0\.(type|address)$|createdBy|creationDate|transformedContent|(family|given|patronymic)Name"
)
"""Properties that are not read, so that it does not matter what they contain."""
PERMITTED = {
    "entity_address_country_code_3chars": "any code of a country is kept",
    "entity_identifiers_no_scheme_info": "the number is enough",
    "entity_type_governmentDepartment_arrangement": "the type counts",
    "entity_type_nomination_unknown": "the type counts",
    "entity_type_state_stateAgency": "the type counts",
    "entity_type_trust_registeredentity": "a trust is a trust",
    "publication_details_publisher_no_name_url": "the publisher is not read",
    "statement_annotations_url_linking_missing": "annotations of others are not read",
    "statements_not_array": "a single statement is read",
}
"""Further statements that the schema refuses and the import does not."""
REFUSED = {
    "relationship_component_records": "6.recordDetails.componentRecords",
    "relationship_subject_unspecified_object": "2.recordDetails.subject",
}
"""Valid statements that the import refuses where they are in their file."""
THE_SUBJECT = "the-subject"


def load_statements(kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / f"{kind}.jsonl").read_text("utf-8").splitlines()]


def name_party(record: Any) -> Any:
    """The record with a name, which the schema does not require."""
    details = record.get("recordDetails") if isinstance(record, dict) else None
    if not isinstance(details, dict):
        return record
    if record.get("recordType") == "person" and details.get("personType") == "knownPerson":
        details = {"names": [{"fullName": "Jane Doe"}], **details}
    elif record.get("recordType") == "entity":
        details = {"name": "Acme Ltd.", **details}
    return {**record, "recordDetails": details}


def complete_file(records: Any) -> list[Any]:
    """A file that has what the statements refer to before them, and a business that is the subject."""
    given_records = [name_party(record) for record in (records if isinstance(records, list) else [records])]
    known = {record.get("recordId") for record in given_records}
    ends: dict[str, None] = {THE_SUBJECT: None}
    for record in given_records:
        details = record.get("recordDetails")
        if record.get("recordType") == "relationship" and isinstance(details, dict):
            components = details.get("componentRecords")
            candidates = [
                details.get("subject"),
                details.get("interestedParty"),
                *(components if isinstance(components, list) else []),
            ]
            ends |= {end: None for end in candidates if isinstance(end, str) and end not in known}
    parties = [
        {
            "statementId": f"{end:0>32}",
            "statementDate": "2026-04-17",
            "declarationSubject": THE_SUBJECT,
            "recordId": end,
            "recordType": "entity",
            "recordDetails": {"isComponent": False, "entityType": {"type": "registeredEntity"}, "name": end},
        }
        for end in ends
    ]
    return [*parties, *given_records]


def import_statements(item: dict[str, Any]) -> tuple[int, OwnershipStatement | ValidationFailed]:
    """Where the statement is in its file, and what becomes of the file."""
    file = complete_file(item["statements"])
    return len(file) - 1, import_file(json.dumps(file).encode(), DOCUMENT.model_copy(update={"subject": THE_SUBJECT}))


@pytest.mark.parametrize("item", [pytest.param(item, id=item["name"]) for item in load_statements("invalid")])
def test_an_invalid_statement_is_refused_at_what_is_wrong(item: dict[str, Any]) -> None:
    index, read = import_statements(item)
    expected = [re.sub(r"\[(\d+)\]", r".\1", error.removeprefix("$[0]")) for error in item["errors"]]
    if item["name"] in PERMITTED or all(UNREAD.search(path) for path in expected):
        assert isinstance(read, OwnershipStatement), read
    else:
        assert isinstance(read, ValidationFailed)
        assert any(problem.path.startswith(f"{index}{path}") for problem in read.details for path in expected), (
            expected,
            read.details,
        )


@pytest.mark.parametrize("item", [pytest.param(item, id=item["name"]) for item in load_statements("valid")])
def test_a_valid_statement_is_read(item: dict[str, Any]) -> None:
    _, read = import_statements(item)
    if item["name"] in REFUSED:
        assert isinstance(read, ValidationFailed)
        assert [problem.path for problem in read.details] == [REFUSED[item["name"]]]
    else:
        assert isinstance(read, OwnershipStatement), read


# --------------------------------------------------------------------------------------------------------------- exports


@pytest.mark.slow
def test_the_published_schema_and_validator_accept_every_term(tmp_path: Path) -> None:
    answer = build_answer([build_statement(), build_statement(claimedBy="registry", declaredBy=None)])
    file = tmp_path / "ownership.json"
    file.write_bytes(write_bods(answer, "North Inc."))
    assert bods.list_schema_problems(list_bods_statements(answer, "North Inc.")) == []
    assert bods.list_validator_problems(file) == []


@given(statements())
@examples(60)
def test_the_published_schema_accepts_arbitrary_statements(statement: OwnershipStatement) -> None:
    assert bods.list_schema_problems(list_bods_statements(build_answer([statement]), "North Inc.")) == []


@pytest.mark.slow
def test_the_published_validator_accepts_arbitrary_statements(tmp_path: Path) -> None:
    batch: list[dict[str, Any]] = []

    @given(statements())
    @examples(200)
    def collect(statement: OwnershipStatement) -> None:
        number = len(batch)
        written = json.dumps(list_bods_statements(build_answer([statement]), "North Inc."))
        found = json.loads(written.replace(str(BUSINESS_ID), str(UUID(int=number))))
        batch.extend({**one, "statementId": f"{one['statementId']}-{number}"} for one in found)

    collect()
    file = tmp_path / "ownership.json"
    file.write_text(json.dumps(batch), "utf-8")
    assert bods.list_validator_problems(file) == []


@pytest.mark.slow
def test_the_validator_finds_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "ownership.json"
    file.write_bytes(write_bods(build_answer([build_statement()]), "North Inc.").replace(b'"declarationSubject"', b'"subject"'))
    assert bods.list_validator_problems(file) != []
