"""Pages from Jinja templates: values are escaped, an unknown name is an error, numbers and dates are written as the language does.

A template is given what it shows; it looks nothing up. Its texts are English; their French is in the YAML files of a folder,
`English: French`, one file for each part of the pages. `services/messages` translates the texts of services (reasons, notes,
errors). Texts of sources and callers are never translated.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from bonafide.model.language import Language
from bonafide.package_data import parse_yaml
from bonafide.services.messages.translation import translate
from bonafide.web.assets import get_asset_url

Translate = Callable[..., str]
"""`t("{n} matches", n=3)`: a text in the page's language, with its blanks filled."""
_THIN = "\u202f"
_HARD = "\u00a0"


class TextCatalog:
    """The texts of one package, whose folder `french` has their French."""

    def __init__(self, package: str) -> None:
        self._package = package

    def in_language(self, language: Language) -> Translate:
        """The function that templates call."""
        french = _load_french(self._package) if language is Language.FRENCH else {}

        def t(english: str, **values: Any) -> str:
            # What has no French stays English: a page is never empty. A test keeps that from happening.
            return fill_placeholders(french.get(english, english), values)

        return t


def fill_placeholders(text: str, values: dict[str, Any]) -> str:
    """The text with its `{name}` blanks filled; safe for HTML where a value is."""
    if not values:
        return text
    if any(isinstance(value, Markup) for value in values.values()):
        return escape(text).format(**values)
    return text.format(**values)


@cache
def _load_french(package: str) -> dict[str, str]:
    french: dict[str, str] = {}
    folder = files(package) / "french"
    for file in sorted(folder.iterdir(), key=lambda found: found.name):
        if file.name.endswith(".yml"):
            french |= parse_yaml(file.read_text("utf-8")) or {}
    return french


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
        self._texts = TextCatalog(package)

    def render(self, name: str, language: Language, context: Mapping[str, Any]) -> str:
        """The template filled in."""
        words = {"language": language, "t": self._texts.in_language(language), "said": lambda text: translate(text, language)}
        return self._environment.get_template(name).render({**words, **context})

    def fragment(self, name: str, block: str, language: Language, context: Mapping[str, Any]) -> str:
        """One block of a template by itself: what htmx swaps into a page that has the rest already."""
        template = self._environment.get_template(name)
        words = {"language": language, "t": self._texts.in_language(language), "said": lambda text: translate(text, language)}
        return "".join(template.blocks[block](template.new_context({**words, **context})))


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
    return f"{value:,}".replace(",", _THIN).replace(".", ",") if _is_french(context) else f"{value:,}"


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
