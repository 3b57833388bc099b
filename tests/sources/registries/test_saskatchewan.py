"""The corporate notices of the Saskatchewan Gazette, as real PDF files made by the test."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import ParseReport
from tests.support.sources.notice_issues import Cells, pdf

Parsed = Callable[..., tuple[list[RegistryEntry], ParseReport]]
HERE = Path(__file__).parent / "sk"
A, B, C, D = 50, 220, 270, 440
SHORT: Cells = ((A, "Name:"), (B, "Date:"))

FIRST: list[str | Cells] = [
    "THE SASKATCHEWAN GAZETTE, MARCH 18, 2022",
    "PUBLIC NOTICES",
    "Something else Mar. 3",
    "CORPORATE REGISTRY NOTICES/AVIS DU REGISTRE DES SOCIÉTÉS",
    "The Business Corporations Act/Loi sur les sociétés par actions",
    "CERTIFICATES OF INCORPORATION/CERTIFICATS DE CONSTITUTION",
    "(2022) ______",
    ((A, "Name/Nom:"), (B, "Date:"), (C, "Mailing Address/"), (D, "Main Type of Business/")),
    ((C, "Adresse postale:"), (D, "Type d'activité principal:")),
    ((A, "102144437 Saskatchewan Inc."), (B, "Mar. 5"), (C, "12 Main St, Regina SK S4P 1A1"), (D, "farming")),
    ((A, "Sample Prairie Wheat"), (B, "Mar. 7"), (C, "Box 12,"), (D, "growing of")),
]
SECOND: list[str | Cells] = [
    ((A, "THE SASKATCHEWAN GAZETTE, MARCH 18, 2022"), (550, "602")),
    ((A, "Growers Ltd."), (C, "Moose Jaw SK S6H 1A1"), (D, "wheat")),
    "CERTIFICATES OF REGISTRATION/CERTIFICATS D'ENREGISTREMENT",
    ((A, "Name/Nom:"), (B, "Date:"), (C, "Jurisdiction/"), (D, "Mailing Address/")),
    ((A, "Sample Elsewhere Ltd."), (B, "Mar. 1"), (C, "Alberta"), (D, "Calgary AB T2P 1G1")),
    "CERTIFICATES OF AMENDMENT/CERTIFICATS DE MODIFICATION",
    ((A, "Name/Nom:"), (B, "Date:"), (C, "Amendment/")),
    ((A, "Sample Old Ltd."), (B, "Jne. 8"), (C, "changed name to Sample New Ltd.")),
    ((A, "Sample Still Ltd."), (B, "Mar. 8"), (C, "changed shares")),
    "CERTIFICATES OF AMALGAMATION/CERTIFICATS DE FUSION",
    ((A, "Name/Nom:"), (B, "Date:"), (C, "Amalgamating"), (D, "Mailing Address/")),
    ((A, "Sample A Ltd."), (B, "Mar. 9"), (C, "Sample A Ltd.; Sample B"), (D, "1 A St, Regina SK S4P 1A1")),
    ((C, "Ltd.; 102144437 Saskatchewan Inc."),),
    "STRUCK OFF THE REGISTER",
    SHORT,
    ((A, "Sample Still Ltd."), (B, "Feb. 30")),
    ((A, "Sample Struck Ltd."), (B, "Feb. 20")),
    "CERTIFICATES OF MOONSHINE/CERTIFICATS DE LUNE",
    SHORT,
    ((A, "Sample Q Ltd."), (B, "Feb. 20")),
    "The Business Names Registration Act/Loi",
    "CERTIFICATES OF REGISTRATION",
    SHORT,
    ((A, "Sample Still Ltd."), (B, "Mar. 1")),
    "PUBLIC NOTICES",
    ((A, "Sample Cattle Brand"), (B, "Mar. 1")),
]
NAME = "G1_2022-03-18_p134480_f900.pdf"


def test_an_issue_gives_the_entries_that_are_written_down(parsed: Parsed, tmp_path: Path) -> None:
    entries, report = parsed("sk", HERE / NAME)
    # The saved file is these pages, in a form that other readers of it can be tried on.
    assert (HERE / NAME).read_bytes() == pdf(tmp_path / NAME, FIRST, SECOND).read_bytes()
    given = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]
    assert given == json.loads((HERE / "entries.json").read_text(encoding="utf-8"))
    assert report.reasons == {"'2022 feb 30' is not a date": 1, "the notice is under an unknown heading": 1}
    assert report.unknown_terms == {"term: CERTIFICATES OF MOONSHINE": 1}


def test_a_name_of_another_act_is_another_business(parsed: Parsed, tmp_path: Path) -> None:
    entries, _ = parsed("sk", pdf(tmp_path / NAME, FIRST, SECOND))
    still = [entry for entry in entries if entry.legal_name == "Sample Still Ltd."]
    assert {entry.entity_type for entry in still} == {"Business Corporation", "Business Name"}


def test_only_companies_called_by_their_number_have_one(parsed: Parsed, tmp_path: Path) -> None:
    entries, _ = parsed("sk", pdf(tmp_path / NAME, FIRST, SECOND))
    assert {entry.entry_id for entry in entries if entry.registration_numbers} == {"102144437"}


def test_an_issue_of_the_old_kind_is_read_by_its_old_headings(parsed: Parsed, tmp_path: Path) -> None:
    old: list[str | Cells] = [
        "CORPORATIONS BRANCH NOTICES ____",
        "The Business Corporations Act",
        "CORPORATIONS STRUCK OFF THE REGISTER",
        ((A, "Name:"), (B, "Date:")),
        "(2009)",
        ((A, "Sample Dust Ltd."), (B, "Dec. 31")),
    ]
    (entry,), _ = parsed("sk", pdf(tmp_path / "G1_2010-01-08.pdf", old))
    assert (entry.legal_name, entry.status_code, entry.source_url) == ("Sample Dust Ltd.", "dissolved", None)


def test_an_issue_without_corporate_notices_is_noted(parsed: Parsed, tmp_path: Path) -> None:
    entries, report = parsed("sk", pdf(tmp_path / NAME, ["PUBLIC NOTICES", "Something else Mar. 3"]))
    assert entries == []
    assert report.notes == [f"{NAME}: the issue has no corporate notices"]


def test_a_file_whose_name_does_not_tell_its_issue_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    with pytest.raises(ParseFailed, match="the file name has no date"):
        parsed("sk", pdf(tmp_path / "gazette.pdf", FIRST))
