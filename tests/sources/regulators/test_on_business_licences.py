"""Licences of Ontario's consumer services: branches of one licence, cells that say that there is nothing, files of people."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ParseFailed, SourceError, SourceNotFound
from bonafide.model.entity import Address, StatusCode
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    ChangedHeaderFault,
    FixedResponseFault,
    GarbageFault,
    PublisherFault,
    StatusFault,
)
from bonafide_sandbox.writers.regulators.on_licences import URL, OntarioLicencesWriter
from tests.support.sources.regulator_files import Loaded, assert_golden, load
from tests.support.sources.served_publisher import addresses, fetched, parsed

KEY = "onBusinessLicences"
SAVED = Path(__file__).parent / KEY / "business.csv"
LISTED, DATA = (target.resource for target in OntarioLicencesWriter.targets)


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(KEY, SAVED)


def portal(*files: tuple[str, str, str]) -> FixedResponseFault:
    listed = [dict(zip(("name", "format", "url"), file, strict=True)) for file in files]
    return FixedResponseFault(json.dumps({"result": {"resources": listed}}).encode())


def test_the_file_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, SAVED.with_name("business.golden.json"))


def test_the_branches_of_a_licence_are_one_entry_with_the_last_day_of_all(loaded: Loaded) -> None:
    entry = loaded.named("Example Cash Advance Inc.")
    assert (entry.registration_number, entry.alternate_names) == ("4700001", ("Quick Dollars",))
    assert [address.street for address in entry.addresses] == ["1135-b Invented Road", "1900 Other Line, Unit 5a"]
    assert (entry.details["branchCount"], entry.details["expiryDate"]) == (3.0, "2027-04-22")
    assert (entry.details["telephone"], entry.details["email"]) == ("9055550101", "office@cash.example")
    assert loaded.report.merged == 2


def test_the_words_for_nothing_are_nothing(loaded: Loaded) -> None:
    entry = loaded.named("Sample Bailiffs Ltd.")
    assert set(entry.details) == {"licenceType", "branchCount"}
    assert (entry.alternate_names, entry.status_code) == ((), StatusCode.ACTIVE)
    assert loaded.named("Halted Loans Ltd.").addresses == ()


def test_provinces_have_their_letters_and_what_is_elsewhere_stays_as_it_is(loaded: Loaded) -> None:
    [gatineau] = loaded.named("Recouvrement Exemple inc.").addresses
    assert (gatineau.province, gatineau.country) == ("QC", "CA")
    raw = "100 Beach Drive, Miami, Florida, United States"
    assert loaded.named("Faraway Collections LLC").addresses == (
        Address(street="100 Beach Drive", city="Miami", province="Florida", country="United States", raw=raw),
    )


def test_a_licence_past_its_last_day_keeps_the_status_that_the_list_gives_it(loaded: Loaded) -> None:
    entry = loaded.named("Faraway Collections LLC")
    assert (entry.status, entry.status_code, entry.details["expiryDate"]) == ("Issued", StatusCode.ACTIVE, "2020-07-05")


def test_a_licence_without_a_number_is_known_by_name_and_type(loaded: Loaded) -> None:
    entry = loaded.named("Numberless Credit Reports Inc.")
    assert (entry.entry_id, entry.registration_number) == ("numberless credit reports inc. | consumer reporting agency", None)


def test_an_unknown_status_is_counted(loaded: Loaded) -> None:
    assert loaded.report.unknown_terms == {"status: Paused": 1}


def test_rows_that_can_not_be_read_are_rejected_with_their_line(loaded: Loaded) -> None:
    assert [(rejection.line, rejection.reason) for rejection in loaded.report.rejections] == [
        (10, "Legal Name is empty"),
        (11, "'some day' is not a date"),
        (12, "the row has 2 cells, the header has 14"),
    ]


def test_the_file_of_people_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "individual.csv"
    header, *rows = SAVED.read_text(encoding="utf-8-sig").splitlines()
    people = [f"First name,Last name,{header.replace('Licence status,', '')}", *(f"Jane,Invented,{row}" for row in rows)]
    path.write_text("\n".join(people), encoding="utf-8")
    with pytest.raises(ParseFailed, match="missing columns: Licence status; unknown columns: First name, Last name"):
        load(KEY, path)


@pytest.mark.anyio
async def test_the_newest_file_of_businesses_is_fetched_and_read_whole(live_world: Path, tmp_path: Path) -> None:
    [resource] = await fetched(KEY, live_world, tmp_path)
    assert (resource.name, resource.url) == (DATA, URL)
    entries, report = parsed(KEY, [resource])
    [written] = (live_world / KEY).glob("*.csv")
    with written.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert (report.rows, report.rejected, dict(report.unknown_terms)) == (len(rows), 0, {})
    branches = Counter(row["Licence number"] for row in rows)
    assert {entry.entry_id: entry.details["branchCount"] for entry in entries} == branches
    assert {entry.legal_name for entry in entries} == {row["Legal Name"].strip() for row in rows}
    assert {name for entry in entries for name in entry.alternate_names} == {
        row["Operating name"] for row in rows if row["Operating name"] not in {"N/A", row["Legal Name"].strip()}
    }


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (StatusFault(404), SourceNotFound),
        (ChallengePageFault(), ParseFailed),
        (GarbageFault(), ParseFailed),
        (ChangedHeaderFault(), ParseFailed),
        (FixedResponseFault(b"", "text/csv"), ParseFailed),
    ],
    ids=["moved", "a page for people", "garbage", "another header", "empty"],
)
async def test_what_is_wrong_with_the_file_is_told(
    live_world: Path, tmp_path: Path, fault: PublisherFault, error: type[BonafideError]
) -> None:
    with pytest.raises(error):
        parsed(KEY, await fetched(KEY, live_world, tmp_path, {DATA: fault}))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (StatusFault(403), "refused the request"),
        (ChallengePageFault(), "unexpected response"),
        (portal(("November 2026 Individual", "CSV", URL)), "lists no CSV file"),
        (portal(("November 2026 Business", "XLSX", URL)), "lists no CSV file"),
        (portal(("Smarch 2026 Business", "CSV", URL)), "lists no CSV file"),
        (portal(("November 2026 Business", "CSV", "https://elsewhere.example/business.csv")), "outside the domain ontario.ca"),
    ],
    ids=["refused", "a page for people", "people", "a workbook", "no month", "elsewhere"],
)
async def test_a_portal_that_does_not_lead_to_the_file_is_told(
    live_world: Path, tmp_path: Path, fault: PublisherFault, told: str
) -> None:
    assert set(addresses(KEY, live_world)) == {LISTED, DATA}
    with pytest.raises(SourceError, match=told):
        await fetched(KEY, live_world, tmp_path, {LISTED: fault})
