"""Changing an input as the format allows: cells, values, tags and members of archives are swapped, doubled, cut and made absurd.

The same generator gives the same changes. What an input is for is not known here: its format is told by its first bytes.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

MAX_BYTES = 1 << 18
"""Of an input; a parser that needs more to go wrong is for the tests of sizes."""
MAX_STEPS = 4
"""Changes that are made to one input, one upon the other."""
WORDS = (
    *("", " ", "\0", "\ufeff", "\u2028", "\u202e", "é", "İ", "ﬁ", "ß", "株式会社", "🙂", "\x85", "\x1c", "\ud7ff", "\uffff"),
    *(
        "0",
        "-1",
        "1e999",
        "NaN",
        "Infinity",
        "²",
        "٣",
        "１２",
        "①",
        "9" * 400,
        "9" * 5000,
        "0x10",
        "1_000",
        "1,000.5",
        "4294967296",
    ),
    *("0000-00-00", "0001-01-01", "9999-12-31", "2026-02-30", "31/12/2026", "2026-11-20T99:99:99Z", "9999-12-31T23:59:59-14:00"),
    *(
        "null",
        "true",
        "[]",
        "{}",
        "'",
        '"',
        '""',
        ";",
        ",",
        "\t",
        "|",
        "\r",
        "\n",
        "\r\n",
        "\\",
        "\\u0000",
        "\\ud800",
        "%",
        "%00",
        "%s",
    ),
    *("<", ">", "&", "&amp;", "&#0;", "&#x110000;", "&x;", "<!--", "-->", "]]>", "<![CDATA[", "<!DOCTYPE x [", "</", "/>", "<?xml"),
    *(
        "../../etc/passwd",
        "http://",
        "//",
        "http://[::1]/",
        "http://a:99999/",
        "mailto:",
        "javascript:",
        "x" * 3000,
        "(" * 2000,
        "[" * 5000,
        '{"a":' * 5000,
    ),
)
"""What readers stumble over: signs of the formats, numbers and days that are none, texts that are long or not what they seem."""
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e308,
    10**30,
    "",
    "x",
    [],
    {},
    [[]],
    [None],
    {"": None},
    {"a": {"a": {}}},
)
_TAG = re.compile(rb"<[^<>]{0,500}>")
_ARCHIVE = b"PK\x03\x04"


def mutated(data: bytes, chance: Random) -> bytes:
    """The input with a few changes, at most `MAX_BYTES` of it."""
    for _ in range(chance.randint(1, MAX_STEPS)):
        data = _changed(data, chance)[:MAX_BYTES]
    return data


def _changed(data: bytes, chance: Random) -> bytes:
    if data.startswith(_ARCHIVE) and chance.random() < 0.8:
        return _archive(data, chance)
    start = data.lstrip()[:1]
    if start in {b"{", b"["} and chance.random() < 0.6:
        return _json(data, chance)
    if start == b"<" and chance.random() < 0.6:
        return _markup(data, chance)
    if data[:4] in {b"PAR1", b"\xd0\xcf\x11\xe0", _ARCHIVE} or b"\0" in data[:64]:
        return _bytes(data, chance)
    return chance.choice((_lines, _lines, _text, _bytes))(data, chance)


# ------------------------------------------------------------------------------------------------------------ any bytes


def _bytes(data: bytes, chance: Random) -> bytes:  # noqa: PLR0911 - one for each way
    at, size = chance.randint(0, len(data)), chance.choice((1, 1, 2, 4, 8, 64, 1024))
    match chance.randrange(7):
        case 0:
            return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[at + size :]
        case 2:
            return data[:at] + data[at : at + size] + data[at:]
        case 3:
            return data[:at] + chance.randbytes(size) + data[at:]
        case 4:
            return data[:at] + chance.choice((b"\0", b"\xff", b"\x7f", b"\x80")) * size + data[at + size :]
        case 5:
            return data[:at]
        case _:
            other = chance.randint(0, len(data))
            return data[:at] + data[other : other + size] + data[at + size :]


def _text(data: bytes, chance: Random) -> bytes:
    """A word of those that hurt, in place of some bytes."""
    at, size = chance.randint(0, len(data)), chance.choice((0, 1, 4, 12))
    return data[:at] + chance.choice(WORDS).encode("utf-8", "replace") + data[at + size :]


# ------------------------------------------------------------------------------------------------------------ formats


def _lines(data: bytes, chance: Random) -> bytes:
    """A table: a row or a column of it, or one cell."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    cut = max((b",", b";", b"\t", b"|"), key=lines[0].count)
    match chance.randrange(8):
        case 0:
            lines.insert(at, lines[at])
        case 1:
            del lines[at]
        case 2:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            return data.replace(cut, chance.choice((b";", b"\t", b",,", b"")), chance.choice((1, -1)))
        case 4:
            return data.decode("utf-8", "replace").encode(chance.choice(("utf-16", "latin-1", "utf-8-sig", "utf-7")), "replace")
        case _:
            cells = lines[at].split(cut)
            cells[chance.randrange(len(cells))] = chance.choice(WORDS).encode("utf-8", "replace")
            lines[at] = cut.join(cells)
    return b"\n".join(lines)


def _json(data: bytes, chance: Random) -> bytes:
    """A document, or the lines of one that has a document on each."""
    lines = data.split(b"\n") if b'}\n{"' in data or b"}\n{" in data else [data]
    at = chance.randrange(len(lines))
    try:
        document = json.loads(lines[at])
    except (ValueError, RecursionError):
        return _text(data, chance)
    lines[at] = json.dumps(_value(document, chance), ensure_ascii=chance.random() < 0.5).encode("utf-8", "replace")
    return b"\n".join(lines)


def _value(document: Any, chance: Random) -> Any:
    """The document with one value in it changed, on any level."""
    if isinstance(document, dict) and document and chance.random() < 0.9:
        name = chance.choice(list(document))
        changed = {**document, name: _value(document[name], chance)}
        match chance.randrange(12):
            case 0:
                del changed[name]
            case 1:
                changed[chance.choice(WORDS)] = changed.pop(name)
        return changed
    if isinstance(document, list) and document and chance.random() < 0.9:
        at = chance.randrange(len(document))
        match chance.randrange(8):
            case 0:
                return document[:at] + document[at + 1 :]
            case 1:
                return document[:at] + [document[at]] * 2 + document[at + 1 :]
            case _:
                return [*document[:at], _value(document[at], chance), *document[at + 1 :]]
    if chance.random() < 0.02:
        return _deep(chance)
    return chance.choice(WORDS) if isinstance(document, str) and chance.random() < 0.6 else chance.choice(VALUES)


def _deep(chance: Random) -> Any:
    value: Any = None
    for _ in range(chance.choice((10, 100, 400))):
        value = [value] if chance.random() < 0.5 else {"a": value}
    return value


def _markup(data: bytes, chance: Random) -> bytes:  # noqa: PLR0911 - one for each way
    """A document of tags: one of them, or what stands between two."""
    tags = list(_TAG.finditer(data))
    if not tags:
        return _text(data, chance)
    one, other = chance.choice(tags), chance.choice(tags)
    first, last = sorted((one, other), key=lambda tag: tag.start())
    piece = data[first.start() : last.end()]
    match chance.randrange(9):
        case 0:
            return data[: one.start()] + data[one.end() :]
        case 1:
            return data[: one.start()] + other[0] + data[one.end() :]
        case 2:
            return data[: first.start()] + data[last.end() :]
        case 3:
            return data[: last.end()] + piece[:4096] + data[last.end() :]
        case 4:
            return data[: one.start()] + one[0] * chance.choice((2, 50, 3000)) + data[one.end() :]
        case 5:
            return data[: one.end()] + chance.choice(WORDS).encode("utf-8", "replace") + data[one.end() :]
        case 6:
            return data[: one.start()] + re.sub(rb"\"[^\"]*\"", _quoted(chance), one[0], count=1) + data[one.end() :]
        case _:
            behind = data.find(b"<", one.end())
            return data[: one.end()] + chance.choice(WORDS).encode("utf-8", "replace") + data[max(behind, one.end()) :]


def _quoted(chance: Random) -> Callable[[re.Match[bytes]], bytes]:
    word = chance.choice(WORDS).encode("utf-8", "replace")
    return lambda _found: b'"' + word + b'"'


def _archive(data: bytes, chance: Random) -> bytes:
    """One member of an archive, which is packed anew."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()[:200]]
    except Exception:  # noqa: BLE001 - what is no archive any more is bytes
        return _bytes(data, chance)
    if not members:
        return _bytes(data, chance)
    at = chance.randrange(len(members))
    name, content = members[at]
    match chance.randrange(12):
        case 0:
            del members[at]
        case 1:
            members[at] = (chance.choice(WORDS)[:200] or "x", content)
        case 2:
            members.append((name, content))
        case _:
            members[at] = (name, _changed(content, chance))
    return _packed(members)


def _packed(members: Sequence[tuple[str, bytes]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name.replace("\0", "_").encode("utf-8", "replace").decode(), (2026, 11, 20, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            if info.filename not in archive.namelist():
                archive.writestr(info, content)
    return packed.getvalue()
