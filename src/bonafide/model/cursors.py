"""Opaque cursors of feeds: a text that states a position, encoded for a URL."""

import base64
import binascii
import re
from datetime import UTC, datetime, timedelta

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(instant: datetime) -> int:
    """The microseconds since 1970, as cursors state instants."""
    return (instant - EPOCH) // _MICROSECOND


def from_microseconds(text: str) -> datetime:
    """The instant of the microseconds since 1970 in decimal digits."""
    return EPOCH + int(text) * _MICROSECOND


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
