"""The text of an API key: generate one, validate its form and checksum, and compute the digest that is stored.

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


def generate_key(world: World) -> str:
    """A new key."""
    body = _WORDS[world] + _encode_base62(secrets.randbits(RANDOM_BITS), RANDOM_CHARACTERS)
    return body + _compute_checksum(body)


def is_well_formed(text: str) -> bool:
    """Whether the text can be a key. A wrong character, or two that changed places, always break the checksum."""
    form = _FORM.fullmatch(text)
    return form is not None and form[2] == _compute_checksum(form[1])


def compute_key_digest(text: str) -> str:
    """What is kept of a key: its SHA-256 in hex. A slow hash would add nothing: nobody guesses 256 random bits."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def get_visible_parts(text: str) -> tuple[str, str]:
    """The beginning and the last four characters, by which a person knows the key again."""
    return text[: len(_WORDS[World.LIVE]) + SHOWN_CHARACTERS], text[-SHOWN_CHARACTERS:]


def _compute_checksum(body: str) -> str:
    return _encode_base62(zlib.crc32(body.encode()), CHECKSUM_CHARACTERS)


def _encode_base62(number: int, width: int) -> str:
    characters = []
    for _ in range(width):
        number, remainder = divmod(number, len(ALPHABET))
        characters.append(ALPHABET[remainder])
    return "".join(reversed(characters))
