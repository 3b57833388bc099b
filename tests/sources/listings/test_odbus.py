"""Statistics Canada's Open Database of Businesses: its archive, its markers of what is missing, and what makes no entry."""

import asyncio
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entity import StatusCode
from bonafide.model.entry import ListingEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, ParseReport, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide.sources.listings.odbus import source as odbus

FOLDER = Path(__file__).parent / "odbus"
MAIN = FOLDER / "ODBus_v1.csv"
RETRIEVED_AT = datetime(2026, 11, 20, tzinfo=UTC)
SOURCES = "Province,City,Dataset Name\r\nON,Exampleton,Licences – “all”\r\n".encode("cp1252")


@dataclass(frozen=True)
class Loaded:
    entries: list[ListingEntry]
    report: ParseReport

    def named(self, name: str) -> ListingEntry:
        (entry,) = [entry for entry in self.entries if entry.legal_name == name]
        return entry


def load(*paths: Path) -> Loaded:
    """Parse the files, and check what holds of every load: no row lost, no id twice, details as declared."""
    source = get_source("odbus")
    assert source.parse is not None
    context = ParseContext(source.metadata)
    resources = [Resource(path.name, path, f"file:{path.name}", RETRIEVED_AT, "", path.stat().st_size) for path in paths]
    entries = [entry for entry in source.parse(resources, context) if isinstance(entry, ListingEntry)]
    report = context.report
    assert report.rows == len(entries) + report.merged + report.rejected
    assert len({entry.entry_id for entry in entries}) == len(entries)
    declared = {detail.key for detail in source.metadata.details}
    assert all(set(entry.details) <= declared and all(isinstance(v, str) for v in entry.details.values()) for entry in entries)
    return Loaded(entries, report)


def packed(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The real archive's folder, with the two files in another encoding."""
    members = {
        "ODBus_v1/": b"",
        "ODBus_v1/ODBus-record-layout.csv": SOURCES,
        "ODBus_v1/ODBus_Sources.csv": SOURCES,
        "ODBus_v1/ODBus_v1.csv": MAIN.read_bytes(),
    }
    return packed(tmp_path / "ODBus_2023.zip", members)


def test_the_file_gives_the_golden_entries() -> None:
    found = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in load(MAIN).entries]
    golden = FOLDER / "ODBus_v1.golden.json"
    if os.environ.get("BONAFIDE_WRITE_GOLDEN"):
        golden.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(golden.read_text(encoding="utf-8"))


def test_the_archive_gives_the_same_and_its_other_files_are_not_read(archive: Path) -> None:
    loaded = load(archive)
    assert loaded.entries == load(MAIN).entries
    assert loaded.report.rejections[0].resource == "ODBus_2023.zip/ODBus_v1/ODBus_v1.csv"


def test_an_industry_says_whose_code_it_is() -> None:
    loaded = load(MAIN)
    pharmacy, garage = loaded.named("Example Pharmacy"), loaded.entries[1]
    assert (pharmacy.details["naicsCode"], pharmacy.details["naicsOrigin"]) == ("446110", "source")
    assert (garage.details["naicsCode"], garage.details["naicsOrigin"]) == ("81", "derived")
    assert "naicsCode" not in loaded.named("Jordan Sample").details


def test_an_address_is_put_together_of_its_parts() -> None:
    (address,) = load(MAIN).named("Example Pharmacy").addresses
    assert (address.street, address.city, address.province) == ("Suite 309, 10 Sample Avenue NW", "Exampleton", "ON")
    assert (address.postal_code, address.country) == ("K2K 3G4", "CA")


def test_a_street_that_was_not_taken_apart_is_the_whole_address() -> None:
    (address,) = load(MAIN).named("Only The Other Name").addresses
    assert (address.street, address.province) == ("Highway 7, Lot 3", "NT")


def test_markers_of_missing_values_are_no_values() -> None:
    entries = load(MAIN).entries
    assert not any(marker in entry.to_json() for entry in entries for marker in ('".."', "NOT AVAILABLE"))
    assert load(MAIN).named("Nowhere Holdings").addresses == ()


def test_what_says_the_same_is_one_entry_and_another_licence_is_another() -> None:
    loaded = load(MAIN)
    assert [entry.entry_id[-2:] for entry in loaded.entries if entry.legal_name == "Garage du Nord ltée"] == ["94", "96"]
    assert loaded.report.merged == 1


def test_rows_without_a_usable_name_or_an_id_of_their_own_are_rejected_with_the_reason() -> None:
    report = load(MAIN).report
    assert report.reasons == {
        "the row has no name with a letter or a digit": 1,
        "idx is empty": 1,
        "an earlier row has the same idx": 1,
        "the row has 2 cells, the header has 32": 1,
    }
    assert [rejection.line for rejection in report.rejections] == [8, 9, 10, 13]


def test_a_persons_name_is_left_as_it_is() -> None:
    assert load(MAIN).named("Jordan Sample").details["licenceType"] == "Home occupation"


def test_the_words_of_the_status_are_the_databases_and_a_new_one_is_counted(tmp_path: Path) -> None:
    assert [entry.status_code for entry in load(MAIN).entries[:3]] == [
        StatusCode.ACTIVE,
        StatusCode.UNKNOWN,
        StatusCode.INACTIVE,
    ]
    changed = tmp_path / "ODBus_v1.csv"
    changed.write_bytes(MAIN.read_bytes().replace(b"Not Active", b"Closed"))
    assert load(changed).report.unknown_terms == {"status: Closed": 1}


def test_it_is_found_by_names_alone() -> None:
    pharmacy = load(MAIN).named("Example Pharmacy")
    assert pharmacy.list_search_names() == ["Example Pharmacy", "9999991 Ontario Inc."]
    assert pharmacy.list_search_numbers() == []


def test_the_load_says_that_it_is_no_picture_of_today() -> None:
    assert "snapshot of 2022-05-01, not updated: weak evidence, and not current" in load(MAIN).report.notes


def without_main(content: bytes) -> dict[str, bytes]:
    return {"ODBus_v1/ODBus_Sources.csv": content}


def with_two(content: bytes) -> dict[str, bytes]:
    return {"ODBus_v1/ODBus_v1.csv": content, "ODBus_v2/ODBus_v2.csv": content}


def in_cp1252(content: bytes) -> dict[str, bytes]:
    return {"ODBus_v1/ODBus_v1.csv": content.decode("utf-8-sig").encode("cp1252")}


def with_a_new_column(content: bytes) -> dict[str, bytes]:
    return {"ODBus_v1/ODBus_v1.csv": content.replace(b"licence_type", b"license_type")}


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        (without_main, "has 0 files ODBus_v"),
        (with_two, "has 2 files ODBus_v"),
        (in_cp1252, "not utf-8-sig"),
        (with_a_new_column, "missing columns: licence_type; unknown columns: license_type"),
    ],
)
def test_an_archive_of_another_make_is_refused(tmp_path: Path, members: Callable[[bytes], dict[str, bytes]], reason: str) -> None:
    path = packed(tmp_path / "ODBus_2023.zip", members(MAIN.read_bytes()))
    with pytest.raises(ParseFailed, match=reason):
        load(path)


def test_a_damaged_archive_is_refused(archive: Path) -> None:
    content = bytearray(archive.read_bytes())
    # In the packed main file, which is the last and the longest.
    place = content.rindex(b"ODBus_v1/ODBus_v1.csv", 0, content.index(b"PK\x01\x02")) + 60
    content[place : place + 40] = bytes(40)
    archive.write_bytes(content)
    with pytest.raises(ParseFailed, match="damaged"):
        load(archive)


def test_what_is_downloaded_is_dated_to_when_the_lists_were_gathered() -> None:
    async def download(resource: ResourceMetadata) -> Resource:
        return Resource(resource.name, MAIN, resource.url, RETRIEVED_AT, "", 1, as_of=date(2023, 11, 28))

    async def read(url: str) -> bytes:
        raise AssertionError(url)

    (got,) = asyncio.run(odbus.fetch(FetchContext(get_source("odbus").metadata, download, read)))
    assert got.as_of == get_source("odbus").metadata.snapshot_as_of == date(2022, 5, 1)
