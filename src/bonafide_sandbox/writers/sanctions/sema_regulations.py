"""The regulations behind the Canadian list: its listings as schedules, plus some that are missing from the list.

As in the real regulations, birth dates are written out and other names are combined in one sentence.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from random import Random
from typing import Any

from lxml.etree import _Element as Element

from bonafide_sandbox.generator.canadian_listings import CanadianListing, create_listings
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.writers.formats.justice_regulation import SchedulePartContent, add_schedule, add_ships, create_regulation

MEASURES: list[dict[str, Any]] = read_table("regulations")["measures"]
_SHIPS = "1.1"
_HEADINGS = {"Part 1": "Individuals", "Part 2": "Entities"}


def to_resource_name(number: str) -> str:
    """Return the resource name of a regulation: `sor_2014_58`."""
    return number.lower().replace("/", "_").replace("-", "_")


def build_regulations(listings: Sequence[CanadianListing], seed: int) -> Iterable[tuple[str, Element]]:
    """Build each regulation, by its number."""
    unlisted = [listing for listing in create_listings(seed + 1) if listing.last_name is not None]
    random = Random(f"regulations of {seed}")
    for measure in MEASURES:
        root = create_regulation(measure["number"], measure["title"])
        regime = measure.get("regime")
        own = [listing for listing in listings if regime is not None and listing.regime.startswith(regime)]
        if own:
            _add_listings(root, own)
        else:
            alone = random.sample(unlisted, measure["alone"])
            items = [(str(place), _sentence(listing)) for place, listing in enumerate(alone, start=1)]
            add_schedule(
                root, "SCHEDULE", measure.get("heading", "Persons"), [SchedulePartContent(None, None, [*items, ("99", None)])]
            )
        yield measure["number"], root


def _add_listings(root: Element, listings: Iterable[CanadianListing]) -> None:
    places: dict[str, dict[str, list[CanadianListing]]] = defaultdict(lambda: defaultdict(list))
    for listing in listings:
        schedule, _, part = listing.schedule.partition(", ")
        places[schedule][part].append(listing)
    for schedule, parts in places.items():
        if schedule == _SHIPS:
            add_ships(root, f"SCHEDULE {schedule}", map(_row, parts[""]))
            continue
        add_schedule(
            root,
            f"SCHEDULE {schedule}",
            "Persons" if any(parts) else "Entities",
            [
                SchedulePartContent(part.upper() or None, _HEADINGS.get(part), [*map(_item, own), ("999", None)])
                for part, own in parts.items()
            ],
        )


def _item(listing: CanadianListing) -> tuple[str, str]:
    return listing.item, _sentence(listing)


def _row(listing: CanadianListing) -> tuple[str, str, str, str, str]:
    kind = (listing.title or "").partition(" | ")[0]
    return listing.item, listing.imo or "", listing.entity or "", kind, listing.born_or_built or ""


def _sentence(listing: CanadianListing) -> str:
    name = listing.entity or f"{listing.given_name} {(listing.last_name or '').strip()}"
    born = _in_words(listing.born_or_built) if listing.entity is None else None
    names = (listing.aliases or "").split("; ") if listing.aliases is not None else []
    parts = [name, f"(born on {born})" if born is not None else "", f"(also known as {_joined(names)})" if names else ""]
    return " ".join(part for part in parts if part)


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _in_words(born: str | None) -> str | None:
    """Format a full date as `May 4, 1950`. The schedules omit partial dates."""
    try:
        day = date.fromisoformat(born or "")
    except ValueError:
        return None
    return f"{day:%B} {day.day}, {day.year}"
