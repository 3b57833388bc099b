"""Validate, hash and verify passwords.

They are kept as argon2id hashes (RFC 9106), made with the parameters of the settings; a hash made with others is made anew at the
next sign-in. There is no rule about kinds of characters (NIST SP 800-63B, section 3.1.1.2). How often one may guess is decided in
`services/accounts/sign_in`.
"""

import asyncio
import re
import unicodedata
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from importlib.resources import files
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.runtime import Runtime
from bonafide.settings import Settings

MIN_CHARACTERS = 12
MAX_CHARACTERS = 1024
MAX_CONCURRENT_HASHES = 4
"""Each hash takes its memory: many people who sign in at once wait for each other rather than for the machine to run out of it."""
T = TypeVar("T")
_hashing = ThreadPoolExecutor(MAX_CONCURRENT_HASHES, "argon2")


def check_password(password: str, email: str, organizations: Iterable[str]) -> None:
    """Refuse what is too short, too long, among the most common, the user's e-mail or the name of an organization of theirs.

    Raises `ValidationFailed`.
    """
    length = len(unicodedata.normalize("NFC", password))
    if length < MIN_CHARACTERS:
        raise _build_refusal(f"Choose a password of at least {MIN_CHARACTERS} characters.")
    if length > MAX_CHARACTERS:
        raise _build_refusal(f"Choose a password of at most {MAX_CHARACTERS} characters.")
    bare = _strip_separators(password)
    if bare in _load_common_passwords():
        raise _build_refusal("This password is one of the first that anybody would try. Choose another.")
    if bare in {_strip_separators(word) for word in (email, email.partition("@")[0], *organizations)}:
        raise _build_refusal("Your e-mail address and the name of your organization are no passwords. Choose another.")


async def hash_password(runtime: Runtime, password: str) -> str:
    """What to keep of a password."""
    return await _run_in_thread(lambda: _create_hasher(runtime.settings).hash(_normalize_password(password)))


async def verify_password(runtime: Runtime, password_hash: str | None, password: str) -> bool:
    """Whether the password is the one that was hashed; takes as long where there is none to compare with."""
    if password_hash is None or len(password) > MAX_CHARACTERS:
        await hash_password(runtime, password[:MAX_CHARACTERS])
        return False
    return await _run_in_thread(lambda: _verify_hash(runtime.settings, password_hash, password))


def is_outdated(settings: Settings, password_hash: str) -> bool:
    """Whether the hash was made with other parameters than one would be today."""
    return _create_hasher(settings).check_needs_rehash(password_hash)


def _create_hasher(settings: Settings) -> PasswordHasher:
    return PasswordHasher(settings.password_passes, settings.password_memory_kib, settings.password_lanes)


def _verify_hash(settings: Settings, password_hash: str, password: str) -> bool:
    try:
        return _create_hasher(settings).verify(password_hash, _normalize_password(password))
    except (VerificationError, InvalidHashError):
        return False


async def _run_in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(_hashing, copy_context().run, work)


def _normalize_password(password: str) -> bytes:
    """The same bytes from every keyboard: an accented letter may be typed as one character or as two."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def _strip_separators(text: str) -> str:
    """A word without what people put between its letters."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", text).casefold())


@cache
def _load_common_passwords() -> frozenset[str]:
    text = (files(__package__) / "common_passwords.txt").read_text("utf-8")
    return frozenset(_strip_separators(line) for line in text.splitlines())


def _build_refusal(sentence: str) -> ValidationFailed:
    return ValidationFailed(sentence, details=[FieldProblem("password", sentence)])
