"""Render a document as PDF.

Data is passed to Typst as JSON that the template parses: no string of it is compiled, and a template can read only `templates/`.
Only the fonts of the wheel are used, so that a document looks the same on every machine. PDF/A forbids characters without a glyph,
and a reader must see what a name contains: invisible characters, and those that are not in `characters.yml` (the characters of the
embedded fonts), are written as code points. No character is dropped or transliterated.
"""

import json
import re
import unicodedata
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import typst

from bonafide.i18n.catalog import get_translator, translate, translate_template
from bonafide.i18n.label_table import list_labels, set_count
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.i18n.time_zone_names import UTC_NAME, name_zone
from bonafide.model.accounts.branding import DEFAULT_BRANDING, Branding
from bonafide.model.entity import RegistrationNumber
from bonafide.package_data import read_yaml
from bonafide.pdf.print_models import PrintedDocument

_NUMBER_FIELDS = set(RegistrationNumber.model_fields)
_NO_BREAK_SPACES = "\u00a0\u202f"
"""French has them beside punctuation; any other white space is printed as a plain space."""
_SPACE = re.compile(rf"[^\S{_NO_BREAK_SPACES}]")
_INSTANT = re.compile(r'"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"')
_TO_THE_MINUTE = len("2026-11-20T14:33")
MAX_MARKS = 3
"""Combining marks on one letter; more of them would cover the lines above and below."""
FILES = (
    "labels.yml",
    "labels_search.yml",
    "labels_verification.yml",
    "labels_ownership.yml",
    "labels_discrepancies.yml",
    "labels_risk.yml",
    "labels_packs.yml",
)
_TEMPLATES = Path(__file__).with_name("templates")
STANDARDS: "list[typst.PDFStandard]" = ["a-2b", "ua-1"]
"""For archives and for screen readers. Typst fails on a document that violates either."""
FONTS = typst.Fonts(include_system_fonts=False)
"""The fonts of the wheel, loaded once."""


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
    """Replace each run of characters that can't be displayed by their code points: `⟨U+1403 U+14C4⟩`."""
    if text.isascii() and text.isprintable():
        return text  # the fonts have all of these characters; most texts have no others
    return _UNDISPLAYABLE.sub(_format_code_points, _SPACE.sub(" ", unicodedata.normalize("NFC", text)))


def escape_value(value: Any) -> Any:
    """Apply `escape_undisplayable` to every text of a JSON value. Keys are unchanged."""
    if isinstance(value, str):
        return escape_undisplayable(value)
    if isinstance(value, dict):
        return {key: escape_value(item) for key, item in value.items()}
    return [escape_value(item) for item in value] if isinstance(value, list) else value


@cache
def load_labels(language: Language) -> str:
    """Every label in the language as a JSON object, by its key: `section.people`; a plural as `{"one": …, "other": …}`."""
    # Read once in a process, and flat: a template that read the files itself would do so for each document.
    labels = (item for name in FILES for item in list_labels(read_yaml(__package__, "templates", name)))
    return json.dumps({key: _translate_label(label, language) for key, label in labels}, ensure_ascii=False)


def _translate_label(label: Message, language: Language) -> str | dict[str, str]:
    if label.plural is None:
        return translate_template(label, language)
    return {form: translate_template(set_count(label, n), language) for form, n in (("one", 1), ("other", 2))}


def render(document: PrintedDocument, branding: Branding = DEFAULT_BRANDING, zone: tzinfo = UTC) -> bytes:
    """Return the document as PDF/A-2b and PDF/UA-1, with times in the time zone.

    The same document, branding and time zone give the same bytes. Thread-safe.
    """
    # Each call creates its own compiler (0.2 ms), because a compiler does not allow concurrent calls. Typst caches parsed templates
    # and fonts for the whole process.
    printed = typst.compile(
        _TEMPLATES / f"{document.template}.typ",
        root=_TEMPLATES,
        font_paths=FONTS,
        ignore_system_fonts=True,
        format="pdf",
        sys_inputs={
            "input": json.dumps(_build_input(document, branding, zone), ensure_ascii=False),
            "words": load_labels(document.language),
        },
        pdf_standards=STANDARDS,
        timestamp=int(document.issued_at.timestamp()),
    )
    _evict_cached_results()
    return printed


def _evict_cached_results() -> None:
    """Compile an empty document, so that Typst's cache holds fewer results of earlier reports.

    Typst keeps the results that its last ten compilations used: hundreds of MiB after large reports. With an empty document after
    each report, these are the results of five reports.
    """
    typst.compile(b"", font_paths=FONTS, ignore_system_fonts=True, format="svg")


def _build_input(document: PrintedDocument, branding: Branding, zone: tzinfo) -> dict[str, Any]:
    sheet = json.loads(document.to_json(get_translator(document.language)))
    sheet = escape_value(_translate_number_labels(sheet, document.language))
    look = branding.model_dump(mode="json", by_alias=True, exclude={"logo"})
    logo = list(branding.logo) if branding.logo is not None else None
    return {
        "sheet": sheet,
        "digest": document.digest,
        "branding": escape_value(look) | {"logo": logo},
        "localTimes": _list_local_times(sheet, zone, document.language) if str(zone) != UTC_NAME else {},
    }


def _list_local_times(sheet: Any, zone: tzinfo, language: Language) -> dict[str, tuple[str, str]]:
    """Each instant of the data with its local time (`2026-11-20T09:33`) and the name of the time zone. Typst has no time zones."""
    times = {}
    for iso in set(_INSTANT.findall(json.dumps(sheet))):
        # A text may look like an instant; an instant at either end of the calendar has no local time.
        with suppress(ValueError, OverflowError):
            local = datetime.fromisoformat(iso).astimezone(zone)
            times[iso] = (local.isoformat()[:_TO_THE_MINUTE], name_zone(local, language))
    return times


def _translate_number_labels(value: Any, language: Language) -> Any:
    """The value with the label of each registration number in the language. Labels are stored as text and looked up as a whole."""
    if isinstance(value, list):
        return [_translate_number_labels(item, language) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == _NUMBER_FIELDS and isinstance(value["label"], str):
        label = Message(str(value.get("label")))
        return {**value, "label": translate(label, language)}
    return {key: _translate_number_labels(item, language) for key, item in value.items()}


_LOGO_DOCUMENT = b"""
#set document(title: "logo")
#image(bytes(json(bytes(sys.inputs.logo))), height: 10mm, alt: "logo")
"""


@lru_cache(maxsize=64)
def is_logo_drawable(logo: bytes) -> bool:
    """Whether Typst can draw the image."""
    compiler = typst.Compiler(ignore_system_fonts=True)
    try:
        compiler.compile(_LOGO_DOCUMENT, format="pdf", pdf_standards=STANDARDS, sys_inputs={"logo": str(list(logo))})
    except typst.TypstError:
        return False
    return True
