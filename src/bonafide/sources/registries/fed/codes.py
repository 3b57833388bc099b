"""The meanings of codes in the older XML, from the `codes.xml` of the archive or from `source.yml`."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import IO

from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import read_stream
from bonafide.sources.framework.context import Resource
from bonafide.sources.framework.metadata import SourceMetadata
from bonafide.sources.registries.fed import register_rules

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


@dataclass(frozen=True)
class CodeTable:
    """English words by kind of code (`status`, `act`, `activity`) and code; `published` has those of the archive."""

    metadata: SourceMetadata
    published: dict[tuple[str, str], str] = field(default_factory=dict)

    def word(self, kind: str, code: str) -> str | None:
        """The meaning of a code; None for a code that neither the archive nor `source.yml` has."""
        return self.published.get((kind, code)) or self.metadata.terms.get(f"{kind} {code}")

    def origin(self, activity: str) -> str | None:
        """How an activity creates a corporation; None for other activities."""
        return self._origins.get(activity)

    @cached_property
    def _origins(self) -> dict[str, str]:
        own = self.metadata.terms.items()
        known = {term.removeprefix("activity "): word for term, word in own if term.startswith("activity ")}
        words = known | {code: word for (kind, code), word in self.published.items() if kind == "activity"}
        meanings = {code: register_rules.classify_beginning(word, self.metadata) for code, word in words.items()}
        return {code: meaning for code, meaning in meanings.items() if meaning is not None}


def read_codes(file: IO[bytes], resource: Resource, metadata: SourceMetadata) -> CodeTable:
    """Read a `codes.xml`. Raises `ParseFailed` when it is not well-formed."""
    published: dict[tuple[str, str], str] = {}
    for code in read_stream(file, resource, "code"):
        for key in code.iterfind("{*}key"):
            for full in key.iterfind("{*}full"):
                word = normalize_whitespace(full.text)
                if word is not None and (full.get(_LANGUAGE) or full.get("lang")) == "en":
                    published[code.get("name") or "", key.get("value") or ""] = word
    return CodeTable(metadata, published)
