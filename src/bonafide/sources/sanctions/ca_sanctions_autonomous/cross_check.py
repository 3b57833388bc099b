"""Compare the list with the regulations that it is derived from: join each record to its item, and find unmatched ones.

A record and an item are the same party if they have the same position and share a distinctive word, have the same name in one
regulation, or are a ship with the same number. If the spellings differ, both are kept.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from bonafide.i18n.message import Message
from bonafide.matching.text.countries import parse_country_code
from bonafide.matching.text.folding import fold
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.sanctions.ca_sanctions_autonomous.list_records import AutonomousListRecord, split_birth, split_languages
from bonafide.sources.sanctions.ca_sanctions_autonomous.listed_entity import RegulationItem, extract_ship_numbers, get_program
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.regulations import CanadianRegulation

_BRACKETS = re.compile(r"\([^()]*\)")
_MEASURES = re.compile(r"Special Economic Measures \((?P<program>.+)\) Regulations")
_WORD = re.compile(r"\w+")
_DISTINCTIVE_LETTERS = 4
_ItemKey = tuple[str, str, str]
_ONLY_LISTED = Message("Parties of the list that are in no regulation: {count:,}, for example {example}")
_NAME_DIFFERS = Message("Parties whose name differs in the regulation: {count:,}, for example {example}")
_BIRTH_DIFFERS = Message("Parties whose date of birth differs in the regulation: {count:,}, for example {example}")
_ONLY_REGULATED = Message("Parties added that are only in the regulations: {count:,}, for example {example}")


class RegulationCrossCheck:
    """The items of regulations. Each is removed when it is joined to its record."""

    def __init__(self, regulations: Sequence[CanadianRegulation]) -> None:
        self._left: dict[int, RegulationItem] = {}
        self._by_place: dict[_ItemKey, list[int]] = defaultdict(list)
        self._by_name: dict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
        self._by_ship: dict[str, list[int]] = defaultdict(list)
        self._programs: dict[str, str] = {}
        self._found: dict[Message, list[str]] = defaultdict(list)
        for regulation in regulations:
            self._add(regulation)

    def _add(self, regulation: CanadianRegulation) -> None:
        program = parse_program(regulation.title)
        key = _normalize_program(program)
        self._programs[key] = program
        for item in regulation.items:
            regulated = RegulationItem(regulation.number, program, item)
            number = len(self._left)
            self._left[number] = regulated
            self._by_place[key, _normalize_text(item.schedule), item.label or ""].append(number)
            self._by_name[key, _extract_words(regulated.party().name)].append(number)
            for ship in regulated.ship_numbers():
                self._by_ship[ship.value].append(number)

    def take(self, record: AutonomousListRecord, printed: str) -> RegulationItem | None:
        """Remove and return the item of the record; None if there is none. Discrepancies are collected for `add_notes`."""
        key = _normalize_program(get_program(record))
        words = _collect_words(printed)
        at_place = self._by_place.get((key, _normalize_text(record.schedule), record.item or ""), [])
        candidates = [
            *(number for number in at_place if number in self._left and _are_alike(words, self._words_at(number))),
            *self._by_name.get((key, words), []),
            *(number for ship in extract_ship_numbers(record.imo) for number in self._by_ship.get(ship.value, [])),
        ]
        chosen = next((number for number in candidates if number in self._left), None)
        if chosen is None:
            if key in self._programs:
                self._found[_ONLY_LISTED].append(printed)
            return None
        regulated = self._left.pop(chosen)
        self._compare(record, printed, regulated)
        return regulated

    def _words_at(self, number: int) -> frozenset[str]:
        return _extract_words(self._left[number].party().name)

    def _compare(self, record: AutonomousListRecord, printed: str, regulated: RegulationItem) -> None:
        party = regulated.party()
        if _collect_words(printed) != _extract_words(party.name):
            self._found[_NAME_DIFFERS].append(f"{printed} ({party.name})")
        listed, law = parse_birth_dates(record.born_or_built), parse_birth_dates(party.birth)
        if listed and law and listed != law:
            self._found[_BIRTH_DIFFERS].append(printed)

    def rest(self, programs: set[str]) -> Iterator[RegulationItem]:
        """Yield the items without a record, with the program's name on the list if it has one."""
        names = {_normalize_program(program): program for program in sorted(programs)}
        for regulated in self._left.values():
            program = names.get(_normalize_program(regulated.program), regulated.program)
            self._found[_ONLY_REGULATED].append(regulated.party().name)
            yield RegulationItem(regulated.number, program, regulated.item)

    def add_notes(self, context: ParseContext) -> None:
        """Add a note for each kind of discrepancy, with the number of parties and an example."""
        for template, names in self._found.items():
            context.note(template.fill(count=len(names), example=names[0]))


def parse_program(title: str) -> str:
    """Return the list's name of a regulation: `Russia` for `Special Economic Measures (Russia) Regulations`, else the title."""
    found = _MEASURES.fullmatch(title)
    return found["program"] if found is not None else title


def _normalize_program(program: str) -> str:
    """Return the same key for `China` and `People's Republic of China`, `Burma` and `Myanmar (Burma)`."""
    return parse_country_code(program) or _normalize_text(_BRACKETS.sub("", program))


def _normalize_text(text: str | None) -> str:
    return " ".join(_WORD.findall(fold(text or "")))


def _extract_words(name: str) -> frozenset[str]:
    plain = fold(_BRACKETS.sub(" ", name) or name)
    return frozenset(_WORD.findall(plain.replace("'", "")))


def _collect_words(printed: str) -> frozenset[str]:
    return _extract_words(split_languages(split_birth(printed)[0])[0])


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one == other or any(len(word) >= _DISTINCTIVE_LETTERS for word in one & other)
