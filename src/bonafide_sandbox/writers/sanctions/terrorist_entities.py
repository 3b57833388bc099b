"""Canada's list of terrorist entities: the Atom feed, the regulation behind it, and the second regulation.

As in the real data, the feed and the regulation can each be ahead of the other, people are not marked as such, and other names are
in one field with nested parentheses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random

from lxml import etree
from lxml.etree import _Element as Element

from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.changes.schedule import ListedChange, ListSchedule
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.generator.foreign_parties import UPDATED, ForeignPartyKind, create_foreign_parties
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.formats.justice_regulation import (
    SchedulePartContent,
    add_schedule,
    add_sections_list,
    create_regulation,
)
from bonafide_sandbox.writers.formats.standalone_list import add_element, write_document
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import StandaloneListWriterFactory, TargetFile

GROUPS = 80
PEOPLE = 3
RESOLUTION_PEOPLE = 14
RESOLUTION_GROUPS = 12
ATOM = "http://www.w3.org/2005/Atom"
_SOURCE = "ca-sanctions-terrorist-entities"
_TABLE = read_table("regulations")


@dataclass(frozen=True, slots=True)
class _Group:
    """A listed name, printed with its abbreviation, and its other names."""

    name: str
    aliases: tuple[str, ...] = ()
    place: int = 0
    """The place in the feed on day 0, which its addresses contain."""


class TerroristEntitiesWriter:
    """Writes the feed and both regulations. They contain no businesses of the world and no fixed ones."""

    targets = (
        TargetFile(_SOURCE, "feed", f"{_SOURCE}/lstd-ntts-eng.xml", DeliveryRoute.DOWNLOAD),
        TargetFile(_SOURCE, "sor_2002_284", f"{_SOURCE}/SOR-2002-284.xml", DeliveryRoute.DOWNLOAD),
        TargetFile(_SOURCE, "sor_2001_360", f"{_SOURCE}/SOR-2001-360.xml", DeliveryRoute.DOWNLOAD),
    )

    def __init__(self, folder: Path, seed: int, day: int) -> None:
        self._paths = [folder / target.path for target in self.targets]
        self._seed = seed
        self._day = day

    def take(self, business: SandboxBusiness) -> None:
        """Ignore the business: the list contains no businesses of the world."""

    def list_known(self, fixed: KnownBusiness) -> None:
        """Ignore the fixed business: the list contains none."""

    def close(self) -> None:
        """Write the files."""
        self._paths[0].parent.mkdir(parents=True, exist_ok=True)
        groups, others = _invent(self._seed, self._day)
        for path, root in zip(self._paths, (_feed(groups[1:]), _criminal_code(groups[:-1]), _resolutions(others)), strict=True):
            write_document(root, path)


def _invent(seed: int, day: int) -> tuple[list[_Group], list[_Group]]:
    """Generate the entities of the Criminal Code's list on a day, and those of the other regulation, people first."""
    random = Random(f"terrorist entities of {seed}")
    table = _TABLE["groups"]
    names = [(stem, form.format(stem)) for stem, form in product(table["stems"], table["forms"])]
    random.shuffle(names)
    groups = [_group(random, stem, name) for stem, name in names]
    people = [
        _Group(f"{party.given[0]} {party.name}")
        for party in create_foreign_parties(seed + 1)
        if party.kind is ForeignPartyKind.PERSON
    ]
    spelt = [_Group(person.name, (person.name.replace("a", "e"),)) for person in people[:PEOPLE]]
    listed = [*groups[:GROUPS], *spelt]
    random.shuffle(listed)
    placed = [replace(group, place=place) for place, group in enumerate(listed)]
    evolved = _evolve(placed, groups, ListSchedule(seed, _SOURCE, len(listed), day))
    return evolved, [*people[PEOPLE:][:RESOLUTION_PEOPLE], *groups[GROUPS:][:RESOLUTION_GROUPS]]


def _evolve(listed: Sequence[_Group], groups: Sequence[_Group], schedule: ListSchedule) -> list[_Group]:
    """Return the entities on a day. The first and the last one, with which feed and regulation differ, always remain."""
    spare = groups[GROUPS + RESOLUTION_GROUPS :][: schedule.total - len(listed)]
    everyone = [*listed, *(replace(group, place=len(listed) + place) for place, group in enumerate(spare))]
    changes = dict(zip(everyone, schedule.find_changes(), strict=False))
    changes[listed[0]] = ListedChange.NONE
    del changes[listed[-1]]
    changes[listed[-1]] = ListedChange.NONE
    return [
        _amend(group) if change is ListedChange.CHANGED else group
        for group, change in changes.items()
        if change is not ListedChange.REMOVED
    ]


def _amend(group: _Group) -> _Group:
    return replace(group, aliases=(*group.aliases, f"New {group.name.partition(' (')[0]}"))


def _group(random: Random, stem: str, name: str) -> _Group:
    initials = "".join(word[0] for word in name.split() if word[0].isupper())
    printed = f"{name} ({initials})" if len(initials) > 2 else name  # noqa: PLR2004 - shorter abbreviations are not printed
    others = [form.format(stem) for form in _TABLE["groups"]["translations"]]
    aliases = [f"{stem}i ({others[0]}, {others[1]})", others[2], f"Harakat {stem}"]
    return _Group(printed, tuple(aliases[: random.randrange(4)]))


def _feed(groups: Sequence[_Group]) -> Element:
    root = etree.Element("feed")
    root.set("xmlns", ATOM)
    add_element(root, "title", "Listed Terrorist Entities (made up)")
    add_element(root, "updated", f"{UPDATED}T09:00:00Z")
    for group in groups:
        place = group.place
        entry = add_element(root, "entry")
        add_element(entry, "title", group.name)
        add_element(entry, "link", href=f"https://www.publicsafety.gc.ca/sandbox/{place}")
        add_element(entry, "id", f"urn:sandbox:entity:{place}")
        add_element(entry, "published", f"{2003 + place % 20}-0{1 + place % 9}-14T00:00:00Z")
        add_element(entry, "updated", f"{UPDATED}T09:00:00Z")
        add_element(entry, "summary", ", ".join(group.aliases) or "N/A")
        add_element(entry, "content", f"<p>{group.name} is made up.</p>", type="html")
    return root


def _criminal_code(groups: Sequence[_Group]) -> Element:
    root = create_regulation(**_TABLE["terrorism"]["criminal_code"])
    add_sections_list(root, [_sentence(group) for group in groups])
    return root


def _resolutions(groups: Sequence[_Group]) -> Element:
    root = create_regulation(**_TABLE["terrorism"]["resolutions"])
    items = [(str(place), _sentence(group)) for place, group in enumerate(groups, start=1)]
    add_schedule(root, "SCHEDULE", None, [SchedulePartContent(None, None, items)])
    return root


def _sentence(group: _Group) -> str:
    if not group.aliases:
        return group.name
    *first, last = group.aliases
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"{group.name} (also known among other names as {listed})" if first else f"{group.name} (also known as {last})"


WRITERS = (StandaloneListWriterFactory("ca-sanctions-terrorist-entities", TerroristEntitiesWriter),)
