"""The values of events as plain text, for mails: the same as the pages show with markup."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bonafide.console.events import labels
from bonafide.console.events.event_view import EVENTS_PAGE, EventLine, EventView, LineKind, build_event_view
from bonafide.console.frame import code_labels
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, context_message
from bonafide.model.events.event import Event, EventSeverity
from bonafide.model.mail import MailDraft
from bonafide.web.templates import format_grouped, write_day, write_instant, write_score

MAX_LINES = 6
"""Details of an event that a mail has; the page has the others."""


@dataclass(frozen=True, slots=True)
class EventText:
    """An event in a mail. `lines` are pairs of a label and a text."""

    title: str
    severity: EventSeverity
    severity_text: str
    at: str
    business: str | None
    subject: str | None
    lines: tuple[tuple[str, str], ...]
    according_to: str | None
    url: str


def build_event_text(event: Event, draft: MailDraft) -> EventText:
    """An event in the language of a mail."""
    view, language = build_event_view(event), draft.language
    page = view.page if view.page is not None else EVENTS_PAGE
    return EventText(
        title=translate(view.title, language),
        severity=event.severity,
        severity_text=translate(code_labels.SEVERITY[event.severity], language),
        at=write_instant(event.occurred_at, language),
        business=view.business_name,
        subject=view.subject,
        lines=tuple((translate(line.label, language), write_line(line, language)) for line in view.lines[:MAX_LINES]),
        according_to=_write_source(view, draft.sources, language),
        url=f"{draft.base_url}{page}",
    )


def _write_source(view: EventView, titles: Mapping[str, Message], language: Language) -> str | None:
    """The source according to which something changed, and the date of its data."""
    source = view.event.source
    if source is None:
        return None
    title = translate(titles.get(source.key, labels.SOURCE_TITLES.get(source.key, source.key)), language)
    if source.as_of is None:
        at = write_instant(source.retrieved_at, language)
        return translate(Message("According to {source}, retrieved {at}", source=title, at=at), language)
    return translate(Message("According to {source}, as of {day}", source=title, day=write_day(source.as_of, language)), language)


def write_line(line: EventLine, language: Language) -> str:
    """The value of a detail, or of a change with the value before it."""
    if line.kind is LineKind.CHANGED:
        return translate(context_message("event", "changed"), language)
    after = _write_value(line, line.value, language)
    if not line.is_change or line.before in (None, "", []):
        return after
    return f"{_write_value(line, line.before, language)} → {after}"


def _write_value(line: EventLine, value: Any, language: Language) -> str:
    """A value as the kind of its line says."""
    if value is None or value in ("", []):
        return translate(Message("No value"), language)
    write = _WRITERS.get(line.kind)
    return write(value, language) if write is not None else _write_plain(value, line.field, language)


def _write_plain(value: Any, field: str, language: Language) -> str:
    """A value of a record, objects and lists in one line."""
    if isinstance(value, bool):
        return translate(Message("Yes") if value else Message("No"), language)
    if field in _CODES and isinstance(value, str):
        return translate(_CODES[field][value], language)
    if isinstance(value, Mapping):
        # The only switch of an object is whether a person is monitored, which most are.
        unmonitored = [translate(Message("Not monitored individually"), language)] if value.get("isMonitored") is False else []
        parts = [part for part in value.values() if part not in (None, [], "") and not isinstance(part, bool)]
        return " · ".join([*(_write_plain(part, "", language) for part in parts), *unmonitored])
    if isinstance(value, list | tuple):
        return ", ".join(_write_plain(part, "", language) for part in value)
    return translate(value, language) if isinstance(value, Message) else str(value)


_CODES: Mapping[str, code_labels.Labels] = {
    "jurisdiction": code_labels.JURISDICTION,
    "monitoring.minSeverity": code_labels.SEVERITY,
}
"""The labels of fields of business records that have codes."""
_WRITERS: Mapping[LineKind, Callable[[Any, Language], str]] = {
    LineKind.MESSAGE: translate,
    LineKind.NUMBER: format_grouped,
    LineKind.SCORE: write_score,
    LineKind.INSTANT: write_instant,
    LineKind.DAY: write_day,
}
