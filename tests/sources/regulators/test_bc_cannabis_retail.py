"""Cannabis stores of British Columbia: what the map is drawn from, the two tables beside it, and the government's own stores."""

import csv
import json
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ParseFailed, SourceNotFound
from bonafide.model.entity import StatusCode
from bonafide_sandbox.publisher_faults import ChallengePageFault, FixedResponseFault, GarbageFault, PublisherFault, StatusFault
from tests.support.sources.changed_files import write_changed
from tests.support.sources.regulator_files import Loaded, assert_golden, load
from tests.support.sources.served_publisher import fetched, parsed

KEY = "bcCannabisRetail"
FOLDER = Path(__file__).parent / KEY
SAVED = FOLDER / "map.response"
TABLE, AS_JSON = FOLDER / "BC-Retail-Cannabis-Stores.csv", FOLDER / "BC-Retail-Cannabis-Stores.response"


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(KEY, SAVED)


def test_the_map_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, FOLDER / "map.golden.json")


def test_the_tables_give_the_entries_that_are_written_down() -> None:
    table = load(KEY, TABLE)
    assert_golden(table, FOLDER / "table.golden.json")
    assert load(KEY, AS_JSON).entries == table.entries


def test_a_store_is_known_by_its_licence_and_marked_as_a_trade_name(loaded: Loaded) -> None:
    entry = loaded.named("Example Buds")
    assert (entry.entry_id, entry.registration_number, entry.details["nameType"]) == ("450001", "450001", "trade")
    assert (entry.status, entry.status_code) == ("Open", StatusCode.ACTIVE)


def test_stores_under_one_licence_are_one_entry(loaded: Loaded) -> None:
    entry = loaded.named("Example Buds")
    assert entry.alternate_names == ("Example Leaf",)
    assert [address.city for address in entry.addresses] == ["Kelowna", "Vernon"]


def test_the_stores_of_the_government_are_one_entry_without_a_number(loaded: Loaded) -> None:
    entry = loaded.named("BC Cannabis Store")
    assert (entry.registration_number, entry.status, len(entry.addresses)) == (None, "Open", 2)
    assert entry.details == {"nameType": "trade", "publicStore": True}
    assert loaded.report.merged == 2


def test_a_store_that_is_not_open_yet_says_so_and_its_licence_holds(loaded: Loaded) -> None:
    entry = loaded.named("Sample Greens")
    assert (entry.status, entry.status_code) == ("Coming Soon", StatusCode.ACTIVE)
    assert "phone" not in entry.details
    assert entry.addresses[0].postal_code == "V1Y 1A2"


def test_stores_that_can_not_be_read_are_rejected(loaded: Loaded) -> None:
    assert [(rejection.line, rejection.reason) for rejection in loaded.report.rejections] == [
        (6, "the store has no name"),
        (7, "the store has no licence number"),
        (8, "isOpen is neither true nor false"),
        (9, "latitude is not a number"),
    ]


def test_an_unknown_status_of_a_table_is_counted() -> None:
    assert load(KEY, TABLE).report.unknown_terms == {"status: Shut": 1}


@pytest.mark.parametrize(
    ("source", "old", "new", "told"),
    [
        (SAVED, '"isOpen"', '"open"', "missing columns: isOpen; unknown columns: open"),
        (TABLE, "Postal", "Post Code", "missing columns: Postal; unknown columns: Post Code"),
        (AS_JSON, '"Status"', '"State"', "missing columns: Status; unknown columns: State"),
    ],
    ids=["map", "table", "table as JSON"],
)
def test_another_key_or_heading_refuses_the_file(tmp_path: Path, source: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(ParseFailed, match=told):
        load(KEY, write_changed(source, tmp_path, old, new))


def test_a_map_without_stores_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(ParseFailed, match="unknown header"):
        load(KEY, path)


@pytest.mark.anyio
async def test_the_made_up_map_is_fetched_and_read_whole(live_world: Path, tmp_path: Path) -> None:
    [resource] = await fetched(KEY, live_world, tmp_path)
    entries, report = parsed(KEY, [resource])
    stores = json.loads((live_world / KEY / "map.json").read_bytes())
    assert (report.rows, report.rejected, dict(report.unknown_terms)) == (len(stores), 0, {})
    licences = {store["license"] for store in stores} - {"Public Store"}
    assert {entry.registration_number for entry in entries} - {None} == licences
    assert {entry.legal_name for entry in entries} == {store["name"] for store in stores}


@pytest.mark.anyio
async def test_the_map_as_a_table_says_the_same(live_world: Path, tmp_path: Path) -> None:
    stores = json.loads((live_world / KEY / "map.json").read_bytes())
    keys = ("license", "name", "phone", "addressStreet", "addressCity", "addressPostal")
    with (tmp_path / "table.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("Licence", "Establishment Name", "Phone", "Address", "City", "Postal", "Status"))
        writer.writerows([*(store[key] for key in keys), "Open" if store["isOpen"] else "Coming Soon"] for store in stores)
    table = load(KEY, tmp_path / "table.csv").entries
    mapped = load(KEY, live_world / KEY / "map.json").entries
    assert [(entry.entry_id, entry.status, entry.addresses) for entry in table] == [
        (entry.entry_id, entry.status, entry.addresses) for entry in mapped
    ]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (StatusFault(404), SourceNotFound),
        (ChallengePageFault(), ParseFailed),
        (GarbageFault(), ParseFailed),
        (FixedResponseFault(b""), ParseFailed),
        (FixedResponseFault(b'{"message": "error"}'), ParseFailed),
    ],
    ids=["moved", "a page for people", "garbage", "empty", "an error"],
)
async def test_what_goes_wrong_is_told(live_world: Path, tmp_path: Path, fault: PublisherFault, error: type[BonafideError]) -> None:
    with pytest.raises(error):
        parsed(KEY, await fetched(KEY, live_world, tmp_path, {"stores": fault}))
