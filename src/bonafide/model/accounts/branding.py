"""The name, colours and logo that an organization puts on its documents.

Refused here is what could not be read on the page. Whether a logo can be drawn takes a try, which is the business of `pdf`.
"""

import hashlib
import re
from typing import Annotated

from pydantic import AfterValidator, Base64Bytes, Field, StringConstraints

from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.query import Text

MAX_NAME_CHARACTERS = 80
"""More does not fit beside the kind of the document."""
MAX_LOGO_BYTES = 256 * 1024
MIN_CONTRAST = 4.5
"""Of text on white: success criterion 1.4.3 of the Web Content Accessibility Guidelines, level AA."""
_DARK = 0.04045
"""Below it sRGB is linear (IEC 61966-2-1)."""
MAX_LOGO_PIXELS = 4_000_000
"""A small file may unpack to a picture that fills the memory; this many print sharply over a whole page."""
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of the segment that states the size (ITU-T T.81, table B.1)."""


def _to_linear(share: float) -> float:
    """One part of an sRGB colour as light."""
    return share / 12.92 if share <= _DARK else ((share + 0.055) / 1.055) ** 2.4


def _check_contrast(colour: str) -> str:
    if re.fullmatch(r"#[0-9a-fA-F]{6}", colour) is None:
        raise ValueError(Message("must be a colour in the format #rrggbb"))
    red, green, blue = (_to_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    contrast = 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    if contrast < MIN_CONTRAST:
        raise ValueError(
            Message(
                "the contrast of this colour on white is {contrast:.1f}; at least {minimum} is required",
                contrast=contrast,
                minimum=MIN_CONTRAST,
            )
        )
    return colour.lower()


def _check_logo(logo: bytes) -> bytes:
    if not logo.startswith((_PNG, _JPEG)):
        raise ValueError(Message("must be a PNG or JPEG image"))
    pixels = _count_png_pixels(logo) if logo.startswith(_PNG) else _count_jpeg_pixels(logo)
    if pixels == 0:
        raise ValueError(Message("the image is damaged"))
    if pixels > MAX_LOGO_PIXELS:
        raise ValueError(
            Message("the image has {pixels} pixels; at most {limit} are allowed", pixels=pixels, limit=MAX_LOGO_PIXELS)
        )
    return logo


def _count_png_pixels(logo: bytes) -> int:
    """How many pixels the header of a PNG states; 0 where it is cut off."""
    return int.from_bytes(logo[16:20], "big") * int.from_bytes(logo[20:24], "big")


def _count_jpeg_pixels(logo: bytes) -> int:
    """The same of a JPEG, from its first frame."""
    place = 2
    while place + 9 <= len(logo) and logo[place] == 0xFF:  # noqa: PLR2004 - what every marker begins with
        if logo[place + 1] in _JPEG_FRAMES:
            return int.from_bytes(logo[place + 5 : place + 7], "big") * int.from_bytes(logo[place + 7 : place + 9], "big")
        place += 2 + int.from_bytes(logo[place + 2 : place + 4], "big")
    return 0


Colour = Annotated[str, AfterValidator(_check_contrast)]
"""`#rrggbb`, dark enough for text on white."""
Logo = Annotated[Base64Bytes, Field(max_length=MAX_LOGO_BYTES), AfterValidator(_check_logo)]
"""A PNG or JPEG image, base64 on the wire."""


class Branding(Document):
    """The look of an organization's documents; the defaults are what those have that chose none."""

    name: Annotated[Text, StringConstraints(max_length=MAX_NAME_CHARACTERS)] = "bonafide"
    """The name printed on documents."""
    primary: Colour = "#1f3a5f"
    """Colour of headings, rules and current names, as `#rrggbb`."""
    secondary: Colour = "#5a6b80"
    """Colour of small labels and former names, as `#rrggbb`."""
    logo: Annotated[
        Logo | None,
        Field(examples=["iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGMQsHMAAADbAHnk6oR9AAAAAElFTkSuQmCC"]),
    ] = None
    """PNG or JPEG image in base64; replaces the name on the first page."""

    @property
    def digest(self) -> str:
        """SHA-256 of the whole in hexadecimal."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


DEFAULT_BRANDING = Branding()
