"""The federal register's older XML: its archive, its codes, and what it adds to the daily files."""

import json
import re
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from bonafide.errors import LoadLimitExceeded, ParseFailed
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import ParseReport

Parsed = Callable[..., tuple[list[RegistryEntry], ParseReport]]

HERE = Path(__file__).parent / "fed"
PART = (HERE / "OPEN_DATA_1.xml").read_bytes()
CODES = """<?xml version="1.0" encoding="UTF-8"?>
<codes>
  <code name="status">
    <key value="1"><full xml:lang="en">Active</full><full xml:lang="fr">Actif</full></key>
    <key value="3"><full xml:lang="en">Active - Dissolution Pending (Non-compliance)</full></key>
    <key value="11"><full xml:lang="en">Dissolved</full></key>
    <key value="55"><full xml:lang="en">Inactive</full></key>
  </code>
  <code name="act">
    <key value="6"><full xml:lang="en">Canada Business Corporations Act</full></key>
    <key value="14"><full xml:lang="en">Canada Not-for-profit Corporations Act</full></key>
    <key value="77"><full xml:lang="en">Act of the Future</full></key>
  </code>
  <code name="activity">
    <key value="1"><full xml:lang="en">Incorporation</full></key>
    <key value="5"><full xml:lang="en">Amalgamation</full></key>
    <key value="7"><full xml:lang="en">Continuance (import)</full></key>
    <key value="101"><full xml:lang="en">Dissolution</full></key>
  </code>
</codes>
"""
CSV_HEADER = (HERE / "corporations-active.csv").read_text(encoding="utf-8-sig").splitlines()[0]


def other_part(number: str) -> bytes:
    """Another file of the register, with one corporation."""
    names = f'<names><name code="1" current="true">PART {number} INC.</name></names>'
    state = '<acts><act code="6" current="true"/></acts><statuses><status code="1" current="true"/></statuses>'
    corporation = f'<corporation corporationId="{number}">{names}{state}</corporation>'
    return PART[: PART.index(b"<corporations>")] + f"<corporations>{corporation}</corporations></cc:corpcan>".encode()


def pack(path: Path, **files: bytes) -> Path:
    """A ZIP of files; the double underscore stands for the dot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    parts = {"OPEN_DATA_10__xml": other_part("10"), "OPEN_DATA_2__xml": other_part("2"), "OPEN_DATA_1__xml": PART}
    return pack(tmp_path / "OPEN_DATA_SPLIT.zip", **parts, codes__xml=CODES.encode(), corpcan__xsd=b"<schema/>")


def test_an_archive_gives_the_entries_that_are_written_down(parsed: Parsed, archive: Path) -> None:
    entries, _ = parsed("fed", archive)
    given = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]
    assert given == json.loads((HERE / "open_data.entries.json").read_text(encoding="utf-8"))


def test_it_says_what_it_refused_and_where(parsed: Parsed, archive: Path) -> None:
    _, report = parsed("fed", archive)
    assert [(rejection.resource, rejection.reason) for rejection in report.rejections] == [
        ("OPEN_DATA_SPLIT.zip/OPEN_DATA_1.xml", "corporationId is not a number"),
        ("OPEN_DATA_SPLIT.zip/OPEN_DATA_1.xml", "the corporation has no name"),
        ("OPEN_DATA_SPLIT.zip/OPEN_DATA_1.xml", "a date can’t be read"),
        ("OPEN_DATA_SPLIT.zip/OPEN_DATA_1.xml", "an earlier row has the same registration number"),
    ]
    assert PART.splitlines()[report.rejections[0].line - 1].strip().startswith(b'<corporation corporationId="43-00050"')
    assert report.unknown_terms == {}
    assert report.notes == ["the older XML is dated 2026-04-02"]
    assert report.as_of == date(2026, 4, 2)


def test_limits_of_directors_are_no_people(parsed: Parsed, archive: Path) -> None:
    entries, _ = parsed("fed", archive)
    assert all(entry.people == () for entry in entries)


def test_a_single_part_is_read_with_the_codes_that_are_known(parsed: Parsed) -> None:
    entries, report = parsed("fed", HERE / "OPEN_DATA_1.xml")
    assert [entry.status for entry in entries] == [
        "Active",
        "Active - Dissolution Pending (Non-compliance)",
        "Dissolved",
        "status 55",
    ]
    assert report.unknown_terms == {"status: status 55": 1, "term: act 77": 1}
    assert entries[3].status_code is StatusCode.UNKNOWN


def test_an_archive_without_codes_says_so(parsed: Parsed, tmp_path: Path) -> None:
    _, report = parsed("fed", pack(tmp_path / "split.zip", OPEN_DATA_7__xml=other_part("7")))
    assert "the archive has no codes.xml; only known codes are read" in report.notes


def test_a_part_of_a_record_that_nobody_has_seen_is_told(parsed: Parsed, tmp_path: Path) -> None:
    path = tmp_path / "OPEN_DATA_1.xml"
    path.write_bytes(other_part("7").replace(b"<acts>", b"<owners/><acts>"))
    _, report = parsed("fed", path)
    assert "the unknown XML element owners was ignored" in report.notes


# --------------------------------------------------------------------------------------------------- with the daily files


def daily(path: Path, *rows: str) -> Path:
    path.write_text("\n".join([CSV_HEADER, *rows]), encoding="utf-8")
    return path


def row(number: str, name: str, other: str = "") -> str:
    return f"{number},990000010,{name},{other},Canada Business Corporations Act,Active,,,2026,,1 NEW ROAD,,OTTAWA,ON,CA,K1A 0A1,,"


def test_beside_the_daily_file_the_xml_adds_only_the_past(parsed: Parsed, archive: Path, tmp_path: Path) -> None:
    table = daily(
        tmp_path / "active.csv", row("4300017", "Zephyrine Bakeries Inc.", "BOULANGERIES ZÉPHYRINE INC."), row("5", "NEW INC.")
    )
    for files in ((archive, table), (table, archive)):
        entries, report = parsed("fed", *files)
        by_number = {entry.entry_id: entry for entry in entries}
        joined = by_number["4300017"]
        assert (joined.legal_name, joined.addresses[0].street) == ("Zephyrine Bakeries Inc.", "1 NEW ROAD")
        assert str(joined.incorporation_date) == "1998-05-04"
        assert [(item.name, str(item.effective_date), str(item.end_date)) for item in joined.name_history] == [
            ("ZEPHYRINE OVENS LTD.", "1998-05-04", "2009-06-30"),
        ]
        assert by_number["5"].incorporation_date is None
        assert by_number["4300025"].legal_name == "QUILLON AMALGAMATED LTD."
        assert report.rows == len(entries) + report.merged + report.rejected


def test_a_name_that_has_changed_since_the_xml_was_made_is_a_former_one(parsed: Parsed, tmp_path: Path) -> None:
    older = tmp_path / "OPEN_DATA_1.xml"
    older.write_bytes(other_part("7"))
    entries, report = parsed("fed", older, daily(tmp_path / "active.csv", row("7", "RENAMED INC.")))
    assert [(entry.legal_name, [item.name for item in entry.name_history]) for entry in entries] == [
        ("RENAMED INC.", ["PART 7 INC."])
    ]
    assert (report.rows, report.merged) == (2, 1)


# --------------------------------------------------------------------------------------------------- archives that are none


def test_a_damaged_archive_is_refused(parsed: Parsed, archive: Path) -> None:
    content = bytearray(archive.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 40] = bytes(40)
    archive.write_bytes(content)
    with pytest.raises(ParseFailed, match=r"OPEN_DATA_SPLIT\.zip"):
        parsed("fed", archive)


def test_a_truncated_archive_is_refused(parsed: Parsed, archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-100])
    with pytest.raises(ParseFailed, match="not a readable ZIP file"):
        parsed("fed", archive)


def test_an_archive_of_something_else_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    with pytest.raises(ParseFailed, match=r"has no OPEN_DATA_\*\.xml"):
        parsed("fed", pack(tmp_path / "other.zip", readme__txt=b"nothing"))


def test_an_archive_that_says_it_unpacks_to_more_than_can_be_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    path = pack(tmp_path / "bomb.zip", **{f"OPEN_DATA_{number}__xml": PART for number in range(5)})
    # In the directory the size of a file stands 24 bytes behind the mark of its entry.
    sizes = re.compile(rb"(PK\x01\x02.{20})....", re.DOTALL)
    path.write_bytes(sizes.sub(lambda found: found[1] + (0xFFFFFFF0).to_bytes(4, "little"), path.read_bytes()))
    with pytest.raises(LoadLimitExceeded, match="more than 17,179,869,184 bytes after decompression"):
        parsed("fed", path)


def test_another_document_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    path = tmp_path / "OPEN_DATA_1.xml"
    path.write_bytes(PART.replace(b"cc:corpcan", b"cc:other"))
    with pytest.raises(ParseFailed, match="the root element is other, not corpcan"):
        parsed("fed", path)


def test_entities_are_refused(parsed: Parsed, tmp_path: Path) -> None:
    path = tmp_path / "OPEN_DATA_1.xml"
    doctype = b'<!DOCTYPE x [<!ENTITY name "EVIL INC.">]>'
    path.write_bytes(PART.replace(b"<cc:corpcan", doctype + b"<cc:corpcan", 1).replace(b"LAST QUILLON CORP.", b"&name;"))
    with pytest.raises(ParseFailed, match="document type"):
        parsed("fed", path)
