"""Charities: the list in both its layouts, out of the form's archive, and what annual returns add to it."""

import csv
import zipfile
from datetime import date
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ParseFailed, UpstreamFailed
from bonafide.model.entity import StatusCode
from bonafide.sources.formats.html_page import read_html
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.regulators.cra_charities.source import FORM_FIELDS, NO_LIST, NO_RETURNS, fill_search_form
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    ChangedHeaderFault,
    GarbageFault,
    PublisherFault,
    ReplacedFileFault,
    StatusFault,
)
from tests.support.sources.regulator_files import Loaded, assert_golden, load
from tests.support.sources.served_publisher import fetched, parsed

KEY = "craCharities"
FOLDER = Path(__file__).parent / KEY
LIST = FOLDER / "Charities_results_2026-10-04-10-00-00.txt"
OLD_LIST = FOLDER / "Charities_results_2022-07-08.txt"
RETURNS = (FOLDER / "ident_2024_updated.csv", FOLDER / "ident_2023.csv", FOLDER / "weburl_2024_updated.csv")


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(KEY, LIST, *RETURNS)


def pack(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.txt", content)
    return path


def test_list_and_returns_give_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, FOLDER / "charities.golden.json")


def test_the_list_of_former_years_gives_the_entries_that_are_written_down() -> None:
    assert_golden(load(KEY, OLD_LIST), FOLDER / "charities_until_2022.golden.json")


def test_a_bilingual_name_is_taken_apart_and_kept_whole(loaded: Loaded) -> None:
    entry = loaded.named("AIDE AUX LOUTRES")
    assert entry.alternate_names == ("AIDE AUX LOUTRES / HELP FOR OTTERS / OTTERS' AID", "HELP FOR OTTERS", "OTTERS' AID")


def test_the_returns_add_account_name_sub_category_website_and_year_of_the_newest_one(loaded: Loaded) -> None:
    entry = loaded.named("Marmot Hill Food Bank")
    assert entry.alternate_names[-1] == "MARMOT HILL PANTRY"
    assert (entry.details["subCategory"], entry.details["subCategoryCode"]) == ("Operating a food bank", "0004")
    assert (entry.details["website"], entry.details["lastFilingYear"]) == ("www.marmothill.example", "2024")
    assert loaded.named("AIDE AUX LOUTRES").details["subCategoryCode"] == "0001"


def test_a_charity_of_the_returns_alone_has_no_status_but_its_year(loaded: Loaded) -> None:
    chapel, older = loaded.named("CHAPEL OF RETURNS ONLY"), loaded.named("FONDATION DES ARTS D'HIER")
    assert (chapel.status, chapel.status_code, chapel.details["designation"]) == (
        None,
        StatusCode.UNKNOWN,
        "Charitable organization",
    )
    assert (chapel.addresses[0].street, chapel.details["website"]) == ("8 HYMN LANE, UNIT 2", "https://chapel.example")
    assert (older.details["lastFilingYear"], older.addresses[0].street) == ("2023", "3 RUE PASSÉE")


def test_the_business_number_is_a_join(loaded: Loaded) -> None:
    entry = loaded.named("LOON LAKE FOUNDATION")
    assert [(number.label, number.value) for number in entry.join_numbers] == [("Business Number (BN)", "900000035")]
    assert entry.details["businessNumber"] == "900000035"


def test_statuses_keep_their_words_and_the_sanction_stands_beside(loaded: Loaded) -> None:
    codes = {entry.legal_name: (entry.status, entry.status_code) for entry in loaded.entries}
    assert codes["LOON LAKE FOUNDATION"] == ("Suspended", StatusCode.INACTIVE)
    assert codes['"QUOTED" SOCIETY FOR MÉSANGES'] == ("Revoked-Failure to File", StatusCode.CANCELLED)
    assert loaded.named("LOON LAKE FOUNDATION").details["sanction"] == "Suspension"


def test_a_donee_outside_canada_has_no_province(loaded: Loaded) -> None:
    entry = loaded.named("University of Nowhere Abroad")
    [address] = entry.addresses
    assert (address.province, address.country, address.postal_code) == (None, "US", "04401")
    assert entry.details["qualifiedDoneeType"] == "Prescribed University Outside Canada"


def test_unknown_words_are_counted(loaded: Loaded) -> None:
    assert loaded.report.unknown_terms == {"status: Relocated": 1, "term: designation 0009": 1, "term: category 9999": 1}


def test_what_is_refused_is_told_with_its_line(loaded: Loaded) -> None:
    assert [(rejection.resource, rejection.line, rejection.reason) for rejection in loaded.report.rejections] == [
        (LIST.name, 8, "the number is not unique"),
        (LIST.name, 9, "the number is empty"),
        (LIST.name, 10, "'soon' is not a date"),
        (LIST.name, 11, "the row has 3 cells, the header has 14"),
        ("weburl_2024_updated.csv", 5, "the website belongs to no charity that was read"),
    ]


def test_the_list_dates_itself_by_its_name(loaded: Loaded) -> None:
    assert loaded.report.as_of == date(2026, 10, 4)


def test_what_is_missing_is_told_to_the_operator(loaded: Loaded) -> None:
    assert loaded.report.notes == []
    assert load(KEY, LIST).report.notes == [NO_RETURNS]
    assert load(KEY, *RETURNS).report.notes == [NO_LIST]


def test_the_archive_reads_like_the_list_in_it(tmp_path: Path) -> None:
    packed = pack(tmp_path / "list.zip", Readme=b"read me", Lisezmoi=b"lisez-moi", **{LIST.stem: LIST.read_bytes()})
    found = load(KEY, packed)
    assert found.entries == load(KEY, LIST).entries
    assert found.report.as_of == date(2026, 10, 4)


def test_an_archive_without_a_list_or_with_two_is_refused(tmp_path: Path) -> None:
    for members in ({"Readme": b"x"}, {LIST.stem: b"x", "Charities_results_2": b"x"}):
        with pytest.raises(ParseFailed, match=r"Charities_results_\*\.txt files; 1 is expected"):
            load(KEY, pack(tmp_path / "list.zip", **members))


@pytest.mark.parametrize("original", [LIST, OLD_LIST, *RETURNS], ids=lambda path: path.name)
def test_either_encoding_is_read(tmp_path: Path, original: Path) -> None:
    texts = [original.read_bytes()]
    text = texts[0].decode("utf-8" if original in {OLD_LIST, RETURNS[0], RETURNS[2]} else "iso-8859-1")
    for encoding in ("utf-8", "utf-8-sig", "iso-8859-1"):
        path = tmp_path / original.name
        path.write_bytes(text.encode(encoding))
        assert load(KEY, path).entries == load(KEY, original).entries


@pytest.mark.parametrize(
    ("path", "old", "told"),
    [
        (LIST, b"Organization name:", "missing columns: Organization name:"),
        (RETURNS[0], b"Legal Name", "missing columns: Legal Name"),
        (RETURNS[2], b"Contact URL", "missing columns: Contact URL"),
    ],
)
def test_a_changed_header_refuses_the_file_by_the_column(tmp_path: Path, path: Path, old: bytes, told: str) -> None:
    changed = tmp_path / path.name
    changed.write_bytes(path.read_bytes().replace(old, b"Appellation"))
    with pytest.raises(ParseFailed, match=told):
        load(KEY, changed)


# --------------------------------------------------------------------------------------------------- fetching


def test_the_form_is_filled_in_with_its_token_and_nothing_narrower() -> None:
    page = b'<!DOCTYPE html><html><body><form><input type="hidden" name="token" value="A&amp;B 1"></form></body></html>'
    assert fill_search_form(page, "the form") == {
        "struts.token.name": "token",
        "token": "A&B 1",
        "p": "1",
        **dict.fromkeys(FORM_FIELDS, ""),
    }


def test_a_page_without_a_token_says_when_the_site_is_closed() -> None:
    with pytest.raises(ParseFailed, match=r"closed from 2 to 6 a\.m\. Eastern time"):
        fill_search_form(b"<!DOCTYPE html><html><body><p>Back soon.</p></body></html>", "the form")


def test_the_made_up_form_asks_for_what_the_source_sends(live_world: Path) -> None:
    page = read_html((live_world / "craCharities/advncdSrch.html").read_bytes(), name="the form")
    names = {field.attributes.get("name") for field in page.css("input")}
    assert {*fill_search_form((live_world / "craCharities/advncdSrch.html").read_bytes(), "the form")} - names == {"p"}


@pytest.mark.anyio
async def test_the_made_up_list_and_returns_are_fetched_and_read_whole(live_world: Path, tmp_path: Path) -> None:
    resources = await fetched(KEY, live_world, tmp_path)
    entries, report = parsed(KEY, resources)
    with zipfile.ZipFile(live_world / "craCharities/charities.zip") as archive:
        lines = archive.read(archive.namelist()[2]).decode("iso-8859-1").split("\r\n")[1:-1]
    rows = {line.split("\t")[0]: line.split("\t") for line in lines}
    assert {entry.entry_id for entry in entries} == set(rows)
    for entry in entries:
        assert rows[entry.entry_id][1].startswith(entry.legal_name)
        assert entry.status == rows[entry.entry_id][2]
    assert (report.rejected, dict(report.unknown_terms), report.notes) == (0, {}, [])
    assert report.merged > 0
    assert report.as_of == date(2026, 11, 1)


@pytest.mark.anyio
async def test_the_address_with_the_token_is_not_kept(live_world: Path, tmp_path: Path) -> None:
    resources = await fetched(KEY, live_world, tmp_path)
    assert not any("token" in resource.url for resource in resources)


@pytest.mark.anyio
async def test_the_files_that_name_persons_are_not_fetched(live_world: Path, tmp_path: Path) -> None:
    names = {resource.name for resource in await fetched(KEY, live_world, tmp_path)}
    assert names == {"list", "identification_2024", "websites_2024"}
    assert not any("director" in resource.url for resource in get_source(KEY).metadata.resources)


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["search_form", "list"])
async def test_where_the_form_fails_the_returns_stand_in_without_a_status(live_world: Path, tmp_path: Path, name: str) -> None:
    entries, report = parsed(KEY, await fetched(KEY, live_world, tmp_path, {name: StatusFault(503)}))
    assert entries
    assert {entry.status for entry in entries} == {None}
    assert report.notes == [NO_LIST]


@pytest.mark.anyio
async def test_where_the_returns_have_moved_the_list_is_read_alone(live_world: Path, tmp_path: Path) -> None:
    gone = {"identification_2024": StatusFault(404), "websites_2024": StatusFault(404)}
    entries, report = parsed(KEY, await fetched(KEY, live_world, tmp_path, gone))
    assert all(entry.status is not None for entry in entries)
    assert report.notes == [NO_RETURNS]


@pytest.mark.anyio
async def test_where_nothing_can_be_had_the_first_reason_is_told(live_world: Path, tmp_path: Path) -> None:
    with pytest.raises(UpstreamFailed, match=r"apps\.cra-arc\.gc\.ca returned HTTP 503"):
        await fetched(KEY, live_world, tmp_path, {"search_form": StatusFault(503), "identification_2024": StatusFault(404)})


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "fault", "error"),
    [
        ("list", ChallengePageFault(), ParseFailed),
        ("list", GarbageFault(), ParseFailed),
        ("list", ReplacedFileFault(b""), ParseFailed),
        ("identification_2024", ChallengePageFault(), ParseFailed),
        ("identification_2024", ChangedHeaderFault(), ParseFailed),
        ("websites_2024", GarbageFault(), ParseFailed),
    ],
)
async def test_a_file_that_is_not_what_it_should_be_is_refused(
    live_world: Path, tmp_path: Path, name: str, fault: PublisherFault, error: type[BonafideError]
) -> None:
    with pytest.raises(error):
        parsed(KEY, await fetched(KEY, live_world, tmp_path, {name: fault}))


# --------------------------------------------------------------------------------------------------- real excerpts


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "rows"), [("charities_results_14col_2026-05-02_excerpt.txt", 21), ("charities_results_12col_2022_sample.txt", 8)]
)
def test_real_excerpts_load_whole(shared_data: Path, name: str, rows: int) -> None:
    loaded = load(KEY, shared_data / "regulatory" / KEY / name)
    assert (len(loaded.entries), loaded.report.rejected, dict(loaded.report.unknown_terms)) == (rows, 0, {})
    assert all(entry.join_numbers and entry.addresses and entry.status for entry in loaded.entries)
    assert all(entry.details["category"] and entry.details["designation"] for entry in loaded.entries)


@pytest.mark.realdata
def test_the_code_tables_are_those_of_the_publisher(shared_data: Path) -> None:
    context = get_source(KEY).metadata.terms
    with (shared_data / "regulatory" / KEY / "codes_category.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            assert context[f"category {row['category_code']}"] == row["name_en"]
