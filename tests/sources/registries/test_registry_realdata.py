"""The parsers on real files, kept beside the checkout: every row is accounted for, and facts that were checked are found."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import ParseReport

Parsed = Callable[..., tuple[list[RegistryEntry], ParseReport]]
Loaded = tuple[dict[str, RegistryEntry], ParseReport]

pytestmark = pytest.mark.realdata


@pytest.fixture(scope="module")
def yukon(parsed: Parsed, shared_data: Path) -> Loaded:
    started = time.perf_counter()
    entries, report = parsed("yt", shared_data / "registries" / "YT" / "corporate_entities_2023-01.csv")
    seconds = time.perf_counter() - started
    print(f"\nyt: {report.rows:,} rows, {len(entries):,} entries, {report.merged:,} merged, {report.rejected:,} rejected")  # noqa: T201
    print(f"yt: {report.rows / seconds:,.0f} rows/s; {dict(Counter(entry.status_code for entry in entries))}")  # noqa: T201
    return {entry.entry_id: entry for entry in entries}, report


@pytest.fixture(scope="module")
def ontario(parsed: Parsed, shared_data: Path) -> Loaded:
    folder = shared_data / "registries" / "ON"
    entries, report = parsed("on", folder / "OntarioTOB_LegalCorpSample.csv", folder / "OntarioTOB_BNLPSample.csv")
    print(f"\non: {report.rows:,} rows, {len(entries):,} entries, {report.rejected:,} rejected")  # noqa: T201
    return {entry.entry_id: entry for entry in entries}, report


@pytest.fixture(scope="module")
def federal(parsed: Parsed, shared_data: Path) -> Loaded:
    entries, report = parsed("fed", shared_data / "registries" / "FED" / "corporations_csv_header_and_2_rows.csv")
    print(f"\nfed: {report.rows:,} rows, {len(entries):,} entries, {report.rejected:,} rejected")  # noqa: T201
    return {entry.entry_id: entry for entry in entries}, report


def test_no_row_of_the_yukon_register_is_lost_and_no_word_unknown(yukon: Loaded) -> None:
    entries, report = yukon
    assert report.rows == 54_467
    assert (len(entries), report.merged, report.rejected) == (52_642, 1_825, 0)
    assert not report.unknown_terms


def test_a_yukon_business_name_that_expired_is_inactive(yukon: Loaded) -> None:
    entry = yukon[0]["200012"]
    assert (entry.legal_name, entry.entity_type, entry.status) == ("MUSICRAFT", "Business Name", "Expired")
    assert entry.status_code is StatusCode.INACTIVE
    assert entry.good_standing is None


def test_yukon_records_of_former_names_are_found_under_the_last_name(yukon: Loaded) -> None:
    entry = yukon[0]["530561"]
    assert entry.legal_name == "HALO RESOURCES LTD."
    assert [item.name for item in entry.name_history] == [
        "TRIMARK ENERGY LTD.",
        "TRIMARK OIL & GAS LTD.",
        "INTERNATIONAL TRIMARK RESOURCES LTD.",
        "TRIMARK RESOURCES LTD.",
    ]
    assert entry.list_search_numbers() == ["530561", "529383", "525944", "525544", "523827"]
    assert "529383" not in yukon[0]


def test_a_yukon_former_name_that_could_be_of_several_stays_an_entry(yukon: Loaded) -> None:
    entry = yukon[0]["521579"]
    assert (entry.legal_name, entry.status) == ("NORCAN LEASING LTD.", "Changed Name")


def test_yukon_standing_follows_compliance(yukon: Loaded) -> None:
    standing = Counter((entry.status, entry.good_standing) for entry in yukon[0].values() if entry.good_standing is not None)
    assert standing == {("In Compliance", True): 5_597, ("In Default", False): 1_446}


def test_no_row_of_the_ontario_extracts_is_lost_and_no_letter_unknown(ontario: Loaded) -> None:
    entries, report = ontario
    assert (report.rows, len(entries), report.rejected) == (260, 260, 0)
    assert not report.unknown_terms


def test_an_ontario_name_over_four_lines_is_one_name(ontario: Loaded) -> None:
    entry = ontario[0]["531375"]
    assert entry.legal_name == "MEGA INTERNATIONAL COMMERCIAL BANK (CANADA) BANQUE INTERNATIONALE DE COMMERCE MEGA (CANADA)"
    assert entry.addresses[0].raw == "1002-4950 YONGE STREET, TORONTO, ON, M2N 6K1, CA"
    assert entry.incorporation_date is None


def test_ontario_corporations_and_business_names_have_their_own_numbers_and_dates(ontario: Loaded) -> None:
    corporation, firm = ontario[0]["549210"], ontario[0]["100062991"]
    assert (corporation.legal_name, corporation.incorporation_date) == ("549210 ONTARIO INC.", date(1983, 5, 2))
    assert corporation.registration_numbers[0].label == "Ontario Corporation Number"
    assert firm.legal_name == "BLANEY MCMURTRY LLP"
    assert firm.registration_numbers[0].label == "Business Identification Number"


def test_ontario_letters_without_a_legend_are_unknown_and_not_guessed(ontario: Loaded) -> None:
    codes = Counter(entry.status_code for entry in ontario[0].values())
    assert codes == {StatusCode.ACTIVE: 164, StatusCode.UNKNOWN: 89, StatusCode.INACTIVE: 7}


def test_an_ontario_date_that_stands_for_none_is_none(ontario: Loaded) -> None:
    assert ontario[0]["525393"].incorporation_date is None


def test_the_federal_rows_are_read(federal: Loaded) -> None:
    entries, report = federal
    assert (report.rows, report.rejected) == (2, 0)
    living, dying = entries["8660115"], entries["821080"]
    assert (living.legal_name, living.good_standing) == ("MINDANGLER CAPITAL INC.", True)
    assert living.addresses[0].street == "515 Legget Drive, Suite 800"
    assert (dying.status_code, dying.good_standing) == (StatusCode.PENDING_DISSOLUTION, False)
    assert dying.addresses[0].postal_code == "H1J 2V1"
    assert dying.incorporation_date is None
