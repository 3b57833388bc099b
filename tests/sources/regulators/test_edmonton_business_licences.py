"""Business licences of Edmonton: the pages of the list, and an older list."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from tests.support.sources.regulator_files import assert_golden, load

KEY = "edmontonBusinessLicences"
FOLDER = Path(__file__).parent / KEY
FILE = FOLDER / "fields.csv"


@pytest.mark.parametrize("layout", ["fields", "until_2020"])
def test_each_layout_gives_the_golden_entries(layout: str) -> None:
    assert_golden(load(KEY, FOLDER / f"{layout}.csv"), FOLDER / f"{layout}.golden.json")


def test_licences_of_one_business_at_one_place_are_one_entry_with_all_categories() -> None:
    loaded = load(KEY, FILE)
    entry = next(entry for entry in loaded.entries if entry.registration_number == "900000001-002")
    assert entry.details["categories"] == [
        "Restaurant or Food Service",
        "Food Processing / Catering Service",
        "Alcohol Sales (Consumption On-Premises / Minors Allowed)",
    ]
    assert entry.details["otherLicenceNumbers"] == ["900000001-001"]
    assert [address.raw for address in entry.addresses] == ["2020-10060 JASPER AVENUE NW, Edmonton, AB, CA"]
    assert loaded.report.merged == 2


def test_without_a_place_the_account_tells_one_business_from_another() -> None:
    entries = [entry for entry in load(KEY, FILE).entries if entry.legal_name == "HOME EXAMPLE"]
    assert [entry.registration_number for entry in entries] == ["900000003-001", "900000004-001"]


def test_words_in_place_of_an_address_are_no_address() -> None:
    loaded = load(KEY, FILE)
    assert loaded.named("VISITING EXAMPLE LTD.").addresses == ()
    assert not any("<" in (address.raw or "") for entry in loaded.entries for address in entry.addresses)


def test_a_status_is_derived_from_the_last_day() -> None:
    entry = next(entry for entry in load(KEY, FILE).entries if entry.registration_number == "900000002-001")
    assert (entry.status, entry.status_code, entry.details["statusDerived"]) == ("Expired", "inactive", True)
    assert entry.addresses[0].street == "9 WINSTON CHURCHILL SQUARE"


def test_licences_of_a_person_and_names_that_are_withheld_are_passed_over() -> None:
    loaded = load(KEY, FILE)
    assert loaded.report.notes == ["2 rows skipped: licences of individuals", "2 rows skipped: no name is published"]
    assert not {"JANE SAMPLE", "SAMPLE STAGE NAME"} & {entry.legal_name for entry in loaded.entries}


def test_rows_that_cannot_be_read_are_rejected_and_an_unknown_type_is_counted() -> None:
    report = load(KEY, FILE).report
    assert report.reasons == {"externalid is empty": 1, "'whenever' is not a date": 1}
    assert report.unknown_terms == {"term: Lunar": 1}


def test_an_older_list_has_a_trade_name_beside_the_name() -> None:
    entry = load(KEY, FOLDER / "until_2020.csv").named("Older Example Ltd.")
    assert (entry.alternate_names, entry.status) == (("Older Example Cafe",), "Expired")


def test_a_new_column_refuses_the_page(tmp_path: Path) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_bytes(FILE.read_bytes().replace(b"licencetype\n", b"licencekind\n"))
    with pytest.raises(ParseFailed, match="missing columns: licencetype; unknown columns: licencekind"):
        load(KEY, changed)


# ------------------------------------------------------------------------------------------------------------ fetching


async def fetched(answer: bytes) -> list[str]:
    """The addresses of the pages that are fetched when the portal gives this answer to the question for the count."""
    source = get_source(KEY)
    urls: list[str] = []

    async def read(url: str) -> bytes:
        assert url == "https://data.edmonton.ca/resource/qhi4-bdpu.json?$select=count(*)"
        return answer

    async def download(resource: ResourceMetadata) -> Resource:
        urls.append(resource.url)
        return Resource(resource.name, FILE, resource.url, datetime(2026, 11, 20, tzinfo=UTC), "", 0)

    assert source.fetch is not None
    found = await source.fetch(FetchContext(source.metadata, download, read))
    assert [resource.name for resource in found] == [f"licences_{number}" for number in range(1, len(urls) + 1)]
    return urls


@pytest.mark.anyio
@pytest.mark.parametrize(("count", "offsets"), [("43672", [0]), ("50000", [0]), ("100001", [0, 50_000, 100_000])])
async def test_as_many_pages_are_fetched_as_the_list_has(count: str, offsets: list[int]) -> None:
    urls = await fetched(b'[{"count":"%s"}]' % count.encode())
    assert urls == [f"https://data.edmonton.ca/resource/qhi4-bdpu.csv?$limit=50000&$offset={at}&$order=:id" for at in offsets]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html></html>",
        b"[]",
        b"{}",
        b'[{"count":"0"}]',
        b'[{"count":"-5"}]',
        b'[{"count":"many"}]',
        b'[{"count":"99999999"}]',
    ],
)
async def test_a_count_that_is_none_stops_the_fetch(answer: bytes) -> None:
    with pytest.raises(ParseFailed, match="edmontonBusinessLicences: count"):
        await fetched(answer)
