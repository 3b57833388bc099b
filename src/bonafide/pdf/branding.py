"""Whose paper it is: the name, colours and logo that an organization puts on its documents.

Refused here, when it is set, is what could not be read or drawn later. It does not decide where any of it stands on the page.
"""

import re
from functools import lru_cache
from typing import Annotated

import typst
from pydantic import AfterValidator, Base64Bytes, Field

from bonafide.model.base import Document

MAX_LOGO_BYTES = 256 * 1024
MIN_CONTRAST = 4.5
"""Of text on white: success criterion 1.4.3 of the Web Content Accessibility Guidelines, level AA."""
_DARK = 0.04045
"""Below it sRGB is linear (IEC 61966-2-1)."""
_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")
_DRAWING = b'#set page(width: auto, height: auto)\n#image(bytes(json(bytes(sys.inputs.logo))), height: 10mm, alt: "logo")'


def _linear(share: float) -> float:
    """One part of an sRGB colour as light."""
    return share / 12.92 if share <= _DARK else ((share + 0.055) / 1.055) ** 2.4


def _legible(colour: str) -> str:
    if re.fullmatch(r"#[0-9a-fA-F]{6}", colour) is None:
        raise ValueError("a colour is written #rrggbb")
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    contrast = 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    if contrast < MIN_CONTRAST:
        raise ValueError(f"text of this colour is too pale on white: a contrast of {contrast:.1f}, where {MIN_CONTRAST} is needed")
    return colour.lower()


@lru_cache(maxsize=64)
def _can_be_drawn(logo: bytes) -> bool:
    compiler = typst.Compiler(ignore_system_fonts=True)
    try:
        compiler.compile(_DRAWING, format="pdf", sys_inputs={"logo": str(list(logo))})
    except typst.TypstError:
        return False
    return True


def _drawable(logo: bytes) -> bytes:
    if not logo.startswith(_SIGNATURES):
        raise ValueError("a logo is a PNG or JPEG image")
    if not _can_be_drawn(logo):
        raise ValueError("the image is damaged")
    return logo


Colour = Annotated[str, AfterValidator(_legible)]
"""`#rrggbb`, dark enough for text on white."""
Logo = Annotated[Base64Bytes, Field(max_length=MAX_LOGO_BYTES), AfterValidator(_drawable)]
"""A PNG or JPEG image that can be drawn."""


class Branding(Document):
    """The look of an organization's documents; `PLAIN` is what those have that chose none."""

    name: str = Field(min_length=1, max_length=80)
    primary: Colour = "#1f3a5f"
    """Headings, rules and the names in use."""
    secondary: Colour = "#5a6b80"
    """Small labels and former names."""
    logo: Logo | None = None


PLAIN = Branding(name="bonafide")
