"""The list held against the regulations that it is made from: each record beside its item, and what only one of them has.

A record and an item are the same party when they stand at the same place and share a telling word, bear the same name under one
regulation, or are a ship of the same number. Which of two spellings is right is not decided: both count.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

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
_TELLING_LETTERS = 4
_ItemKey = tuple[str, str, str]


class RegulationCrossCheck:
    """The items of some regulations; each is taken by the record that it belongs to, the rest stay."""

    def __init__(self, regulations: Sequence[CanadianRegulation]) -> None:
        self._left: dict[int, RegulationItem] = {}
        self._by_place: dict[_ItemKey, list[int]] = defaultdict(list)
        self._by_name: dict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
        self._by_ship: dict[str, list[int]] = defaultdict(list)
        self._programs: dict[str, str] = {}
        self._found: dict[str, list[str]] = defaultdict(list)
        for regulation in regulations:
            self._add(regulation)

    def _add(self, regulation: CanadianRegulation) -> None:
        program = parse_program(regulation.title)
        key = _normalize_program(program)
        self._programs[key] = program
        for item in regulation.items:
            placed = RegulationItem(regulation.number, program, item)
            number = len(self._left)
            self._left[number] = placed
            self._by_place[key, _normalize_text(item.schedule), item.label or ""].append(number)
            self._by_name[key, _extract_words(placed.party().name)].append(number)
            for ship in placed.ship_numbers():
                self._by_ship[ship.value].append(number)

    def take(self, record: AutonomousListRecord, printed: str) -> RegulationItem | None:
        """The record's item, which no other record gets; None when there is none. What disagrees is noted for the end."""
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
                self._found["parties of the list in no regulation that was read"].append(printed)
            return None
        placed = self._left.pop(chosen)
        self._compare(record, printed, placed)
        return placed

    def _words_at(self, number: int) -> frozenset[str]:
        return _extract_words(self._left[number].party().name)

    def _compare(self, record: AutonomousListRecord, printed: str, placed: RegulationItem) -> None:
        party = placed.party()
        if _collect_words(printed) != _extract_words(party.name):
            self._found["parties that the regulation names otherwise"].append(f"{printed} ({party.name})")
        listed, law = parse_birth_dates(record.born_or_built), parse_birth_dates(party.birth)
        if listed and law and listed != law:
            self._found["parties with another date of birth in the regulation"].append(printed)

    def rest(self, programs: set[str]) -> Iterator[RegulationItem]:
        """The items that no record has taken, under the program's name on the list where it has one."""
        names = {_normalize_program(program): program for program in sorted(programs)}
        for placed in self._left.values():
            program = names.get(_normalize_program(placed.program), placed.program)
            self._found["parties added that only the regulations list"].append(placed.party().name)
            yield RegulationItem(placed.number, program, placed.item)

    def tell(self, context: ParseContext) -> None:
        """Note for the operator how many parties disagree in which way, each with an example."""
        for what, names in self._found.items():
            context.note(f"{what}: {len(names):,}, such as {names[0]}")


def parse_program(title: str) -> str:
    """What the list calls a regulation: `Russia` for `Special Economic Measures (Russia) Regulations`; of others the title."""
    found = _MEASURES.fullmatch(title)
    return found["program"] if found is not None else title


def _normalize_program(program: str) -> str:
    """The same for `China` and `People's Republic of China`, `Burma` and `Myanmar (Burma)`."""
    return parse_country_code(program) or _normalize_text(_BRACKETS.sub("", program))


def _normalize_text(text: str | None) -> str:
    return " ".join(_WORD.findall(fold(text or "")))


def _extract_words(name: str) -> frozenset[str]:
    plain = fold(_BRACKETS.sub(" ", name) or name)
    return frozenset(_WORD.findall(plain.replace("'", "")))


def _collect_words(printed: str) -> frozenset[str]:
    return _extract_words(split_languages(split_birth(printed)[0])[0])


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one == other or any(len(word) >= _TELLING_LETTERS for word in one & other)
