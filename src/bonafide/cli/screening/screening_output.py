"""Print a sanctions screening: of a name, of a search or of a verification."""

from collections.abc import Iterable

from rich.markup import escape

from bonafide.cli.output import format_score, out
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message, plural_message
from bonafide.model.search.match import SanctionsMatch, ScreenedList, Screening, ScreeningStatus


def print_screening(found: Screening, *, verbose: bool) -> None:
    """The hits, each with its list, what could not be screened and, with `verbose`, the screened lists."""
    _print_hits(found.matches)
    for warning in found.warnings:
        if warning.message != found.reason:
            out.print(f"[yellow]{escape(localize(warning.message))}[/]", highlight=False, soft_wrap=True)
    if found.status is ScreeningStatus.SCREENED:
        matches = plural_message("{n} sanctions match.", "{n} sanctions matches.", found.total_matches)
        lists = plural_message("{n} list screened", "{n} lists screened", len(found.lists))
        hint = localize(Message(" (-v to list)")) if found.lists and not verbose else ""
        out.print(f"{localize(matches)} {localize(lists)}{hint}.", highlight=False)
    for subject in found.subjects:
        if subject.matches:
            heading = Message("Hits for “{name}”", name=subject.name)
            out.print(f"[yellow]{escape(localize(heading))}[/]", highlight=False, soft_wrap=True)
            _print_hits(subject.matches)
    for subject in found.subjects:
        if subject.status is ScreeningStatus.NOT_SCREENED and subject.reason is not None:
            line = Message("“{name}” was not screened: {reason}", name=subject.name, reason=subject.reason)
            out.print(f"[yellow]{escape(localize(line))}[/]", highlight=False, soft_wrap=True)
    if verbose:
        for item in found.lists:
            out.print(f"[dim]  {_format_list(item)}[/]", highlight=False)


def _print_hits(matches: Iterable[SanctionsMatch]) -> None:
    for match in matches:
        name = match.legal_name
        matched = "" if name.matched_name == name.name else escape(localize(Message(" as {name}", name=name.matched_name)))
        program = escape(f"{match.source}: {'; '.join(match.details.programs)}")
        out.print(f"{format_score(name.match_score)} [bold]{escape(name.name)}[/]{matched}  [dim]{program}[/]", highlight=False)


def _format_list(item: ScreenedList) -> str:
    day = item.as_of if item.as_of is not None else item.retrieved_at.date()
    entries = plural_message(
        "{source}: {n:,} entry, {day}", "{source}: {n:,} entries, {day}", item.entries, source=item.source, day=str(day)
    )
    return localize(entries)
