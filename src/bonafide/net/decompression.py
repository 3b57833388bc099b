"""Decompress a response body incrementally, so that a small body cannot exhaust memory.

It supports the codings that requests ask for, one at a time.
"""

import re
import zlib

from bonafide.errors import UpstreamFailed
from bonafide.i18n.message import Message

ACCEPT_ENCODING = "gzip, deflate"
_GZIP, _ZLIB, _RAW = zlib.MAX_WBITS | 16, zlib.MAX_WBITS, -zlib.MAX_WBITS
_HEADER_BYTES = 2
_IDENTITY = re.compile(r"\s*(?:identity)?\s*", re.IGNORECASE)


class InvalidContentEncoding(UpstreamFailed):
    """The response has a content encoding that was not requested, or is not in the encoding that it declares."""


class Decompressor:
    """Decodes the chunks of one body. `coding` is its Content-Encoding, empty where it has none.

    Raises `InvalidContentEncoding` for a coding that was not requested, and for a body that is not in its coding.
    """

    def __init__(self, coding: str) -> None:
        self._coding = coding.strip().lower()
        self._is_plain = _IDENTITY.fullmatch(coding) is not None
        if not self._is_plain and self._coding not in {"gzip", "x-gzip", "deflate"}:
            raise InvalidContentEncoding(
                Message("the response is encoded as '{coding}', which was not requested", coding=coding[:40])
            )
        self._pending = b""
        self._inflate = zlib.decompressobj(_GZIP) if not self._is_plain and self._coding != "deflate" else None

    def decode(self, chunk: bytes, room: int) -> bytes:
        """Decode a chunk to at most `room` bytes (one or more); the rest is discarded."""
        if self._is_plain:
            return chunk[:room]
        self._pending += chunk
        if self._inflate is None and len(self._pending) >= _HEADER_BYTES:
            self._inflate = zlib.decompressobj(_ZLIB if _is_zlib(self._pending) else _RAW)
        if self._inflate is None:
            return b""
        chunk, self._pending = self._pending, b""
        try:
            return self._inflate.decompress(chunk, room)
        except zlib.error as error:
            raise InvalidContentEncoding(
                Message("the response is not in the encoding that it declares ({coding})", coding=self._coding)
            ) from error


def _is_zlib(begin: bytes) -> bool:
    """Whether a "deflate" has the header of RFC 1950 that it should have; some servers leave it out."""
    return begin[0] & 0x0F == zlib.DEFLATED and int.from_bytes(begin[:2], "big") % 31 == 0
