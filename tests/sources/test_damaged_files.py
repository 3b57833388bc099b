"""Files and answers that the fuzzer has found to fail in another way than with the product's own errors: once a traceback each.

Which parsers it feeds is said in `tests/fuzz`.
"""

import io
import json
import struct
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from bonafide.errors import ConfigurationError, ParseFailed, SegmentCorrupt
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.canonical.mapping import load_mapping
from bonafide.sources.canonical.parser import parse_canonical
from bonafide.sources.formats.xlsx_workbook import read_xlsx
from bonafide.sources.formats.xml_elements import get_local_name, read_elements, read_root_attributes
from bonafide.sources.formats.zip_archive import open_member, open_zip
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.downloads import is_https_below
from bonafide.sources.framework.live import read_json
from bonafide.sources.framework.load_limits import LoadLimits
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide.sources.registries.sk.catalogue import download_issues
from bonafide.sources.regulators.vancouver_business_licences.licence import _parse_integer
from bonafide.sources.shared.lists.regulations import read_regulation
from bonafide.website.industry.naics_index import read_index

RETRIEVED_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
HALF = b'{"name": "1158524 Onta\\ud800rio Ltd."}'


def resource(path: Path, content: bytes) -> Resource:
    path.write_bytes(content)
    return Resource(path.stem, path, f"file:{path.name}", RETRIEVED_AT, "0" * 64, len(content))


def packed(*members: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize(
    "body",
    [HALF, b'{"share": NaN}', b"[" * 100_000, b'{"number": ' + b"9" * 5_000 + b"}", '{"name": "é"}'.encode("utf-16")],
    ids=["half a character", "a number that is none", "lists without end", "a number without end", "another encoding"],
)
def test_an_answer_that_others_could_not_read_is_no_json(body: bytes) -> None:
    with pytest.raises(ParseFailed, match="not JSON"):
        read_json(SourceResponse(SourceRequest("https://register.example.org"), 200, "application/json", body, RETRIEVED_AT))


class TestArchives:
    CONTENT = packed(("a.csv", b"a,b\n" * 100))

    def directory(self, place: int, value: int) -> bytes:
        """The archive with a number of its directory changed."""
        at = self.CONTENT.index(b"PK\x01\x02") + place
        return self.CONTENT[:at] + struct.pack("<I", value) + self.CONTENT[at + 4 :]

    def read(self, path: Path, content: bytes) -> None:
        damaged = resource(path, content)
        with open_zip(damaged, LoadLimits()) as archive, open_member(archive, "a.csv", damaged) as member:
            member.read()

    def test_one_that_says_it_holds_more_than_it_is_long_is_refused_before_room_is_made(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match="larger than the archive"):
            self.read(tmp_path / "a.zip", self.directory(20, 1 << 31))

    def test_a_file_that_would_begin_elsewhere_is_damaged(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match="the archive is damaged"):
            self.read(tmp_path / "a.zip", self.directory(42, 1 << 20))

    def test_a_file_before_the_beginning_is_damaged(self, tmp_path: Path) -> None:
        end = self.CONTENT.index(b"PK\x05\x06")
        with pytest.raises(ParseFailed, match="the archive is damaged"):
            self.read(tmp_path / "a.zip", self.CONTENT[: end + 16] + struct.pack("<I", end) + self.CONTENT[end + 20 :])

    def test_a_workbook_of_an_unknown_version_is_refused(self, tmp_path: Path) -> None:
        workbook = packed(("xl/workbook.xml", b"<x/>"))
        at = workbook.index(b"PK\x01\x02") + 6
        damaged = resource(tmp_path / "a.xlsx", workbook[:at] + b"\xff\x00" + workbook[at + 2 :])
        with pytest.raises(ParseFailed, match="not a readable"):
            list(read_xlsx(damaged, ParseContext(get_source("nl").metadata)))


def test_a_parquet_file_with_a_text_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pa.table({"legal_name": pa.array(["Heron"]), "registration_number": pa.array(["1"])})
    pyarrow.parquet.write_table(table, path, compression="none", use_dictionary=False, write_statistics=False)
    damaged = resource(path, path.read_bytes().replace(b"Heron", b"H\xc6ron"))
    with pytest.raises(ParseFailed, match="not a readable Parquet file"):
        list(parse_canonical([damaged], ParseContext(get_source("nl").metadata), None))


def test_a_regulation_that_was_amended_on_no_day_is_refused(tmp_path: Path) -> None:
    text = (
        '<Regulation xmlns:lims="http://justice.gc.ca/lims" lims:lastAmendedDate="202631/12/2026"><Identification>'
        "<InstrumentNumber>SOR/1</InstrumentNumber><LongTitle>One</LongTitle></Identification></Regulation>"
    )
    with pytest.raises(ParseFailed, match="invalid date"):
        read_regulation(resource(tmp_path / "a.xml", text.encode()))


def test_a_list_that_was_made_on_no_day_is_refused(tmp_path: Path) -> None:
    source = get_source("un-sanctions-consolidated")
    assert source.parse is not None
    damaged = resource(tmp_path / "a.xml", b'<CONSOLIDATED_LIST dateGenerated="2026-02--1"><INDIVIDUALS/></CONSOLIDATED_LIST>')
    with pytest.raises(ParseFailed, match="invalid date"):
        list(source.parse([damaged], ParseContext(source.metadata)))


def test_an_american_list_that_is_of_no_day_is_refused(tmp_path: Path) -> None:
    source = get_source("us-sanctions-ofac-sdn")
    assert source.parse is not None
    text = (
        '<sanctionsData xmlns="https://www.treasury.gov/ofac/DownloadFile/ENHANCED_XML"><publicationInfo>'
        "<dataAsOf>2026-11-0:</dataAsOf></publicationInfo></sanctionsData>"
    )
    with pytest.raises(ParseFailed, match="invalid date"):
        list(source.parse([resource(tmp_path / "sdn.xml", text.encode())], ParseContext(source.metadata)))


def test_a_namespace_with_braces_is_read_over(tmp_path: Path) -> None:
    text = '<LIST xmlns:xsi="http://www.w3.org/20{}1/XMLSchema-instance" xsi:schema="none" dateGenerated="2026-11-20"/>'
    assert read_root_attributes(resource(tmp_path / "a.xml", text.encode()))["dateGenerated"] == "2026-11-20"


@pytest.mark.slow
def test_a_mapping_without_end_is_no_mapping(tmp_path: Path) -> None:
    (tmp_path / "deep.yml").write_text("columns: " + "[" * 5000, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"deep\.yml: not a valid mapping file"):
        load_mapping(tmp_path / "deep.yml")


@pytest.mark.parametrize("text", ["inf", "1e999", "nan"])
def test_a_year_without_end_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="folderyear is not a number"):
        _parse_integer(text, "folderyear")


def test_an_index_of_industries_that_is_cut_in_its_header_is_damaged(tmp_path: Path) -> None:
    header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (3,"
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    with pytest.raises(SegmentCorrupt, match="damaged"):
        read_index(resource(tmp_path / "a.npz", packed(("texts.npy", array))).path)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "pages",
    [
        {"root": []},
        {"root": {"childCategories": [{"nameEnglish": "2020"}]}},
        {"root": {"childCategories": [{"nameEnglish": "2020", "categoryId": 1}]}, "year": {"childCategories": [None]}},
    ],
    ids=["a list", "a year without a key", "a part that is nothing"],
)
async def test_a_catalogue_of_another_shape_is_refused(pages: Mapping[str, object]) -> None:
    answers = iter([json.dumps(page).encode() for page in pages.values()])

    async def read(_url: str) -> bytes:
        return next(answers)

    async def download(_resource: ResourceMetadata) -> Resource:
        raise AssertionError("nothing is known that could be downloaded")

    with pytest.raises(ParseFailed, match="unexpected response"):
        await download_issues(FetchContext(get_source("sk").metadata, download, read), RETRIEVED_AT.date())


@pytest.mark.parametrize(
    "url", ["http://[", "https://register.example.org.evil.example/a", "https://[::1]/a", "ftp://example.org/a", ""]
)
def test_a_text_that_is_no_address_is_at_no_domain(url: str) -> None:
    assert not is_https_below(url, "example.org")


def test_a_list_that_ends_in_the_middle_of_a_character_is_in_the_other_encoding(tmp_path: Path) -> None:
    source = get_source("craCharities")
    assert source.parse is not None
    with pytest.raises(ParseFailed, match="unknown header"):
        list(source.parse([resource(tmp_path / "Charities_results.txt", b";\xcf")], ParseContext(source.metadata)))


def test_an_element_whose_namespace_has_a_brace_is_known_by_its_name(tmp_path: Path) -> None:
    """It is handed out before the parser has come to say that such a namespace is none."""
    names: list[str] = []
    with pytest.raises(ParseFailed, match="valid URI"):
        names.extend(
            get_local_name(element)
            for element in read_elements(resource(tmp_path / "a.xml", b'<list xmlns="}" n=""><day></day>'), "day")
        )
    assert names == ["day"]
