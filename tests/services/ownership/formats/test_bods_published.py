"""Published data of the standard: fixtures are imported or refused with a reason, and exports pass the published validator.

The fixtures of `bods-v04-fixtures` are a development dependency. Those of the standard itself, and the validator, are optional:
`BONAFIDE_TEST_BODS_STANDARD` is a checkout of openownership/data-standard, `BONAFIDE_TEST_LIBCOVEBODS` is described in
`tests/support/bods.py`.
"""

import os
from pathlib import Path

import pytest
from hypothesis import given

from bonafide.errors import ApiError, ValidationFailed
from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import Claimant, OwnershipStatement
from bonafide.services.ownership.formats.bods_export import list_bods_statements, write_bods
from bonafide.services.ownership.formats.bods_import import read_bods
from tests.support import bods
from tests.support.ownership_files import SUBJECT, build_answer, build_statement, statements
from tests.support.sampling import examples

STANDARD = os.environ.get("BONAFIDE_TEST_BODS_STANDARD")
DOCUMENT = OwnershipFileOptions(claimed_by=Claimant.DOCUMENT)
needs_validator = pytest.mark.skipif(not bods.is_installed(), reason=bods.MISSING)
needs_standard = pytest.mark.skipif(STANDARD is None, reason="BONAFIDE_TEST_BODS_STANDARD names no checkout of the standard")


def import_file(content: bytes, options: OwnershipFileOptions = DOCUMENT) -> OwnershipStatement | ValidationFailed:
    """The statement, or the refusal."""
    try:
        return read_bods(content, SUBJECT, options).to_statement()
    except ValidationFailed as refused:
        return refused


def test_every_fixture_imports() -> None:
    fixtures = pytest.importorskip("bods_fixtures", reason="bods-v04-fixtures is not installed")
    folder = Path(fixtures.__file__).parent / "data"
    files = sorted(folder.rglob("*.json"))
    assert files
    circular = OwnershipFileOptions(claimed_by=Claimant.DOCUMENT, subject="rec-alpha-corp")
    for file in files:
        read = import_file(file.read_bytes(), circular if "circular" in file.name else DOCUMENT)
        assert isinstance(read, OwnershipStatement), f"{file.name}: {read}"
        assert read.interests


@needs_standard
def test_every_example_of_the_standard_imports_or_says_why_not() -> None:
    refused = {}
    files = sorted((Path(str(STANDARD)) / "examples").glob("*.json"))
    assert files
    for file in files:
        read = import_file(file.read_bytes())
        if isinstance(read, ValidationFailed):
            refused[file.stem] = read.details[0].path
            assert read.details[0].message
    # A state body that another one controls: governments are where chains end.
    assert refused == {"bods-package-fi-soe": "7.recordDetails.interests.0"}


@needs_standard
def test_every_invalid_statement_of_the_standard_is_refused() -> None:
    files = sorted((Path(str(STANDARD)) / "tests" / "data" / "invalid-statements").glob("*.json"))
    assert files
    for file in files:
        with pytest.raises(ApiError):
            read_bods(file.read_bytes(), SUBJECT, DOCUMENT).to_statement()


@needs_validator
def test_the_published_schema_and_validator_accept_every_term(tmp_path: Path) -> None:
    answer = build_answer([build_statement(), build_statement(claimedBy="registry", declaredBy=None)])
    file = tmp_path / "ownership.json"
    file.write_bytes(write_bods(answer, "North Inc."))
    assert bods.list_schema_problems(list_bods_statements(answer, "North Inc.")) == []
    assert bods.list_validator_problems(file) == []


@needs_validator
@given(statements())
@examples(60)
def test_the_published_schema_accepts_arbitrary_statements(statement: OwnershipStatement) -> None:
    assert bods.list_schema_problems(list_bods_statements(build_answer([statement]), "North Inc.")) == []


@needs_validator
def test_the_validator_finds_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "ownership.json"
    file.write_bytes(write_bods(build_answer([build_statement()]), "North Inc.").replace(b'"declarationSubject"', b'"subject"'))
    assert bods.list_validator_problems(file) != []
