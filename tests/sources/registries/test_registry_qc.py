"""Quebec's archive: its entries, what it refuses, what it keeps back, and that the order of its rows makes no difference."""

import csv
import io
import json
import os
import random
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bonafide.errors import LoadLimitExceeded, ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource
from bonafide.sources.framework.discovery import Source
from bonafide.sources.registries.qc import archive as archives
from bonafide.sources.registries.qc import row_joining
from bonafide.sources.registries.qc.enterprise_entries import ENTERPRISES
from bonafide.sources.registries.qc.source import CODES, RELATED

Parsed = Callable[..., tuple[list[RegistryEntry], ParseReport]]
Register = Callable[[str], Source]
AsResource = Callable[[Path], Resource]

FOLDER = Path(__file__).parent / "qc"
FILES = {table.file: (FOLDER / table.file).read_bytes() for table in (ENTERPRISES, *RELATED, CODES)}
LICENCE = "CC BY-NC-SA 4.0: Commercial use is prohibited"


def zipped(folder: Path, files: Mapping[str, bytes] = FILES, *, day: date = date(2026, 11, 18), name: str = "req.zip") -> Path:
    """The files in an archive, deflated and dated."""
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for member, content in files.items():
            file.writestr(zipfile.ZipInfo(member, (day.year, day.month, day.day, 3, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return path


def with_rows(name: str, change: Callable[[list[list[str]]], list[list[str]]]) -> dict[str, bytes]:
    """The files, one of them with other rows under its header."""
    header, *rows = csv.reader(io.StringIO(FILES[name].decode("utf-8-sig"), newline=""))
    out = io.StringIO(newline="")
    csv.writer(out).writerows([header, *change(rows)])
    return {**FILES, name: out.getvalue().encode("utf-8-sig")}


def by_number(entries: list[RegistryEntry]) -> dict[str, RegistryEntry]:
    return {entry.entry_id: entry for entry in entries}


@pytest.fixture
def loaded(parsed: Parsed, tmp_path: Path) -> tuple[dict[str, RegistryEntry], ParseReport]:
    """The sample archive."""
    entries, report = parsed("qc", zipped(tmp_path))
    return by_number(entries), report


Loaded = tuple[dict[str, RegistryEntry], ParseReport]


# ------------------------------------------------------------------------------------------------------------ entries


def test_it_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    given = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in loaded[0].values()]
    golden = FOLDER / "entries.json"
    if os.environ.get("BONAFIDE_WRITE_GOLDEN"):
        golden.write_text(json.dumps(given, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert given == json.loads(golden.read_text(encoding="utf-8"))


def test_it_says_what_it_refused_and_what_it_did_not_know(loaded: Loaded) -> None:
    report = loaded[1]
    refused = {(rejection.resource, rejection.line, rejection.reason) for rejection in report.rejections}
    assert refused == {
        ("req.zip/Entreprise.csv", 8, "an earlier row has the same registration number"),
        ("req.zip/Entreprise.csv", 9, "NEQ does not have ten digits"),
        ("req.zip/Entreprise.csv", 10, "the row has 2 cells, the header has 37"),
        ("req.zip/Entreprise.csv", 11, "DAT_CONSTI is not a date"),
        ("req.zip/Entreprise.csv", 12, "the enterprise has no name"),
        ("req.zip/Nom.csv", 16, "the enterprise was rejected"),
        ("req.zip/Nom.csv", 17, "the enterprise was rejected"),
        ("req.zip/Nom.csv", 19, "no enterprise has this NEQ"),
        ("req.zip/Nom.csv", 26, "NEQ does not have ten digits"),
        ("req.zip/Etablissements.csv", 6, "the enterprise was rejected"),
    }
    assert report.unknown_terms == {
        "status: ZZ": 1,
        "term: STAT_IMMAT ZZ": 1,
        "term: FORM_JURI XYZ": 1,
        "term: IND_DISP ?": 1,
        "term: STAT_NOM X": 1,
        "term: TYP_NOM_ASSUJ Q": 1,
    }


def test_every_row_of_the_six_files_is_counted(loaded: Loaded) -> None:
    entries, report = loaded
    # A record may have several lines, so lines are no measure.
    rows = sum(len(list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))) - 1 for content in FILES.values())
    assert report.rows == rows == len(entries) + report.merged + report.rejected


def test_the_licence_and_the_day_of_the_standing_are_noted(loaded: Loaded) -> None:
    licence, day, *_ = loaded[1].notes
    assert licence.startswith(LICENCE)
    assert day == "good standing is as of 2026-11-18"


def test_the_name_of_one_that_was_struck_off_is_its_last_one(loaded: Loaded) -> None:
    absorbed = loaded[0]["1199000003"]
    assert absorbed.legal_name == "Dernière Absorbée inc."
    assert [item.name for item in absorbed.name_history] == ["Première Absorbée inc.", "Absorbée et Fils"]


def test_only_a_struck_off_founder_of_a_merger_is_amalgamated(loaded: Loaded) -> None:
    codes = {number: entry.status_code for number, entry in loaded[0].items()}
    assert (codes["1199000003"], codes["1199000002"], codes["1199000004"]) == ("amalgamated", "active", "dissolved")


# ------------------------------------------------------------------------------------------------------------ people and places


def test_no_individuals_own_name_comes_through(loaded: Loaded) -> None:
    entries, report = loaded
    assert b"NADINE" in FILES["Nom.csv"]
    assert not any(word in entry.to_json() for entry in entries.values() for word in ("NADINE", "NULLE"))
    assert entries["2299000001"].legal_name == "Salon Chez Personne"
    assert entries["2299000002"].legal_name == "NEQ 2299000002"
    assert "2 personal names of individuals (type N) were not read" in report.notes
    assert "1 individual has no published name and is listed by number" in report.notes


def test_an_address_that_is_not_public_is_not_read_even_if_it_is_there(loaded: Loaded) -> None:
    assert FILES["Entreprise.csv"].count("rue Secrète".encode()) == 1
    assert not any("Secrète" in entry.to_json() or "Douteuse" in entry.to_json() for entry in loaded[0].values())


def test_addresses_are_the_domicile_then_the_main_establishment_then_the_others_each_once(loaded: Loaded) -> None:
    assert [address.raw for address in loaded[0]["1199000001"].addresses] == [
        "100, rue Inventée, bureau 200, Montréal, QC, H2X 1Y4",
        "9, place du Marché, Longueuil, QC, J4N 8S2",
        "55, boul. Exemple, Laval, QC, H7N 3Y9",
    ]


def test_a_bracket_that_is_no_province_belongs_to_the_city(loaded: Loaded) -> None:
    (address,) = loaded[0]["3399000001"].addresses
    assert (address.city, address.province) == ("Saint-Inventé (Île d'Orléans)", None)


# ------------------------------------------------------------------------------------------------------------ standing


STANDINGS = [
    (date(2026, 11, 18), "2025", True),
    (date(2026, 11, 18), "2024", False),
    (date(2026, 11, 18), "", None),
    (date(2026, 12, 15), "2025", True),
    (date(2026, 12, 16), "2025", False),
    (date(2026, 12, 16), "2026", True),
    (date(2025, 12, 15), "", True),
]
"""The day, the year that an enterprise last declared for, and its standing. The years 2025 and 2026 end for it on December 15."""


@pytest.mark.parametrize("case", STANDINGS, ids=lambda case: f"{case[0]}-{case[1]}")
def test_standing_is_whether_the_newest_year_that_is_over_was_declared_for(
    tmp_path: Path, register: Register, as_resource: AsResource, case: tuple[date, str, bool | None]
) -> None:
    day, declared, standing = case

    def declare(rows: list[list[str]]) -> list[list[str]]:
        rows[0][11] = declared
        return rows[:1]

    resource = replace(as_resource(zipped(tmp_path, with_rows("Entreprise.csv", declare))), as_of=day)
    source = register("qc")
    assert source.parse is not None
    (entry,) = source.parse([resource], ParseContext(source.metadata))
    assert isinstance(entry, RegistryEntry)
    assert entry.good_standing is standing


@pytest.mark.parametrize(("packed", "judged"), [(date(1980, 1, 1), "2026-11-20"), (date(2031, 5, 1), "2026-11-20")])
def test_a_date_of_the_archive_that_can_not_be_is_passed_over(parsed: Parsed, tmp_path: Path, packed: date, judged: str) -> None:
    _, report = parsed("qc", zipped(tmp_path, day=packed))
    assert f"good standing is as of {judged}" in report.notes


# ------------------------------------------------------------------------------------------------------------ order


def test_rows_in_any_order_give_the_same_entries(parsed: Parsed, tmp_path: Path) -> None:
    expected, before = parsed("qc", zipped(tmp_path))
    shuffled = dict(FILES)
    for name in (ENTERPRISES.file, *(table.file for table in RELATED)):
        shuffled[name] = with_rows(name, apart)[name]
    assert shuffled != FILES
    entries, report = parsed("qc", zipped(tmp_path, shuffled))
    assert entries == expected
    assert (report.rows, report.merged, report.reasons, report.unknown_terms, report.notes) == (
        before.rows, before.merged, before.reasons, before.unknown_terms, before.notes,
    )  # fmt: skip


def apart(rows: list[list[str]]) -> list[list[str]]:
    """The rows mixed, but those of one number in their order: that is all a file's order may mean."""
    places = list(range(len(rows)))
    random.Random(7).shuffle(places)  # noqa: S311 - no secret
    by_key: dict[str, Iterator[list[str]]] = {}
    for row in rows:
        by_key[row[0]] = iter([other for other in rows if other[0] == row[0]])
    return [next(by_key[rows[place][0]]) for place in places]


@pytest.mark.slow
def test_more_rows_than_are_sorted_at_a_time_are_merged_from_disk(parsed: Parsed, tmp_path: Path) -> None:
    expected, before = parsed("qc", zipped(tmp_path))

    def strewn(rows: list[list[str]]) -> list[list[str]]:
        strangers = [
            [f"12{number * 7_919 % 10**8:08d}", "Nul inc.", "", "V", "N", "", ""] for number in range(row_joining.RUN_ROWS + 1)
        ]
        return [*rows[:9], *strangers, *rows[9:]]

    files = with_rows("Nom.csv", lambda rows: strewn(apart(rows)))
    entries, report = parsed("qc", zipped(tmp_path, files))
    assert entries == expected
    assert report.reasons["no enterprise has this NEQ"] == row_joining.RUN_ROWS + 2
    assert report.rows == before.rows + row_joining.RUN_ROWS + 1


@pytest.mark.parametrize("table", RELATED[:2])
def test_a_last_row_out_of_order_is_found_as_well(parsed: Parsed, tmp_path: Path, table: archives.QuebecTable) -> None:
    expected, _ = parsed("qc", zipped(tmp_path))
    files = with_rows(
        table.file, lambda rows: [*(row for row in rows if row[0] != rows[0][0]), *(r for r in rows if r[0] == rows[0][0])]
    )
    entries, _ = parsed("qc", zipped(tmp_path, files))
    assert entries == expected


def test_what_is_sorted_on_disk_leaves_nothing_there(parsed: Parsed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    parsed("qc", zipped(tmp_path, with_rows("Nom.csv", lambda rows: rows[::-1])))
    assert [path.name for path in tmp_path.iterdir()] == ["req.zip"]


def test_an_enterprise_of_more_rows_than_an_entry_can_have_keeps_the_first(parsed: Parsed, tmp_path: Path) -> None:
    def chained(rows: list[list[str]]) -> list[list[str]]:
        first = rows[0]
        return [*([*first[:6], f"{door}, rue Longue", *first[7:]] for door in range(row_joining.MAX_RELATED + 5)), *rows[3:]]

    entries, report = parsed("qc", zipped(tmp_path, with_rows("Etablissements.csv", chained)))
    assert len(by_number(entries)["1199000001"].addresses) == row_joining.MAX_RELATED + 1
    assert report.reasons["the enterprise has more than 10,000 rows"] == 5


# ------------------------------------------------------------------------------------------------------------ damage


def refusal(parsed: Parsed, path: Path) -> str:
    with pytest.raises(ParseFailed) as refused:
        parsed("qc", path)
    return refused.value.message


@pytest.mark.parametrize("name", FILES)
def test_an_archive_that_lacks_a_file_is_refused(parsed: Parsed, tmp_path: Path, name: str) -> None:
    files = {member: content for member, content in FILES.items() if member != name}
    assert f"req.zip: the archive lacks {name}" in refusal(parsed, zipped(tmp_path, files))


@pytest.mark.parametrize("name", FILES)
def test_a_changed_header_is_refused_and_says_what_is_new(parsed: Parsed, tmp_path: Path, name: str) -> None:
    files = {**FILES, name: FILES[name].replace(b"\xef\xbb\xbf", b"\xef\xbb\xbfNOUVEAU_", 1)}
    assert f"req.zip/{name}: unknown header: missing columns: " in refusal(parsed, zipped(tmp_path, files))


def test_files_under_each_others_names_are_refused(parsed: Parsed, tmp_path: Path) -> None:
    files = {**FILES, "Nom.csv": FILES["Etablissements.csv"]}
    assert "Nom.csv: the file has the header of another file of the register" in refusal(parsed, zipped(tmp_path, files))


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_another_encoding_is_refused(parsed: Parsed, tmp_path: Path, encoding: str) -> None:
    files = {**FILES, "Nom.csv": FILES["Nom.csv"].decode("utf-8-sig").encode(encoding)}
    assert "req.zip/Nom.csv: not utf-8-sig" in refusal(parsed, zipped(tmp_path, files))


def test_what_is_no_archive_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    page = tmp_path / "req.zip"
    page.write_text("<html><body>Vérification en cours</body></html>", encoding="utf-8")
    assert "not a readable ZIP file" in refusal(parsed, page)


def test_half_an_archive_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    path = zipped(tmp_path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert "not a readable ZIP file" in refusal(parsed, path)


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_byte_gives_the_same_entries_or_a_refusal_never_others(parsed: Parsed, tmp_path: Path, seed: int) -> None:
    expected, _ = parsed("qc", zipped(tmp_path, name="whole.zip"))
    path = zipped(tmp_path)
    content = bytearray(path.read_bytes())
    content[random.Random(seed).randrange(len(content))] ^= 0x55  # noqa: S311 - no secret
    path.write_bytes(content)
    try:
        entries, _ = parsed("qc", path)
    except ParseFailed:
        return
    assert [(e.entry_id, e.legal_name, e.addresses) for e in entries] == [(e.entry_id, e.legal_name, e.addresses) for e in expected]


def test_damage_at_the_end_of_any_file_is_found_before_the_first_entry(
    register: Register, as_resource: AsResource, tmp_path: Path
) -> None:
    source = register("qc")
    assert source.parse is not None
    for name in FILES:
        path = zipped(tmp_path)
        with zipfile.ZipFile(path) as file:
            member = file.getinfo(name)
        content = bytearray(path.read_bytes())
        content[member.header_offset + 14] ^= 0xFF  # the check sum, before the file
        content[directory_entry(content, name) + 16] ^= 0xFF  # and in the directory
        path.write_bytes(content)
        with pytest.raises(ParseFailed, match=f"{name}: the archive is damaged"):
            next(source.parse([as_resource(path)], ParseContext(source.metadata)))


def test_an_archive_that_would_unpack_to_too_much_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    path = zipped(tmp_path)
    content = bytearray(path.read_bytes())
    for name in FILES:
        size = directory_entry(content, name) + 24
        content[size : size + 4] = b"\xfe\xff\xff\xff"
    path.write_bytes(content)
    with pytest.raises(LoadLimitExceeded, match="more than 8,589,934,592 bytes after decompression"):
        parsed("qc", path)


def test_a_file_that_holds_more_than_it_says_is_damaged(parsed: Parsed, tmp_path: Path) -> None:
    path = zipped(tmp_path)
    content = bytearray(path.read_bytes())
    size = directory_entry(content, "Nom.csv") + 24
    content[size : size + 4] = (500).to_bytes(4, "little")
    path.write_bytes(content)
    assert "req.zip/Nom.csv: the archive is damaged" in refusal(parsed, path)


def test_a_line_without_end_is_read_in_parts_and_refused(parsed: Parsed, tmp_path: Path) -> None:
    endless = b"1199000001," + b"x" * (archives.MAX_LINE_CHARACTERS * 3)
    _, report = parsed("qc", zipped(tmp_path, {**FILES, "Nom.csv": FILES["Nom.csv"] + endless}))
    assert report.reasons["the row has 2 cells, the header has 7"] == 1
    assert report.reasons["the row has 1 cells, the header has 7"] == 3


@pytest.mark.slow
def test_a_quote_without_end_is_one_row_that_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    endless = b'1199000001,"' + b"Pain\r\n" * 300_000
    _, report = parsed("qc", zipped(tmp_path, {**FILES, "Nom.csv": FILES["Nom.csv"] + endless}))
    assert report.reasons["not valid CSV"] >= 1


def directory_entry(content: bytearray, name: str) -> int:
    """Where the archive's directory, which is at its end, begins to describe a file."""
    return content.rindex(name.encode()) - 46


def test_a_file_that_stands_twice_and_a_locked_one_are_refused(parsed: Parsed, tmp_path: Path) -> None:
    assert "has two files named Nom.csv" in refusal(parsed, zipped(tmp_path, {**FILES, "old/Nom.csv": b""}))
    path = zipped(tmp_path)
    content = bytearray(path.read_bytes())
    content[directory_entry(content, "Nom.csv") + 8] |= 1
    path.write_bytes(content)
    assert "Nom.csv is encrypted" in refusal(parsed, path)


def test_an_archive_of_thousands_of_files_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    files = {**FILES, **{f"{number}.txt": b"" for number in range(200)}}
    assert "the archive has 206 files; 6 are expected" in refusal(parsed, zipped(tmp_path, files))


def test_files_in_a_folder_of_the_archive_are_found(parsed: Parsed, tmp_path: Path) -> None:
    expected, _ = parsed("qc", zipped(tmp_path))
    entries, _ = parsed("qc", zipped(tmp_path, {f"JeuxDonnees/{name}": content for name, content in FILES.items()}))
    assert entries == expected


def test_two_archives_are_refused(parsed: Parsed, tmp_path: Path) -> None:
    first, second = zipped(tmp_path), zipped(tmp_path, name="other.zip")
    with pytest.raises(ParseFailed, match="one archive at a time, not 2"):
        parsed("qc", first, second)


def test_what_the_code_reads_is_what_the_layouts_name(register: Register) -> None:
    layouts = register("qc").metadata.layouts
    assert {name: layout.columns for name, layout in layouts.items()}.keys() == {t.layout for t in (ENTERPRISES, *RELATED, CODES)}
    for table in (ENTERPRISES, *RELATED, CODES):
        assert sorted(layouts[table.layout].columns) == sorted(table.columns)
