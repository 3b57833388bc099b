"""The changelog as a page and as an RSS 2.0 feed."""

from collections.abc import Sequence
from datetime import UTC, datetime, time
from email.utils import format_datetime
from hashlib import sha256
from itertools import groupby

from bonafide.api.changelog import Change
from bonafide.api.markup import Markup, joined, prose, tag
from bonafide.api.page import page

TITLE = "API changelog"
_HEADLINE_CHARACTERS = 80


def changelog_page(changes: Sequence[Change]) -> str:
    """The changelog by date and category."""
    return page(TITLE, tag("p", "Every released change to the v1 surface, newest first."), *map(_day, _by_day(changes)))


def changelog_feed(changes: Sequence[Change], address: str) -> str:
    """The changelog as RSS; `address` is that of the page."""
    about = (tag("title", f"bonafide {TITLE}"), tag("link", address), tag("description", "Released changes to the v1 surface"))
    channel = tag("channel", *about, *(_item(change, address) for change in changes))
    return joined(Markup('<?xml version="1.0" encoding="UTF-8"?>'), tag("rss", channel, version="2.0"))


def _by_day(changes: Sequence[Change]) -> list[list[Change]]:
    return [list(same) for _, same in groupby(changes, key=lambda change: change.day)]


def _day(changes: list[Change]) -> Markup:
    by_category = [(category, list(same)) for category, same in groupby(changes, key=lambda change: change.category)]
    sections = [
        joined(tag("h3", category), tag("ul", *(tag("li", prose(change.text)) for change in same)))
        for category, same in by_category
    ]
    day = changes[0].day.isoformat()
    return tag("section", tag("h2", day), *sections, id=day)


def _item(change: Change, address: str) -> Markup:
    headline = change.text.replace("`", "").partition(": ")[0][:_HEADLINE_CHARACTERS]
    # Readers know an entry by this; it changes only with the entry itself.
    identity = sha256(f"{change.day} {change.category} {change.text}".encode()).hexdigest()
    return tag(
        "item",
        tag("title", f"{change.category}: {headline}"),
        tag("link", f"{address}#{change.day}"),
        tag("guid", identity, isPermaLink="false"),
        tag("pubDate", format_datetime(datetime.combine(change.day, time(), UTC))),
        tag("category", change.category),
        tag("description", change.text),
    )
