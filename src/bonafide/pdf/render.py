"""The way from a document to the bytes of its PDF.

Data reaches Typst as JSON texts that the template parses: no string of it is compiled, and a template can read only `templates/`.
Fonts are those of the wheel, so that a document looks the same on every machine.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import typst

from bonafide.model.accounts.branding import DEFAULT_BRANDING, Branding
from bonafide.pdf.characters import escape_value
from bonafide.pdf.labels import load_labels
from bonafide.pdf.print_models import PrintedDocument

_TEMPLATES = Path(__file__).with_name("templates")
STANDARDS: "list[typst.PDFStandard]" = ["a-2b", "ua-1"]
"""For archives and for screen readers: Typst refuses to write what would break either."""
FONTS = typst.Fonts(include_system_fonts=False)
"""Those of the wheel, read once."""


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
    sheet = escape_value(document.model_dump(mode="json", by_alias=True))
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
