"""The Global LEI index: the golden copy cut to Canada, in both its forms, and where the newest one is found."""

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed, UpstreamFailed
from bonafide.matching.identifiers.number_matching import is_lei
from bonafide.model.entity import StatusCode
from bonafide.model.entry import JoinNumber, RegulatoryEntry, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.discovery import discover_sources, get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide_sandbox.writers.regulators.gleif_columns import COLUMNS
from tests.support.sources.regulator_files import Loaded, assert_golden, load

HERE = Path(__file__).parent / "gleif"
TABLE, DOCUMENT = HERE / "golden_copy.csv", HERE / "lei_cdf.xml"


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load("gleif", TABLE)


def pack(path: Path, *files: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.name)
    return path


def changed(tmp_path: Path, change: Callable[[bytes], bytes], original: Path = TABLE) -> Path:
    path = tmp_path / original.name
    path.write_bytes(change(original.read_bytes()))
    return path


def test_the_table_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, HERE / "golden_copy.golden.json")


def test_the_document_gives_the_entries_that_are_written_down() -> None:
    assert_golden(load("gleif", DOCUMENT), HERE / "lei_cdf.golden.json")


def test_table_and_document_say_the_same_of_an_entity(loaded: Loaded) -> None:
    name = "ZEPHYRINE BAKERIES INC."
    assert load("gleif", DOCUMENT).named(name) == loaded.named(name)


def test_what_is_refused_is_told_with_its_line(loaded: Loaded) -> None:
    assert [(rejection.line, rejection.reason) for rejection in loaded.report.rejections] == [
        (23, "the LEI is invalid"),
        (24, "Entity.LegalName is empty"),
        (25, "the LEI is not unique"),
        (26, "Registration.LastUpdateDate is not a date"),
    ]
    assert loaded.report.unknown_terms == {"status: PETRIFIED": 1}


def test_entities_of_other_countries_are_passed_over_and_counted(loaded: Loaded) -> None:
    assert {"CANADA IMPORTS LLC", "FOREIGN PLC"}.isdisjoint(entry.legal_name for entry in loaded.entries)
    assert loaded.report.notes == ["2 entities in other countries were skipped"]


def test_an_lei_leads_to_the_register_in_all_fourteen_jurisdictions(loaded: Loaded) -> None:
    joins = [number for entry in loaded.entries for number in entry.join_numbers]
    assert all(isinstance(number, JoinNumber) for number in joins)
    assert {number.jurisdiction for number in joins if isinstance(number, JoinNumber)} == set(Jurisdiction)
    registers = [source.metadata for source in discover_sources().values() if source.metadata.kind is SourceKind.REGISTRY]
    labels = {metadata.jurisdiction: metadata.number_label for metadata in registers}
    for number in joins:
        assert isinstance(number, JoinNumber)
        assert number.label == labels[number.jurisdiction]


def test_the_number_is_found_again_in_what_is_stored(loaded: Loaded) -> None:
    entry = loaded.named("QUILLON YT LTD.")
    assert entry.list_search_numbers() == [entry.entry_id, "500019"]
    assert RegulatoryEntry.model_validate_json(entry.model_dump_json(exclude_defaults=True)) == entry


def test_an_entity_formed_abroad_is_canadian_by_its_register(loaded: Loaded) -> None:
    entry = loaded.named("ABROAD FORMED INC.")
    assert (entry.details["jurisdiction"], entry.details["registeredIn"]) == ("US-DE", "ON")
    assert (entry.status, entry.status_code) == ("LAPSED", StatusCode.INACTIVE)
    assert "legalForm" not in entry.details


def test_an_authority_that_is_no_register_joins_to_nothing(loaded: Loaded) -> None:
    entry = loaded.named("NO REGISTER TRUST")
    assert entry.join_numbers == ()
    assert (entry.details["legalForm"], "legalFormCode" in entry.details) == ("TRUST", False)


def test_a_cell_may_go_over_several_lines(loaded: Loaded) -> None:
    name = 'TWO LINES, AND "QUOTES" INC.'
    assert loaded.named(name).legal_name == name


@pytest.mark.parametrize("original", [TABLE, DOCUMENT], ids=["csv", "xml"])
def test_what_is_packed_reads_as_if_it_were_not(tmp_path: Path, original: Path) -> None:
    packed = load("gleif", pack(tmp_path / "golden-copy.zip", original))
    assert packed.entries == load("gleif", original).entries


def test_a_table_with_all_its_columns_and_more_is_read(tmp_path: Path) -> None:
    header, first = TABLE.read_text(encoding="utf-8").splitlines()[:2]
    cells = dict(zip(header.strip('"').split('","'), first.strip('"').split('","'), strict=True))
    columns = (*COLUMNS, "Of.The.Future")
    path = tmp_path / "golden.csv"
    path.write_text("\n".join(",".join(row) for row in (columns, [cells.get(column, "") for column in columns])), encoding="utf-8")
    assert [entry.legal_name for entry in load("gleif", path).entries] == ["ZEPHYRINE BAKERIES INC."]


def test_a_table_that_lacks_a_column_is_refused_by_its_name(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda content: content.replace(b"Entity.LegalJurisdiction", b"Entity.Jurisdiction"))
    with pytest.raises(ParseFailed, match=r"missing columns: Entity\.LegalJurisdiction"):
        load("gleif", path)


def test_a_table_that_breaks_off_within_a_row_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda content: content[: content.rindex(b"UNDATED") + 3])
    with pytest.raises(ParseFailed, match="truncated or has an unclosed quote"):
        load("gleif", path)


def test_a_quote_that_is_never_closed_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda content: content + b'"' + b"no end\n" * 300_000)
    with pytest.raises(ParseFailed, match="truncated or has an unclosed quote"):
        load("gleif", path)


def test_a_row_of_another_width_is_rejected(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda content: content + b'"999900","SHORT INC.","CA"\n')
    assert load("gleif", path).report.rejections[-1].reason.startswith("3 cells where the header has")


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda content: content.decode().encode("cp1252"))
    with pytest.raises(ParseFailed, match="not utf-8"):
        load("gleif", path)


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "golden-copy.zip", TABLE)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(ParseFailed, match=r"golden-copy\.zip"):
        load("gleif", path)


def test_an_archive_of_two_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParseFailed, match="contains 2 CSV or XML files"):
        load("gleif", pack(tmp_path / "golden-copy.zip", TABLE, DOCUMENT))


def test_another_document_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda content: content.replace(b"lei:LEIData", b"lei:Other"), DOCUMENT)
    with pytest.raises(ParseFailed, match="LEIData is expected"):
        load("gleif", path)


# --------------------------------------------------------------------------------------------------- fetching

URL = "https://goldencopy.gleif.org/storage/2026/20261101-0000-gleif-goldencopy-lei2-golden-copy.csv.zip"


def answer(url: str = URL, **more: object) -> dict[str, object]:
    return {"publish_date": "2026-11-01 00:00:00", "lei2": {"full_file": {"csv": {"url": url, **more}}}}


@dataclass
class Publisher:
    """Answers the index, and notes which file is asked for."""

    answer: bytes
    size: int = 1000
    downloaded: list[ResourceMetadata] = field(default_factory=list)

    async def read(self, url: str) -> bytes:
        assert url == get_source("gleif").metadata.resource("publications").url
        return self.answer

    async def download(self, resource: ResourceMetadata) -> Resource:
        self.downloaded.append(resource)
        return Resource(resource.name, Path("golden_copy.zip"), resource.url, datetime(2026, 11, 20, tzinfo=UTC), "", self.size)

    async def fetch(self) -> list[Resource]:
        source = get_source("gleif")
        assert source.fetch is not None
        return await source.fetch(FetchContext(source.metadata, self.download, self.read))


@pytest.mark.anyio
@pytest.mark.parametrize("shape", [{"data": [answer()]}, {"data": answer(size=1000)}], ids=["a list", "one"])
async def test_the_newest_golden_copy_is_downloaded_from_where_its_publication_says(shape: dict[str, object]) -> None:
    publisher = Publisher(json.dumps(shape).encode())
    [resource] = await publisher.fetch()
    assert [(asked.url, asked.format) for asked in publisher.downloaded] == [(URL, "zip")]
    assert resource.as_of == date(2026, 11, 1)


@pytest.mark.anyio
async def test_a_file_of_another_size_than_was_published_is_refused() -> None:
    with pytest.raises(UpstreamFailed, match="999 bytes"):
        await Publisher(json.dumps({"data": [answer(size=1000)]}).encode(), size=999).fetch()


@pytest.mark.anyio
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html/>",
        b"[]",
        b'{"data": []}',
        b'{"data": [{"lei2": null}]}',
        b'{"data": [{"lei2": {"full_file": {}}}]}',
        b"\xff\xfe",
    ],
)
async def test_an_answer_of_another_shape_is_refused(content: bytes) -> None:
    with pytest.raises(ParseFailed, match="unexpected"):
        await Publisher(content).fetch()


@pytest.mark.anyio
@pytest.mark.parametrize(
    "url", ["http://goldencopy.gleif.org/x.zip", "https://gleif.org.example/x.zip", "file:///etc/hosts", "https://127.0.0.1/x"]
)
async def test_a_file_that_is_said_to_be_elsewhere_is_not_fetched(url: str) -> None:
    publisher = Publisher(json.dumps({"data": [answer(url)]}).encode())
    with pytest.raises(ParseFailed, match=r"not an address at gleif\.org"):
        await publisher.fetch()
    assert publisher.downloaded == []


# --------------------------------------------------------------------------------------------------- real records


@pytest.mark.realdata
def test_real_identifiers_pass_and_foreign_records_are_passed_over(shared_data: Path, tmp_path: Path) -> None:
    real = shared_data / "registries" / "GLEIF" / "20180901-gleif-lei2-Top10.xml"
    foreign = load("gleif", real)
    assert (foreign.entries, foreign.report.notes) == ([], ["10 entities in other countries were skipped"])
    assert is_lei("5493008ZYIONF7JPJL24")
    assert is_lei("213800HCGYEJXD99N110")
    # The same records, as if their country were Canada: what the real file has must all be read.
    text = real.read_text(encoding="utf-8")
    path = tmp_path / real.name
    path.write_text(text.replace("<lei:LegalJurisdiction>", "<lei:LegalJurisdiction>CA-").replace("CA-CA", "CA"), encoding="utf-8")
    loaded = load("gleif", path)
    assert (len(loaded.entries), loaded.report.rejected, dict(loaded.report.unknown_terms)) == (10, 0, {})
    assert all(entry.addresses and entry.status for entry in loaded.entries)
