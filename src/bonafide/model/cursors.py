"""Opaque cursors of feeds: a text that states a position, encoded for a URL."""

import base64
import binascii
import re

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message


def encode_cursor_text(text: str) -> str:
    """A text as a cursor."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_cursor_text(cursor: str, form: re.Pattern[str]) -> re.Match[str]:
    """The parts of the text of a cursor. Raises `ValidationFailed` unless the text has this form."""
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except (binascii.Error, ValueError):
        text = ""
    parts = form.fullmatch(text)
    # The decoder ignores some characters. Only the cursor that was returned is valid.
    if parts is None or encode_cursor_text(text) != cursor:
        raise ValidationFailed.of_field("cursor", Message("is not a valid cursor: send cursor.next unchanged"))
    return parts
