"""The way from a document to the bytes of its PDF.

Data reaches Typst as JSON texts, which the template parses: no string of it is ever compiled, and a template can read the folder
`templates/` alone. Fonts are those of the wheel, so that a document looks the same on every machine. Nothing is stored here.
"""

import json
from pathlib import Path
from typing import Any

import typst

from bonafide.model.branding import PLAIN, Branding
from bonafide.pdf.characters import shown
from bonafide.pdf.labels import words_in
from bonafide.pdf.printable import Printable

_TEMPLATES = Path(__file__).with_name("templates")
STANDARDS: "list[typst.PDFStandard]" = ["a-2b", "ua-1"]
"""For archives and for screen readers: Typst refuses to write what would break either."""
FONTS = typst.Fonts(include_system_fonts=False)
"""Those of the wheel, read once."""


def render(document: Printable, branding: Branding = PLAIN) -> bytes:
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
            "input": json.dumps(_input(document, branding), ensure_ascii=False),
            "words": words_in(document.language),
        },
        pdf_standards=STANDARDS,
        timestamp=int(document.issued_at.timestamp()),
    )


def _input(document: Printable, branding: Branding) -> dict[str, Any]:
    sheet = shown(document.model_dump(mode="json", by_alias=True))
    look = branding.model_dump(mode="json", by_alias=True, exclude={"logo"})
    logo = list(branding.logo) if branding.logo is not None else None
    return {"sheet": sheet, "digest": document.digest, "branding": shown(look) | {"logo": logo}}
