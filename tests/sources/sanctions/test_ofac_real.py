"""OFAC's real lists, in the forms that could be had: every row accounted for, and two forms of one list held against each other.

No name of these files is in the repository. How long the largest takes is recorded, not asserted.
"""

import csv
import gzip
import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from bonafide.model.entry import ListedEntity
from bonafide.sources.framework.discovery import get_source
from tests.support.recorded_figures import FIGURES
from tests.support.sources.ofac_files import CONSOLIDATED, SDN
from tests.support.sources.sanctions_files import Loaded, load

pytestmark = pytest.mark.realdata

Say = Callable[[str, object], None]


@pytest.fixture
def folder(shared_data: Path) -> Path:
    return shared_data / "sanctions" / "us_ofac"


def unpacked(packed: Path, scratch: Path) -> Path:
    (scratch / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
    return scratch / packed.stem


def csv_set(folder: Path, scratch: Path, *names: str) -> list[Path]:
    return [unpacked(folder / f"{name}.csv.gz", scratch) for name in names]


def told(loaded: Loaded) -> str:
    report, entries = loaded.report, loaded.entries
    fields = ("aliases", "weak_aliases", "countries", "identifiers", "birth_dates", "listing_date")
    filled = ", ".join(f"{name} {sum(bool(getattr(entry, name)) for entry in entries) / len(entries):.0%}" for name in fields)
    counts = f"{report.rows:,} rows, {report.entries:,} entries, {report.merged:,} merged, {report.rejected:,} rejected"
    return f"{counts}; {filled}"


def assert_filled(loaded: Loaded, key: str) -> None:
    """As much as a load of the list must have."""
    for name, share in get_source(key).metadata.checks.min_fill.items():
        assert sum(bool(getattr(entry, name)) for entry in loaded.entries) >= share * len(loaded.entries), name


def assert_half_is_refused(loaded: Loaded, key: str) -> None:
    """A load of the list, but not of half of it, is as large as it must be."""
    size = len(loaded.entries)
    assert size / 2 < get_source(key).metadata.checks.min_entries < size


def latin(names: tuple[str, ...]) -> set[str]:
    """Names that the CSV set has as well, which writes quotation marks its own way."""
    return {name.casefold().replace('"', "'") for name in names if name.isascii()}


def test_the_whole_sdn_set_of_july_2021(folder: Path, tmp_path: Path, record_property: Say) -> None:
    whole = load(SDN, *csv_set(folder / "set_2021-07", tmp_path, "sdn", "alt", "add", "sdn_comments"))
    report = whole.report
    record_property(FIGURES, f"{SDN}, CSV set of 2021-07: {told(whole)}")
    assert (report.rows, report.entries, report.merged, report.rejected) == (34_728, 8_976, 25_752, 0)
    assert Counter(entry.entity_type for entry in whole.entries) == {
        "person": 4_620, "organization": 3_673, "vessel": 406, "aircraft": 277,
    }  # fmt: skip
    assert_filled(whole, SDN)
    assert sum(len(entry.aliases) for entry in whole.entries) > 11_500
    assert sum(len(entry.weak_aliases) for entry in whole.entries) > 2_000
    ships = [entry for entry in whole.entries if entry.entity_type == "vessel"]
    assert sum(any(number.label == "IMO number" for number in ship.identifiers) for ship in ships) > 0.9 * len(ships)


def test_every_clause_of_the_remarks_that_is_known_is_taken_out_of_them(folder: Path, tmp_path: Path) -> None:
    whole = load(SDN, *csv_set(folder / "set_2021-07", tmp_path, "sdn", "alt", "add", "sdn_comments"))
    left = " | ".join(entry.remarks or "" for entry in whole.entries)
    assert not any(mark in left for mark in ("k.a. '", "DOB ", "; nationality ", "; citizen ", "-0-", "\x1a"))
    assert all(entry.birth_dates for entry in whole.entries if entry.date_of_birth is not None)
    countries = Counter(country for entry in whole.entries for country in entry.countries)
    assert sum(count for country, count in countries.items() if len(country) != 2) < 0.001 * countries.total()


def test_both_forms_of_the_consolidated_list_agree(folder: Path, tmp_path: Path, record_property: Say) -> None:
    """The set is eleven months younger: few parties have changed between them."""
    old = load(CONSOLIDATED, folder / "cons_enhanced_2025-01-10.zip")
    new = load(CONSOLIDATED, *csv_set(folder / "cons_2025-12-19", tmp_path, "cons_prim", "cons_alt", "cons_add", "cons_comments"))
    record_property(FIGURES, f"{CONSOLIDATED}, enhanced XML of 2025-01: {told(old)}")
    record_property(FIGURES, f"{CONSOLIDATED}, CSV set of 2025-12: {told(new)}")
    assert (new.report.rows, new.report.entries, new.report.merged, new.report.rejected) == (2_099, 442, 1_657, 0)
    assert (old.report.rows, old.report.entries, old.report.rejected) == (443, 443, 0)
    assert str(old.report.as_of) == "2025-01-10"
    assert all(entry.listing_date for entry in old.entries)
    for loaded in (old, new):
        assert_filled(loaded, CONSOLIDATED)
        assert_half_is_refused(loaded, CONSOLIDATED)
    differing = different(old.entries, {entry.entry_id: entry for entry in new.entries})
    record_property(FIGURES, f"{CONSOLIDATED}, parties that differ between the two: {dict(differing)} of {len(old.entries)}")
    assert differing.total() <= 35  # each looked at: parties listed under another program or with new numbers since


def different(entries: list[ListedEntity], others: dict[str, ListedEntity]) -> Counter[str]:
    """How many parties that are in both differ, by field. The order of a list says nothing."""
    found: Counter[str] = Counter()
    for entry in entries:
        other = others.get(entry.entry_id)
        if other is None:
            continue
        found["name"] += entry.name != other.name
        found["kind"] += entry.entity_type is not other.entity_type
        found["aliases"] += latin(entry.aliases) != latin(other.aliases)
        found["weak_aliases"] += latin(entry.weak_aliases) != latin(other.weak_aliases)
        found["identifiers"] += set(entry.identifiers) != set(other.identifiers)
        for name in ("programs", "countries", "birth_dates"):
            found[name] += set(getattr(entry, name)) != set(getattr(other, name))
    return found


def test_a_list_of_todays_size(folder: Path, tmp_path: Path, record_property: Say) -> None:
    """The aliases, addresses and comments of December 2025, under the names that a third party kept of the parties."""
    part = folder / "set_2025-12_partial"
    files = csv_set(part, tmp_path, "alt", "add", "sdn_comments")
    with gzip.open(part / "sdn_names_2025-11.jsonl.gz", "rt", encoding="utf-8") as lines, (tmp_path / "sdn.csv").open("w") as file:
        table = csv.writer(file)
        for line in lines:
            party = json.loads(line)
            main = next(name["full_name"] for name in party["names"] if name["is_primary"])
            table.writerow([party["entity_id"], main, *["-0- "] * 10])
    started = time.perf_counter()
    whole = load(SDN, tmp_path / "sdn.csv", *files)
    record_property(FIGURES, f"{SDN}, size of 2025-12: {told(whole)}; {time.perf_counter() - started:.1f} s")
    assert_half_is_refused(whole, SDN)
    report = whole.report
    assert report.entries == 17_815
    assert set(report.reasons) == {"the row belongs to no party of the set"}
    assert report.rejected < 0.02 * report.rows  # parties of the month between the two files
