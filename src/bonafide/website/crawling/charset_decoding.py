"""The text of a page, decoded as its header, its first bytes or the document itself say.

Only codecs of web pages are in the table: a site must not choose among all that Python knows. It does not parse the document.
"""

import codecs
import re

UTF_8, WINDOWS_1252 = "utf-8", "cp1252"
_LOOK_BYTES = 1024
"""Where a page must name its encoding (HTML, section 4.2.5.4)."""
_MAX_TAIL = 3
"""Bytes of a UTF-8 character that a cut may leave behind."""
_CODECS = {
    "utf-8": UTF_8,
    "utf8": UTF_8,
    # As browsers do: pages that name these are in Windows' extension of them (Encoding Standard, section 4.2).
    "iso-8859-1": WINDOWS_1252,
    "iso8859-1": WINDOWS_1252,
    "latin1": WINDOWS_1252,
    "us-ascii": WINDOWS_1252,
    "ascii": WINDOWS_1252,
    "windows-1252": WINDOWS_1252,
    "cp1252": WINDOWS_1252,
    "iso-8859-2": "iso-8859-2",
    "iso-8859-15": "iso-8859-15",
    "windows-1250": "cp1250",
    "windows-1251": "cp1251",
    "macintosh": "mac-roman",
    "utf-16": "utf-16-le",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
}
_MARKS = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_HEADER = re.compile(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_META = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]+)|<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE
)


def decode_page(body: bytes, content_type: str) -> str:
    """The text. Where nothing says how it is encoded it is UTF-8 if it can be, and windows-1252 otherwise; this never fails."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, errors="replace")
    codec = _find_header_charset(content_type) or _find_document_charset(body) or (UTF_8 if _is_utf_8(body) else WINDOWS_1252)
    return body.decode(codec, errors="replace")


def _find_header_charset(content_type: str) -> str | None:
    found = _HEADER.search(content_type)
    return _CODECS.get(found[1].lower()) if found is not None else None


def _find_document_charset(body: bytes) -> str | None:
    found = _META.search(body[:_LOOK_BYTES])
    codec = _CODECS.get((found[1] or found[2]).decode("ascii", errors="replace").lower()) if found is not None else None
    # It was read as ASCII, so it can't be in two bytes a character (HTML, section 13.2.3.2).
    return UTF_8 if codec is not None and codec.startswith("utf-16") else codec


def _is_utf_8(body: bytes) -> bool:
    try:
        body.decode(UTF_8)
    except UnicodeDecodeError as error:
        return error.start >= len(body) - _MAX_TAIL and error.reason == "unexpected end of data"
    return True
