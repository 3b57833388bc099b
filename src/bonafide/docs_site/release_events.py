"""Events of the releases in the changelog: one for each breaking change and each deprecation."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache

from bonafide.docs_site.changelog import (
    ChangeCategory,
    ChangelogEntry,
    compute_entry_id,
    list_deprecations,
    list_named_operations,
    read_changelog,
)
from bonafide.errors import ConfigurationError
from bonafide.model.events.event import EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import ChangelogEntryData

_EVENT_TYPES = {
    ChangeCategory.BREAKING: EventType.CHANGELOG_BREAKING,
    ChangeCategory.DEPRECATED: EventType.CHANGELOG_DEPRECATED,
}


@cache
def read_release_events() -> Mapping[date, Sequence[NewEvent]]:
    """The events of the releases in the changelog of this installation; none if the installation lacks the file."""
    try:
        return build_release_events(read_changelog())
    except ConfigurationError:
        return {}


def build_release_events(entries: Iterable[ChangelogEntry]) -> dict[date, list[NewEvent]]:
    """The events of each release by its date, the earliest first. A release without such entries has none."""
    found: dict[date, list[NewEvent]] = {}
    for entry in entries:
        if entry.day is not None:
            events = found.setdefault(entry.day, [])
            if entry.category in _EVENT_TYPES:
                events.append(_build_event(entry, entry.day))
    return dict(sorted(found.items()))


def _build_event(entry: ChangelogEntry, day: date) -> NewEvent:
    deprecations = list_deprecations([entry])
    sunsets = [one.sunset_on for one in deprecations if one.sunset_on is not None]
    data = ChangelogEntryData(
        entry_id=compute_entry_id(entry),
        released_on=day,
        operations=list_named_operations(entry),
        deprecated_on=min((one.deprecated_on for one in deprecations), default=None),
        sunset_on=min(sunsets, default=None),
    )
    subject = EventSubject(kind=EventSubjectKind.CHANGELOG_ENTRY)
    return NewEvent(_EVENT_TYPES[entry.category], subject, data, resource="/changelog")
