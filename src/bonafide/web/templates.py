"""Pages from Jinja templates: values are escaped, an unknown name is an error, numbers and dates are written as the language does.

A template receives what it shows and looks nothing up. Its texts are English and are translated by the catalogue (`bonafide.i18n`),
as are the messages of services. Texts of sources and callers are never translated.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from bonafide.i18n.catalog import translate, translate_template
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, context_message, plural_message
from bonafide.web.assets import get_asset_url

_THIN = "\u202f"
_HARD = "\u00a0"


class PageTexts:
    """What templates call to write in the language of the page.

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
        message = plural_message(singular, plural, n)
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
            "instant": format_instant_utc,
            "number": format_number,
            "score": format_score,
            "percent": format_percent,
        }

    def render(self, name: str, language: Language, context: Mapping[str, Any]) -> str:
        """The template filled in."""
        return self._environment.get_template(name).render({**PageTexts(language).as_context(), **context})

    def fragment(self, name: str, block: str, language: Language, context: Mapping[str, Any]) -> str:
        """One block of a template by itself: what htmx swaps into a page that has the rest already."""
        template = self._environment.get_template(name)
        return "".join(template.blocks[block](template.new_context({**PageTexts(language).as_context(), **context})))


def _is_french(context: Context) -> bool:
    return context.get("language") is Language.FRENCH


def format_day(value: date | None) -> str | Markup:
    """`2026-11-20`, in both languages: the standard of Canada for dates in numbers."""
    return "" if value is None else Markup('<time datetime="{0}">{0}</time>').format(value.isoformat())


def format_instant_utc(value: datetime | None) -> str | Markup:
    """`2026-11-20 14:33 UTC`."""
    if value is None:
        return ""
    utc = value.astimezone(UTC)
    machine = utc.isoformat(timespec="seconds").replace("+00:00", "Z")
    return Markup('<time datetime="{}">{}</time>').format(machine, f"{utc:%Y-%m-%d %H:%M}{_HARD}UTC")


@pass_context
def format_number(context: Context, value: float) -> str:
    """`12,345` or `12 345`."""
    return format_grouped(value, context["language"])


def format_grouped(value: float, language: Language) -> str:
    """`12,345` or `12 345`."""
    return f"{value:,}".replace(",", _THIN).replace(".", ",") if language is Language.FRENCH else f"{value:,}"


@pass_context
def format_score(context: Context, value: float | None) -> str:
    """`0.87` or `0,87`; never rounded up to a 1 that it is not."""
    if value is None:
        return ""
    text = f"{value:.2f}" if value >= 1 else f"{min(value, 0.99):.2f}"
    return text.replace(".", ",") if _is_french(context) else text


@pass_context
def format_percent(context: Context, value: float) -> str:
    """`87%` or `87 %` of a share."""
    return f"{value:.0%}".replace("%", f"{_HARD}%") if _is_french(context) else f"{value:.0%}"
