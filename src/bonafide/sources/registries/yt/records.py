"""Build entries from records of Yukon's register, which come from the snapshot or from the search page.

The register assigns a new number with a new name and keeps the old record as `Changed Name`. The two are combined into one entry if
the records link them unambiguously.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bonafide.model.entity import NameHistoryItem, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.context import ParseContext

CHANGED_NAME = "Changed Name"
FORMER_NUMBER_LABEL = "Registry Number (former name)"
GOOD_STANDING = {"In Compliance": True, "In Default": False}
"""Entities with annual filings have these statuses. Business names and partnerships are `Active`, so it is unknown."""
_REPEAT_MARKS = re.compile(r" ?\*+(?= /|$)")
"""`HONEYWELL LIMITED**`: a count of earlier records with the name, not a part of it."""
_BILINGUAL = " / "
_MIN_FORM_WORDS = 2
"""One word after the slash is the end of a long name (`… OF CANADA, / LIMITED`)."""


@dataclass(frozen=True, slots=True)
class YukonRecord:
    """One record. Its names have the register's repeat marks, which distinguish records."""

    number: str
    name: str
    former_name: str | None
    kind: str | None
    home: str | None
    status: str | None


def build_entries(records: Iterable[YukonRecord], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry for each record that is not a former name of another. All records are read before the first entry is yielded.

    The first of several records with the same number is used.
    """
    known: dict[str, YukonRecord] = {}
    for record in records:
        known.setdefault(record.number, record)
    successors = _find_successors(known)
    former: dict[str, list[YukonRecord]] = defaultdict(list)
    for number in successors:
        former[_find_last(number, successors)].insert(0, known[number])
        context.merge()
    for number, record in known.items():
        if number not in successors:
            yield _build_entry(record, former[number], context)


# ------------------------------------------------------------------------------------------------------------ former names


def _find_successors(records: dict[str, YukonRecord]) -> dict[str, str]:
    """Map the number of each former record to that of the record with its name as former name.

    Names repeat, so records are linked only if exactly one former record and one successor of the same type have the name.
    """
    former_records: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    renamed: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    for record in records.values():
        if record.status == CHANGED_NAME:
            former_records[record.kind, _normalize_name(record.name)].append(record.number)
        if record.former_name is not None and _normalize_name(record.former_name) != _normalize_name(record.name):
            renamed[record.kind, _normalize_name(record.former_name)].append(record.number)
    links = {old[0]: renamed[key][0] for key, old in former_records.items() if len(old) == 1 and len(renamed[key]) == 1}
    return {old: new for old, new in links.items() if not _is_circular(old, links)}


def _is_circular(number: str, links: dict[str, str]) -> bool:
    """Whether the links from a number form a cycle, as for a name that was readopted."""
    passed = {number}
    while (number := links.get(number, "")) != "":
        if number in passed:
            return True
        passed.add(number)
    return False


def _find_last(number: str, successors: dict[str, str]) -> str:
    while number in successors:
        number = successors[number]
    return number


def _normalize_name(name: str) -> str:
    """A name in lower case without spaces and punctuation, but with its repeat marks."""
    return re.sub(r"[^\w*]|_", "", name).casefold()


# ------------------------------------------------------------------------------------------------------------ entries


def _build_entry(record: YukonRecord, former: list[YukonRecord], context: ParseContext) -> RegistryEntry:
    label = str(context.metadata.number_label)
    numbers = [RegistrationNumber(label=label, value=record.number)]
    numbers += [RegistrationNumber(label=FORMER_NUMBER_LABEL, value=old.number) for old in former]
    name = _remove_repeat_marks(record.name)
    return RegistryEntry(
        entry_id=record.number,
        jurisdiction=Jurisdiction.YT,
        legal_name=name,
        alternate_names=tuple(_split_languages(name)),
        name_history=_build_history(record, former),
        registration_numbers=tuple(numbers),
        entity_type=record.kind,
        status=record.status,
        status_code=context.status(record.status),
        good_standing=GOOD_STANDING.get(record.status) if record.status is not None else None,
        home_jurisdiction=record.home,
    )


def _build_history(record: YukonRecord, former: list[YukonRecord]) -> tuple[NameHistoryItem, ...]:
    """Every former name once. They have no dates."""
    names: dict[str, str] = {}
    for older in (record, *former):
        for name in (older.name, older.former_name):
            if name is not None:
                names.setdefault(_normalize_name(_remove_repeat_marks(name)), _remove_repeat_marks(name))
    del names[_normalize_name(_remove_repeat_marks(record.name))]
    return tuple(NameHistoryItem(type="former", name=name) for name in names.values())


def _split_languages(name: str) -> list[str]:
    """The English and French forms of a bilingual name (`SIEMENS CANADA LIMITED / SIEMENS CANADA LIMITEE`)."""
    forms = list(dict.fromkeys(name.split(_BILINGUAL)))
    return forms if len(forms) > 1 and all(len(form.split()) >= _MIN_FORM_WORDS for form in forms) else []


def _remove_repeat_marks(name: str) -> str:
    return _REPEAT_MARKS.sub("", name) or name
