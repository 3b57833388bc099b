"""The data files of the package: every label in both languages, and no character without a glyph."""

import json
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path

import pytest
import typst
import yaml
from pydantic.alias_generators import to_camel

import bonafide.pdf
from bonafide.i18n.language import Language
from bonafide.model.entity import EntityTypeCode, Part, RoleCategory, StatusCode
from bonafide.model.entry import EntityKind, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.ownership.discrepancies import RegisterEntry
from bonafide.model.ownership.roll_up import DeemedStatus
from bonafide.model.search.match import FieldStatus, Relation
from bonafide.model.search.result import CheckErrors, CoverageStatus, SelectionStatus
from bonafide.model.search.website import FoundBy, WebsiteStatus
from bonafide.model.verification.results import CheckStatus, ResultStatus, Thresholds
from bonafide.pdf.print_models import GoodStandingStatus
from bonafide.pdf.render import FILES, escape_undisplayable, load_labels

PACKAGE = Path(bonafide.pdf.__path__[0])
READ = [yaml.safe_load((PACKAGE / "templates" / name).read_text(encoding="utf-8")) for name in FILES]
LABELS = {group: labels for file in READ for group, labels in file.items()}
RANGES = yaml.safe_load((PACKAGE / "characters.yml").read_text(encoding="utf-8"))
STYLES = (
    'font: ("Libertinus Serif", "DejaVu Sans Mono")',
    'font: ("Libertinus Serif", "DejaVu Sans Mono"), weight: 600',
    'font: ("Libertinus Serif", "DejaVu Sans Mono"), weight: 700',
    'font: ("Libertinus Serif", "DejaVu Sans Mono"), style: "italic"',
    'font: "DejaVu Sans Mono"',
)
KEYED_BY_DATA = {
    "caseStatus",
    "check",
    "compared",
    "coverage",
    "deemed",
    "detail",
    "differenceKind",
    "discrepancyStatus",
    "dismissalStatus",
    "entityType",
    "fieldName",
    "fieldStatus",
    "foundBy",
    "gap",
    "interestKind",
    "jurisdiction",
    "manualCheckStatus",
    "missing",
    "monitoringEvent",
    "months",
    "nameType",
    "numberLabel",
    "origin",
    "ownershipRegister",
    "ownershipReview",
    "packDetail",
    "packSection",
    "partyKind",
    "relation",
    "result",
    "riskRating",
    "role",
    "roleTitle",
    "route",
    "screeningOutcome",
    "searchStatus",
    "selection",
    "sourceKind",
    "standing",
    "status",
    "subjectRole",
    "unpublished",
    "verificationState",
    "websiteStatus",
}
"""Groups whose labels are looked up by a code of the data."""
LETTERS = "aZéЯωאب1⟨"


def characters(*scripts: str) -> Iterator[str]:
    for first_last in (pair for script in scripts or RANGES for pair in RANGES[script]):
        first, last = (int(code, 16) for code in first_last.split("-"))
        yield from (chr(code) for code in range(first, last + 1))


def typeset(texts: Iterable[str], style: str) -> bytes:
    """Fails where a text has a character without a glyph."""
    source = '#set document(title: "T")\n#set text(' + style + ")\n#for words in json(bytes(sys.inputs.texts)) [#words \\ ]"
    texts = json.dumps(list(texts))
    return typst.compile(
        source.encode(), ignore_system_fonts=True, format="pdf", sys_inputs={"texts": texts}, pdf_standards=["a-2b", "ua-1"]
    )


@pytest.mark.parametrize("language", Language)
def test_every_label_has_text_in_both_languages(language: Language) -> None:
    labels = json.loads(load_labels(language))
    texts = [text for label in labels.values() for text in (label.values() if isinstance(label, dict) else [label])]
    assert all(text.strip() for text in texts)
    assert [text for text in texts if escape_undisplayable(text) != text] == []


def test_every_label_is_used_by_a_template() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in sorted((PACKAGE / "templates").glob("*.typ")))
    quoted = set(re.findall(r'"([\w.]+)"', source))
    for key in json.loads(load_labels(Language.ENGLISH)):
        group, _, name = key.partition(".")
        assert key in quoted or group in KEYED_BY_DATA or (f"{group}." in quoted and name in quoted), key


def test_no_group_of_labels_is_in_two_files() -> None:
    assert len(LABELS) == sum(len(file) for file in READ)


@pytest.mark.parametrize(
    ("group", "codes"),
    [
        ("coverage", CoverageStatus),
        ("deemed", DeemedStatus),
        ("selection", SelectionStatus),
        ("relation", Relation),
        ("partyKind", EntityKind),
        ("websiteStatus", WebsiteStatus),
        ("foundBy", FoundBy),
        ("result", ResultStatus),
        ("status", StatusCode),
        ("standing", GoodStandingStatus),
        ("route", Route),
        ("entityType", EntityTypeCode),
        ("role", RoleCategory),
        ("unpublished", Part),
        ("jurisdiction", Jurisdiction),
    ],
)
def test_every_code_has_a_word(group: str, codes: type[StrEnum]) -> None:
    assert set(LABELS[group]) == {code.value for code in codes}


def test_the_register_that_a_review_has_by_default_has_a_name() -> None:
    assert set(LABELS["ownershipRegister"]) == {RegisterEntry.model_fields["name"].default}


def test_every_outcome_of_a_comparison_has_a_word() -> None:
    assert set(LABELS["fieldStatus"]) == {status.value for status in (*FieldStatus, *CheckStatus)}


def test_every_check_and_kind_of_source_has_a_name() -> None:
    assert set(LABELS["check"]) == {to_camel(name) for name in CheckErrors.model_fields}
    assert set(LABELS["sourceKind"]) >= {kind.value for kind in SourceKind}


def test_every_field_that_is_compared_has_a_name() -> None:
    assert set(LABELS["fieldName"]) >= {to_camel(name) for name in Thresholds.model_fields}


def test_jurisdictions_are_called_what_they_are_called_elsewhere() -> None:
    for code, label in LABELS["jurisdiction"].items():
        assert Jurisdiction(code).label == label
    for key, label in json.loads(load_labels(Language.FRENCH)).items():
        if key.startswith("jurisdiction."):
            assert Jurisdiction.parse(label) == key.removeprefix("jurisdiction.")


@pytest.mark.parametrize("style", STYLES)
def test_the_fonts_have_every_character_of_the_table(style: str) -> None:
    assert typeset(characters(), style).startswith(b"%PDF-")


def test_the_fonts_lack_a_character_that_the_table_leaves_out() -> None:
    with pytest.raises(typst.TypstError, match="could not be displayed"):
        typeset("ᐃ", STYLES[0])


@pytest.mark.parametrize("style", STYLES[:-1])
def test_letters_take_every_mark_of_the_table(style: str) -> None:
    marked = [letter + mark * 2 for mark in characters("marks") for letter in LETTERS]
    assert typeset(marked, style).startswith(b"%PDF-")


def test_invisible_characters_are_never_let_through() -> None:
    for hidden in "\u200b\u200e\u202e\u2066\ufeff\u034f\u00ad\u061c":
        assert hidden not in escape_undisplayable(f"a{hidden}b")
