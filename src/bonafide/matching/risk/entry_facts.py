"""The facts that change with a linked entry of a register or regulator, which monitoring has found to differ.

A change concerns the facts that the same source has stated before; those of other sources stay as they are.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from bonafide.matching.risk.search_facts import COVERAGE
from bonafide.model.entity import StatusCode
from bonafide.model.events.event import EventSource, EventType, NewEvent
from bonafide.model.events.event_data import RegistryEntryData
from bonafide.model.risk.facts import FactBuilder, Facts

REGISTRY_CHANGES = frozenset({EventType.REGISTRY_STATUS_CHANGED, EventType.REGISTRY_ENTRY_GONE})
LICENCE_CHANGES = frozenset({EventType.LICENCE_GRANTED, EventType.LICENCE_CHANGED, EventType.LICENCE_LAPSED})
_STATUS_PATHS = ("registry.status", "registry.active")
_GOOD_STANDING = "goodStanding"
_HELD, _LAPSED, _MISSING, _EXPECTED = "licences.held", "licences.lapsed", "licences.missing", "licences.expected"


def build_registry_facts(known: Facts, events: Sequence[NewEvent]) -> tuple[Facts, tuple[str, ...]]:
    """The facts after changes of register entries, and the paths that they replace; nothing for entries of other registers.

    An entry that is gone has no status any more. A status that is not known is not a fact.
    """
    facts, paths = FactBuilder(), set[str]()
    for event in events:
        source, data = event.source, event.data
        if event.type not in REGISTRY_CHANGES or source is None or not isinstance(data, RegistryEntryData):
            continue
        if source.key not in _list_sources(known, ("registry.found", *_STATUS_PATHS)):
            continue
        if event.type is EventType.REGISTRY_ENTRY_GONE:
            facts.add("registry.found", value=False, source=source.key, as_of=source.as_of)
            paths |= {"registry.found", "registry.goodStanding", *_STATUS_PATHS}
            continue
        changed = {change.field: change.to for change in event.changes}
        if data.previous_status_code is not None:
            _add_status(facts, data.status_code, source)
            paths |= set(_STATUS_PATHS)
        if _GOOD_STANDING in changed:
            standing = changed[_GOOD_STANDING]
            facts.add("registry.goodStanding", standing if isinstance(standing, bool) else None, source.key, source.as_of)
            paths.add("registry.goodStanding")
    return facts.build(), tuple(sorted(paths))


def _add_status(facts: FactBuilder, code: StatusCode, source: EventSource) -> None:
    if code is not StatusCode.UNKNOWN:
        facts.add("registry.status", code.value, source.key, source.as_of)
        facts.add("registry.active", code is StatusCode.ACTIVE, source.key, source.as_of)


def _list_sources(known: Facts, paths: Collection[str]) -> set[str]:
    return {known[path].source for path in paths if path in known}


def build_licence_facts(known: Facts, statuses: Mapping[str, Collection[StatusCode]], day: date) -> tuple[Facts, tuple[str, ...]]:
    """The facts after changes of regulators' entries, and the paths that they replace. A list that was not known stays so.

    `statuses` has the statuses of all linked entries of each regulator with a change; empty if none exists any more.
    """
    held = {key for key, codes in statuses.items() if StatusCode.ACTIVE in codes}
    known_codes = {key: [code for code in codes if code is not StatusCode.UNKNOWN] for key, codes in statuses.items()}
    lapsed = {key for key, codes in known_codes.items() if codes and StatusCode.ACTIVE not in codes}
    expected = set(_list_values(known, _EXPECTED))
    facts, paths = FactBuilder(), []
    for path, current in ((_HELD, held), (_LAPSED, lapsed), (_MISSING, expected - held)):
        if path in known:
            others = [key for key in _list_values(known, path) if key not in statuses]
            facts.add_list(path, [*others, *sorted(current & statuses.keys())], COVERAGE, day)
            paths.append(path)
    return facts.build(), tuple(paths)


def _list_values(known: Facts, path: str) -> tuple[str, ...]:
    value = known[path].value if path in known else ()
    return value if isinstance(value, tuple) else ()
