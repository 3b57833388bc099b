"""Render pages from Jinja templates. Values are escaped, unknown names are errors, numbers and dates follow the language.

Templates receive all values that they show. Their texts are English and are translated by the catalogue (`bonafide.i18n`),
as are the messages of services. Texts of sources and callers are never translated.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache
from typing import Any

from babel.dates import format_date
from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from bonafide.i18n.catalog import translate, translate_template
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, context_message, plural_message
from bonafide.i18n.time_zone_names import UTC_NAME, name_zone
from bonafide.matching.scoring.score_parameters import truncate_score
from bonafide.web.assets import get_asset_url

_THIN = "\u202f"
_HARD = "\u00a0"


class PageTexts:
    """The functions that templates call to write texts in the language of the page.

    `t("{score} or more", score=0.7)` is a text of the template with its values; `t(message)` a message of a service or a label;
    `nt("{n} match", "{n} matches", 3)` has a singular and a plural, `ct("status", "Open")` a context.
    """

    def __init__(self, language: Language) -> None:
        self._language = language

    def translate(self, text: str, **values: Any) -> str:
        """A message, or a text of the template."""
        message = text if isinstance(text, Message) else Message(text)
        return fill_placeholders(translate(message, self._language), values)

    def translate_plural(self, singular: str, plural: str, n: int, **values: Any) -> str:
        """The text for `n` things."""
        message = plural_message(singular, plural, n, **values)
        template = translate_template(message, self._language)
        return fill_placeholders(template, {"n": format_grouped(n, self._language), **values})

    def translate_in_context(self, context: str, text: str, **values: Any) -> str:
        """A text whose English has several translations."""
        return fill_placeholders(translate(context_message(context, text), self._language), values)

    def as_context(self) -> dict[str, Any]:
        """The names in templates."""
        return {"language": self._language, "t": self.translate, "nt": self.translate_plural, "ct": self.translate_in_context}


def fill_placeholders(text: str, values: dict[str, Any]) -> str:
    """The text with its `{name}` placeholders filled; safe for HTML where a value is."""
    if not values:
        return text
    if any(isinstance(value, Markup) for value in values.values()):
        return escape(text).format(**values)
    return text.format(**values)


class Templates:
    """The templates of one package (`<package>/templates`), which may build on those shared by all as `web/…`."""

    def __init__(self, package: str) -> None:
        shared = PrefixLoader({"web": PackageLoader("bonafide.web")})
        self._environment = Environment(
            loader=ChoiceLoader([PackageLoader(package), shared]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.globals["asset"] = get_asset_url
        self._environment.filters |= {
            "day": format_day,
            "instant": format_instant,
            "plain_day": format_plain_day,
            "number": format_number,
            "score": format_score,
            "percent": format_percent,
        }

    def render(self, name: str, language: Language, context: Mapping[str, Any]) -> str:
        """The rendered template."""
        return self._environment.get_template(name).render({**PageTexts(language).as_context(), **context})

    def fragment(self, name: str, block: str, language: Language, context: Mapping[str, Any]) -> str:
        """One rendered block of a template, for htmx to swap into a page."""
        template = self._environment.get_template(name)
        return "".join(template.blocks[block](template.new_context({**PageTexts(language).as_context(), **context})))


def _is_french(context: Context) -> bool:
    return context.get("language") is Language.FRENCH


_BABEL_LOCALE = {Language.ENGLISH: "en_CA", Language.FRENCH: "fr_CA"}
_DAY = "d MMM y"
_REMEMBERED_DAYS = 4096


def write_day(value: date, language: Language) -> str:
    """`20 Nov 2026` or `20 nov. 2026`, with no-break spaces."""
    return _write_day(value.date() if isinstance(value, datetime) else value, language)


@lru_cache(maxsize=_REMEMBERED_DAYS)
def _write_day(value: date, language: Language) -> str:
    # Remembered, because a page may have a hundred dates, most of them the same few days.
    text = format_date(value, _DAY, locale=_BABEL_LOCALE[language])
    return re.sub(r"^1(?= )", "1er", text).replace(" ", _HARD) if language is Language.FRENCH else text.replace(" ", _HARD)


@pass_context
def format_plain_day(context: Context, value: date) -> str:
    """A date for places that take no markup."""
    return write_day(value, context["language"])


@pass_context
def format_day(context: Context, value: date | None) -> str | Markup:
    """`20 Nov 2026` or `20 nov. 2026`."""
    if value is None:
        return ""
    return Markup('<time datetime="{}">{}</time>').format(value.isoformat(), write_day(value, context["language"]))


@pass_context
def format_instant(context: Context, value: datetime | None) -> str | Markup:
    """`20 Nov 2026, 09:33 EST` or `20 nov. 2026, 09 h 33 HNE` in the time zone of the page (`time_zone`), with UTC as its title.

    Pages without a time zone show UTC.
    """
    if value is None:
        return ""
    language, zone = context["language"], context.get("time_zone", UTC)
    machine = value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    if str(zone) == UTC_NAME:
        return Markup('<time datetime="{}">{}</time>').format(machine, write_instant(value, language))
    title, shown = write_instant(value, language), write_instant(value, language, zone)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(machine, title, shown)


def write_instant(value: datetime, language: Language, zone: tzinfo = UTC) -> str:
    """The same without markup."""
    local = value.astimezone(zone)
    clock = f"{local:%H}{_HARD}h{_HARD}{local:%M}" if language is Language.FRENCH else f"{local:%H:%M}"
    return f"{write_day(local, language)}, {clock}{_HARD}{name_zone(local, language)}"


@pass_context
def format_number(context: Context, value: float) -> str:
    """`12,345` or `12 345`."""
    return format_grouped(value, context["language"])


def format_grouped(value: float, language: Language) -> str:
    """`12,345` or `12 345`."""
    return f"{value:,}".replace(",", _THIN).replace(".", ",") if language is Language.FRENCH else f"{value:,}"


@pass_context
def format_score(context: Context, value: float | None) -> str:
    """`0.87` or `0,87`: two decimals, rounded down, so that a score never appears to reach a threshold that it misses."""
    if value is None:
        return ""
    return write_score(value, context["language"])


def write_score(value: float, language: Language) -> str:
    """The same outside templates."""
    text = f"{truncate_score(value):.2f}"
    return text.replace(".", ",") if language is Language.FRENCH else text


@pass_context
def format_percent(context: Context, value: float) -> str:
    """`87%` or `87 %` of a share."""
    return f"{value:.0%}".replace("%", f"{_HARD}%") if _is_french(context) else f"{value:.0%}"
