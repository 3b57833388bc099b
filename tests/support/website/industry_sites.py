"""Small made-up sites in both languages with the class that each belongs to, and sites that speak of no trade.

The codes are those of the official table; the words were written before any of them was classified.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import yaml

from bonafide.website.page_content.markup import SitePage

READ_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class MadeSite:
    """A home page's texts; `codes` are right, none where it speaks of no trade."""

    codes: tuple[str, ...]
    language: str
    title: str
    heading: str
    items: tuple[str, ...]
    paragraph: str

    @property
    def page(self) -> SitePage:
        items = "".join(f"<li>{escape(item)}</li>" for item in self.items)
        html = (
            f'<!doctype html><html lang="{self.language}"><head><title>{escape(self.title)}</title></head><body>'
            "<header><nav><a href='/'>Home</a> <a href='/about'>About us</a> <a href='/contact'>Contact</a></nav></header>"
            f"<h1>{escape(self.heading)}</h1><p>{escape(self.paragraph)}</p><ul>{items}</ul><footer>© 2026</footer></body></html>"
        )
        return SitePage("https://www.site.example/", html, READ_AT)


def _read(part: str) -> tuple[MadeSite, ...]:
    rows = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))[part]
    return tuple(MadeSite(**{**row, "codes": tuple(row["codes"]), "items": tuple(row["items"])}) for row in rows)


SITES = _read("sites")
OF_NO_TRADE = _read("of_no_trade")
