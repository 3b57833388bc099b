"""The way from a document to the bytes of its PDF.

Data reaches Typst as JSON texts that the template parses: no string of it is compiled, and a template can read only `templates/`.
Fonts are those of the wheel, so that a document looks the same on every machine. A PDF/A may not hold a character without a glyph,
and a reader must see what a name really holds: characters that are not in `characters.yml`, the list of what the embedded fonts
have, and invisible ones are written by their code points. Nothing is dropped or transliterated.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import typst

from bonafide.i18n.catalog import get_translator
from bonafide.i18n.language import Language
from bonafide.model.accounts.branding import DEFAULT_BRANDING, Branding
from bonafide.package_data import read_yaml
from bonafide.pdf.print_models import PrintedDocument

_NO_BREAK_SPACES = "\u00a0\u202f"
"""French sets them before its high punctuation; any other space is printed as a plain one."""
_SPACE = re.compile(rf"[^\S{_NO_BREAK_SPACES}]")
MAX_MARKS = 3
"""On one letter; a pile of them hides the lines above and below."""
FILES = ("labels.yml", "labels_search.yml", "labels_verification.yml")
_TEMPLATES = Path(__file__).with_name("templates")
STANDARDS: "list[typst.PDFStandard]" = ["a-2b", "ua-1"]
"""For archives and for screen readers: Typst refuses to write what would break either."""
FONTS = typst.Fonts(include_system_fonts=False)
"""Those of the wheel, read once."""


def _build_character_class(ranges: list[str]) -> str:
    """Ranges like `0300-033F` as the inside of a character class."""
    return "".join(rf"\U{first:0>8}-\U{last:0>8}" for first, last in (pair.split("-") for pair in ranges))


def _compile_undisplayable() -> re.Pattern[str]:
    scripts = {script: _build_character_class(ranges) for script, ranges in read_yaml(__package__, "characters.yml").items()}
    marks = scripts["marks"]
    return re.compile(f"[^{''.join(scripts.values())}]+|(?<=[{marks}]{{{MAX_MARKS}}})[{marks}]+")


_UNDISPLAYABLE = _compile_undisplayable()


def _format_code_points(hidden: re.Match[str]) -> str:
    return f"⟨{' '.join(f'U+{ord(character):04X}' for character in hidden[0])}⟩"


def escape_undisplayable(text: str) -> str:
    """The text with each run of characters that can't be shown written as `⟨U+1403 U+14C4⟩`."""
    return _UNDISPLAYABLE.sub(_format_code_points, _SPACE.sub(" ", unicodedata.normalize("NFC", text)))


def escape_value(value: Any) -> Any:
    """A JSON value with all of its texts in characters that can be shown; keys stay as they are."""
    if isinstance(value, str):
        return escape_undisplayable(value)
    if isinstance(value, Mapping):
        return {key: escape_value(item) for key, item in value.items()}
    return [escape_value(item) for item in value] if isinstance(value, list) else value


@cache
def load_labels(language: Language) -> str:
    """Every label in the language as a JSON object, by its key: `tile.match`."""
    # Read once in a process, and flat: a template that read the files itself would do so for each document.
    read = [read_yaml(__package__, "templates", name) for name in FILES]
    words = {key: words for group in read for key, words in _flatten(group, "", language)}
    return json.dumps(words, ensure_ascii=False)


def _flatten(group: Mapping[str, Any], path: str, language: Language) -> Iterator[tuple[str, str]]:
    for key, value in group.items():
        if language.value in value:
            yield f"{path}{key}", value[language.value]
        else:
            yield from _flatten(value, f"{path}{key}.", language)


def render(document: PrintedDocument, branding: Branding = DEFAULT_BRANDING) -> bytes:
    """The document as PDF/A-2b and PDF/UA-1. The same document and branding give the same bytes; safe in any thread."""
    # Each call makes a compiler of its own, in a fifth of a millisecond: one can't take two calls at once. What makes later calls
    # quick (parsed templates, fonts) Typst keeps for the whole process.
    return typst.compile(
        _TEMPLATES / f"{document.template}.typ",
        root=_TEMPLATES,
        font_paths=FONTS,
        ignore_system_fonts=True,
        format="pdf",
        sys_inputs={
            "input": json.dumps(_build_input(document, branding), ensure_ascii=False),
            "words": load_labels(document.language),
        },
        pdf_standards=STANDARDS,
        timestamp=int(document.issued_at.timestamp()),
    )


def _build_input(document: PrintedDocument, branding: Branding) -> dict[str, Any]:
    sheet = escape_value(json.loads(document.to_json(get_translator(document.language))))
    look = branding.model_dump(mode="json", by_alias=True, exclude={"logo"})
    logo = list(branding.logo) if branding.logo is not None else None
    return {"sheet": sheet, "digest": document.digest, "branding": escape_value(look) | {"logo": logo}}


_LOGO_DOCUMENT = b"""
#set document(title: "logo")
#image(bytes(json(bytes(sys.inputs.logo))), height: 10mm, alt: "logo")
"""


@lru_cache(maxsize=64)
def is_logo_drawable(logo: bytes) -> bool:
    """Whether the image is whole, as far as it takes to draw it."""
    compiler = typst.Compiler(ignore_system_fonts=True)
    try:
        compiler.compile(_LOGO_DOCUMENT, format="pdf", pdf_standards=STANDARDS, sys_inputs={"logo": str(list(logo))})
    except typst.TypstError:
        return False
    return True
