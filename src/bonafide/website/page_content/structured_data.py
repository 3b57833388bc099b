"""What a page says in structured data: things with types and properties, as schema.org's JSON-LD and microdata both have them.

It keeps what is written; which things are the site's own business is decided in `schema_org`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

MAX_THINGS: Final = 2_000
"""Things of one page."""
MAX_TEXT: Final = 5_000
"""Characters of a property."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing: its types without their vocabulary's address, and its properties."""

    types: frozenset[str]
    properties: Mapping[str, tuple["ThingValue", ...]]

    def texts(self, *names: str) -> Iterator[str]:
        """The texts of some properties in order; of a thing its name or its address on the web."""
        for name in names:
            for value in self.properties.get(name, ()):
                text = value if isinstance(value, str) else next(value.texts("name", "url"), "")
                if text:
                    yield text

    def text(self, *names: str) -> str | None:
        """The first text of some properties."""
        return next(self.texts(*names), None)

    def things(self, *names: str) -> Iterator["Thing"]:
        """The things that some properties hold, in order."""
        for name in names:
            for value in self.properties.get(name, ()):
                if isinstance(value, Thing):
                    yield value


ThingValue: TypeAlias = str | Thing


def get_local_name(text: str) -> str:
    """`Bakery` of `https://schema.org/Bakery`, `schema:Bakery` and `Bakery`."""
    return text.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def squeeze_text(text: str) -> str:
    """A property's text with its white space squeezed, of bounded length."""
    return " ".join(text[:MAX_TEXT].split())
