"""An API key as text: how one is made, how a mistyped one is told without asking the database, and what is kept of it.

`bf_live_` or `bf_test_`, then 256 random bits and a checksum in letters and digits only, so that a double click selects the whole
key. It knows nothing of organizations, scopes or expiry.
"""

import re
import secrets
import zlib
from hashlib import sha256

from bonafide.model.accounts.organizations import World

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANDOM_BITS = 256
RANDOM_CHARACTERS = 43
"""62 ** 43 is the first power that holds 256 bits."""
CHECKSUM_CHARACTERS = 6
"""62 ** 6 is the first power that holds a CRC-32."""
SHOWN_CHARACTERS = 4
"""How much of the random part a list shows, to tell one key from another."""
_WORDS = {World.LIVE: "bf_live_", World.SANDBOX: "bf_test_"}
_FORM = re.compile(rf"(bf_(?:live|test)_[0-9A-Za-z]{{{RANDOM_CHARACTERS}}})([0-9A-Za-z]{{{CHECKSUM_CHARACTERS}}})", re.ASCII)


def generate(world: World) -> str:
    """A new key."""
    body = _WORDS[world] + _base62(secrets.randbits(RANDOM_BITS), RANDOM_CHARACTERS)
    return body + _checksum(body)


def is_well_formed(text: str) -> bool:
    """Whether the text can be a key. A wrong character, or two that changed places, always break the checksum."""
    form = _FORM.fullmatch(text)
    return form is not None and form[2] == _checksum(form[1])


def digest(text: str) -> str:
    """What is kept of a key: its SHA-256 in hex. A slow hash would add nothing: nobody guesses 256 random bits."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def shown(text: str) -> tuple[str, str]:
    """The beginning and the last four characters, by which a person knows the key again."""
    return text[: len(_WORDS[World.LIVE]) + SHOWN_CHARACTERS], text[-SHOWN_CHARACTERS:]


def _checksum(body: str) -> str:
    return _base62(zlib.crc32(body.encode()), CHECKSUM_CHARACTERS)


def _base62(number: int, width: int) -> str:
    characters = []
    for _ in range(width):
        number, remainder = divmod(number, len(ALPHABET))
        characters.append(ALPHABET[remainder])
    return "".join(reversed(characters))
