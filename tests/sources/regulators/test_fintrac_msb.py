"""Money services businesses: names under labels, services on lines, and numbers that lead to the registers."""

import csv
import io
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ParseFailed, SourceNotFound
from bonafide.model.entity import StatusCode
from bonafide.model.entry import JoinNumber
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.regulators.fintrac_msb.source import split_names, split_services
from bonafide_sandbox.publisher_faults import ChallengePageFault, ChangedHeaderFault, GarbageFault, PublisherFault, StatusFault
from bonafide_sandbox.writers.formats.xlsx import XlsxFile
from tests.support.sources.regulator_files import Loaded, assert_golden, load
from tests.support.sources.served_publisher import fetched, parsed

KEY = "fintracMsb"
SAVED = Path(__file__).parent / KEY / "reg-eng.csv"


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(KEY, SAVED)


def test_the_table_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, SAVED.with_name("reg-eng.golden.json"))


@pytest.mark.parametrize(
    ("cell", "legal", "others"),
    [
        ("Legal Name: Foo, Inc., \r\nOperating Name: Bar, \r\nOperating Name: Baz", "Foo, Inc.", ["Bar", "Baz"]),
        ("Legal Name: Foo, Inc., Operating Name: Bar", "Foo, Inc.", ["Bar"]),
        ("Operating Name: Bar, Legal Name: Foo Ltd.", "Foo Ltd.", ["Bar"]),
        ("Legal Name: Foo Ltd., Operating Name: Foo Ltd.", "Foo Ltd.", []),
        ("Legal Name: Foo Ltd., Operating Name: ", "Foo Ltd.", []),
        ("Foo Ltd.", "Foo Ltd.", []),
        ("LEGAL NAME : Legal Names Unlimited Inc.", "Legal Names Unlimited Inc.", []),
    ],
)
def test_a_cell_of_names_is_cut_at_its_labels_alone(cell: str, legal: str, others: list[str]) -> None:
    assert split_names(cell) == (legal, others)


def test_services_are_cut_at_lines_or_at_commas_before_a_capital() -> None:
    orders = "Issuing or redeeming money orders, traveller's cheques or similar instruments"
    assert split_services(f"{orders}\nMoney transferring") == [orders, "Money transferring"]
    assert split_services(f"{orders}, Money transferring; Foreign exchange dealing,") == [
        orders,
        "Money transferring",
        "Foreign exchange dealing",
    ]
    assert split_services(None) == []


def test_the_incorporation_number_leads_to_the_register_and_a_foreign_one_nowhere(loaded: Loaded) -> None:
    [number] = loaded.named("Foo Exchange, Inc.").join_numbers
    assert number == JoinNumber(label="Ontario Corporation Number", value="1000017", jurisdiction=Jurisdiction.ON)
    foreign = loaded.named("Delaware Coins LLC")
    assert (foreign.join_numbers, foreign.details["incorporationNumber"]) == ((), "5550001")


def test_the_labels_are_those_of_the_registers() -> None:
    terms = get_source(KEY).metadata.terms
    for jurisdiction in Jurisdiction:
        assert terms[jurisdiction.value] == get_source(jurisdiction.value).metadata.number_label


def test_rows_of_one_registration_are_one_entry(loaded: Loaded) -> None:
    entry = loaded.named("Foo Exchange, Inc.")
    assert entry.alternate_names == ("Foo FX", "Foo, Bar & Daughters", "Foo Transfers")
    assert [address.raw for address in entry.addresses] == [
        "Suite 9, 150 Invented Street, Toronto, ON, M5H 3S5",
        "22 Other Road, Ottawa, ON, K1A 0B1",
    ]
    assert loaded.report.merged == 1


def test_a_registration_that_has_ended_stays_and_says_so(loaded: Loaded) -> None:
    codes = {entry.legal_name: entry.status_code for entry in loaded.entries}
    assert codes["9000-0017 QUÉBEC INC."] is StatusCode.INACTIVE
    assert codes["Delaware Coins LLC"] is StatusCode.CANCELLED
    assert codes["A Name Without Label Ltd."] is StatusCode.UNKNOWN
    assert loaded.report.unknown_terms == {"status: Paused": 1}


def test_whoever_was_refused_has_no_number_and_is_known_by_name(loaded: Loaded) -> None:
    denied = loaded.named("Denied Moneychangers Ltd.")
    assert (denied.entry_id, denied.registration_number) == ("denied moneychangers ltd. | ", None)


def test_rows_that_can_not_be_read_are_rejected_with_their_line(loaded: Loaded) -> None:
    reasons = [rejection.reason for rejection in loaded.report.rejections]
    assert reasons == ["Organization Names (Legal and Operating) is empty", "'04/05/2021' is not a date"]
    assert [rejection.line for rejection in loaded.report.rejections] == [15, 16]


def test_a_registration_is_no_endorsement_and_the_operator_is_told_so(loaded: Loaded) -> None:
    assert loaded.report.notes == ["Terms of Canada.ca: According to the publisher, registration is not an endorsement."]


def test_the_workbook_says_the_same_but_for_lines(loaded: Loaded, tmp_path: Path) -> None:
    rows = list(csv.reader(io.StringIO(SAVED.read_text(encoding="utf-8-sig"), newline="")))
    rows[0][2] = "Website\r\n"
    book = XlsxFile(tmp_path / "reg-eng.xlsx")
    for row in rows:
        book.write([cell.replace("traveller's cheques or similar instruments\r\n", "traveller's cheques, ") for cell in row])
    book.close()
    found = load(KEY, tmp_path / "reg-eng.xlsx")
    assert [(e.entry_id, e.alternate_names, e.join_numbers) for e in found.entries] == [
        (e.entry_id, e.alternate_names, e.join_numbers) for e in loaded.entries
    ]


def test_a_missing_column_refuses_the_file_and_a_new_one_does_not(tmp_path: Path, loaded: Loaded) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_text(SAVED.read_text(encoding="utf-8-sig").replace("MSB Registration Status", "Status"), encoding="utf-8-sig")
    with pytest.raises(ParseFailed, match="missing columns: MSB Registration Status"):
        load(KEY, changed)
    assert "Something New" in SAVED.read_text(encoding="utf-8-sig")


@pytest.mark.anyio
async def test_the_made_up_registry_is_fetched_and_read_whole(live_world: Path, tmp_path: Path) -> None:
    [resource] = await fetched(KEY, live_world, tmp_path)
    entries, report = parsed(KEY, [resource])
    with (live_world / "fintracMsb/reg-eng.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert (report.rows, report.rejected, dict(report.unknown_terms)) == (len(rows), 0, {})
    for entry, row in zip(entries, rows, strict=True):
        assert entry.registration_number == row["MSB Registration Number"]
        assert entry.status == row["MSB Registration Status"]
        assert [number.value for number in entry.join_numbers] == [row["Incorporation Number"]]
        assert f"Legal Name: {entry.legal_name}" in row["Organization Names (Legal and Operating)"]
    [fixed] = [entry for entry in entries if entry.legal_name == "Sandbox Money Services Inc."]
    assert fixed.join_numbers == (JoinNumber(label="Corporation Number", value="1000066", jurisdiction=Jurisdiction.FED),)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (StatusFault(410), SourceNotFound),
        (ChallengePageFault(), ParseFailed),
        (GarbageFault(), ParseFailed),
        (ChangedHeaderFault(), ParseFailed),
    ],
    ids=["moved", "a page for people", "garbage", "another header"],
)
async def test_what_goes_wrong_is_told(live_world: Path, tmp_path: Path, fault: PublisherFault, error: type[BonafideError]) -> None:
    with pytest.raises(error):
        parsed(KEY, await fetched(KEY, live_world, tmp_path, {"registry": fault}))
