"""Businesses by the classes of Ontario's workers' insurance: many rows a business, two columns of one name, a page of links."""

import csv
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ParseFailed, SourceNotFound
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    ChangedHeaderFault,
    GarbageFault,
    PublisherFault,
    ReplacedFileFault,
    StatusFault,
)
from bonafide_sandbox.writers.regulators.wsib import EDITION
from tests.support.sources.regulator_files import Loaded, assert_golden, load
from tests.support.sources.served_publisher import fetched, parsed

KEY = "wsibClassifications"
SAVED = Path(__file__).parent / KEY / "BusinessClassificationDetails(2025).csv"
ROOFING = "INVENTED ROOFING LTD. | 12 SAMPLE ST, TORONTO, ON, M5V 1A1"


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(KEY, SAVED)


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    path = folder / name
    path.write_text(SAVED.read_text(encoding="utf-8-sig").replace(old, new), encoding="utf-8-sig")
    return path


def test_the_file_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, SAVED.with_name("classifications.golden.json"))


def test_the_rows_of_a_business_are_one_entry_wherever_they_stand(loaded: Loaded) -> None:
    [entry] = [entry for entry in loaded.entries if entry.entry_id == ROOFING]
    assert (entry.legal_name, entry.alternate_names) == ("INVENTED ROOFING LTD.", ("TOP HATS", "HATS & GUTTERS"))
    assert entry.details["classifications"] == [
        "G3 Foundation, structure and building exterior construction: 238160 Roofing contractors",
        "G5 Specialty trades construction: 238390 Other building finishing contractors",
    ]
    assert (entry.details["naicsCodes"], entry.details["classCodes"]) == (["238160", "238390"], ["G3", "G5"])
    assert loaded.report.merged == 3


def test_the_same_name_elsewhere_is_another_business(loaded: Loaded) -> None:
    assert len([entry for entry in loaded.entries if entry.legal_name == "INVENTED ROOFING LTD."]) == 2


def test_a_listing_has_no_number_and_its_status_is_marked_as_derived(loaded: Loaded) -> None:
    assert {entry.registration_number for entry in loaded.entries} == {None}
    assert {(entry.status, entry.details["statusDerived"]) for entry in loaded.entries} == {("Listed", True)}
    assert {entry.details["editionYear"] for entry in loaded.entries} == {"2025"}


def test_a_trade_name_that_repeats_the_legal_name_is_none(loaded: Loaded) -> None:
    assert loaded.named("EXAMPLE BAKERIES INC.").alternate_names == ()


def test_an_unknown_size_is_counted_and_a_row_without_a_name_rejected(loaded: Loaded) -> None:
    assert loaded.report.unknown_terms == {"term: Huge": 1}
    assert [(rejection.line, rejection.reason) for rejection in loaded.report.rejections] == [(9, "Legal name is empty")]


def test_of_two_editions_the_newer_one_holds_in_either_order(tmp_path: Path) -> None:
    newer = changed(tmp_path, "BusinessClassificationDetails(2026).csv", "Roofing contractors", "Roofers")
    for paths in ((SAVED, newer), (newer, SAVED)):
        [entry] = [entry for entry in load(KEY, *paths).entries if entry.entry_id == ROOFING]
        assert entry.details["editionYear"] == "2026"
        listed = entry.details["classifications"]
        assert isinstance(listed, list)
        assert [line for line in map(str, listed) if "Roofing contractors" in line] == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("NAICS code,Description", "NAICS code,Activity", "missing columns: NAICS code: Description; unknown columns: Activity"),
        ("Business size", "Size", "missing columns: Business size; unknown columns: Size"),
        ("Legal name,", "", "missing columns: Legal name"),
    ],
)
def test_a_changed_header_refuses_the_file_by_the_column(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(ParseFailed, match=told):
        load(KEY, changed(tmp_path, SAVED.name, old, new))


# --------------------------------------------------------------------------------------------------- fetching


def page(*links: str) -> bytes:
    items = "".join(f'<li><a href="{link}">download</a></li>' for link in links)
    return f"<!DOCTYPE html><html><body><ul>{items}</ul></body></html>".encode()


async def asked_for(content: bytes) -> list[str]:
    """The addresses that are downloaded when the page is this."""
    asked: list[str] = []

    async def read(_: str) -> bytes:
        return content

    async def download(resource: ResourceMetadata) -> Resource:
        asked.append(resource.url)
        return Resource(resource.name, Path(), resource.url, datetime(2026, 11, 20, tzinfo=UTC), "", 0)

    source = get_source(KEY)
    assert source.fetch is not None
    await source.fetch(FetchContext(source.metadata, download, read))
    return asked


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("/files/BusinessClassificationDetails(2026).csv", "https://www.wsib.ca/files/BusinessClassificationDetails(2026).csv"),
        (
            "https://open.wsib.ca/BusinessClassificationDetails%282026%29.csv",
            "https://open.wsib.ca/BusinessClassificationDetails%282026%29.csv",
        ),
        ("/d/businessclassificationdetails_2026.csv?v=2", "https://www.wsib.ca/d/businessclassificationdetails_2026.csv?v=2"),
    ],
)
async def test_the_newest_edition_is_found_however_its_link_is_written(link: str, url: str) -> None:
    assert await asked_for(page("/BusinessClassificationDetails(2024).csv", link, "/Other(2027).csv")) == [url]


@pytest.mark.anyio
async def test_a_page_that_links_to_no_edition_says_to_import_one() -> None:
    with pytest.raises(ParseFailed, match="import it with --file"):
        await asked_for(page("/about", "/Other(2026).csv"))


@pytest.mark.anyio
@pytest.mark.parametrize("host", ["https://wsib.ca.example", "http://www.wsib.ca", "https://127.0.0.1"])
async def test_a_file_that_is_said_to_be_elsewhere_is_not_fetched(host: str) -> None:
    with pytest.raises(ParseFailed, match=r"is not an address at wsib\.ca"):
        await asked_for(page(f"{host}/BusinessClassificationDetails(2026).csv"))


@pytest.mark.anyio
async def test_the_made_up_edition_is_found_fetched_and_read_whole(live_world: Path, tmp_path: Path) -> None:
    [resource] = await fetched(KEY, live_world, tmp_path)
    entries, report = parsed(KEY, [resource])
    with (live_world / f"wsibClassifications/{EDITION}.csv").open(encoding="utf-8-sig", newline="") as file:
        _, *rows = csv.reader(file)
    assert (report.rows, report.rejected, dict(report.unknown_terms)) == (len(rows), 0, {})
    assert {entry.entry_id for entry in entries} == {f"{row[0]} | {row[2]}" for row in rows}
    for entry in entries:
        mine = [row for row in rows if f"{row[0]} | {row[2]}" == entry.entry_id]
        assert entry.details["naicsCodes"] == [row[4] for row in mine]
        assert entry.details["editionYear"] == "2026"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "fault", "error"),
    [
        ("page", StatusFault(404), SourceNotFound),
        ("page", ChallengePageFault(), ParseFailed),
        ("page", ReplacedFileFault(page("/another-page")), ParseFailed),
        (EDITION, StatusFault(404), SourceNotFound),
        (EDITION, ChallengePageFault(), ParseFailed),
        (EDITION, GarbageFault(), ParseFailed),
        (EDITION, ChangedHeaderFault(), ParseFailed),
    ],
)
async def test_what_goes_wrong_is_told(
    live_world: Path, tmp_path: Path, name: str, fault: PublisherFault, error: type[BonafideError]
) -> None:
    with pytest.raises(error):
        parsed(KEY, await fetched(KEY, live_world, tmp_path, {name: fault}))
