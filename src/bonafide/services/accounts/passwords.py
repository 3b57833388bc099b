"""Validate, hash and verify passwords.

Passwords are stored as argon2id hashes (RFC 9106) with the parameters of the settings; a hash with other parameters is replaced at
the next sign-in. There is no rule about kinds of characters (NIST SP 800-63B, section 3.1.1.2). `services/accounts/sign_in` limits
failed attempts.
"""

import asyncio
import unicodedata
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.runtime import Runtime
from bonafide.services.accounts.common_passwords import is_common, strip_separators
from bonafide.settings import Settings

MIN_CHARACTERS = 12
MAX_CHARACTERS = 1024
MAX_CONCURRENT_HASHES = 4
"""Limits memory use: each hash allocates its own memory, so concurrent sign-ins wait for each other."""
T = TypeVar("T")
_hashing = ThreadPoolExecutor(MAX_CONCURRENT_HASHES, "argon2")


def check_password(password: str, email: str, organizations: Iterable[str]) -> None:
    """Refuse a password that is too short, too long, common, the user's email or the name of one of their organizations.

    Raises `ValidationFailed`.
    """
    length = len(unicodedata.normalize("NFC", password))
    if length < MIN_CHARACTERS:
        raise _build_refusal(Message("Choose a password of at least {n} characters.", n=MIN_CHARACTERS))
    if length > MAX_CHARACTERS:
        raise _build_refusal(Message("Choose a password of at most {n} characters.", n=MAX_CHARACTERS))
    if is_common(password):
        raise _build_refusal(Message("This password is too common. Choose another."))
    if strip_separators(password) in {strip_separators(word) for word in (email, email.partition("@")[0], *organizations)}:
        raise _build_refusal(Message("Your password can’t be your email address or the name of your organization. Choose another."))


async def hash_password(runtime: Runtime, password: str) -> str:
    """Return the hash to store."""
    return await _run_in_thread(lambda: _create_hasher(runtime.settings).hash(_normalize_password(password)))


async def verify_password(runtime: Runtime, password_hash: str | None, password: str) -> bool:
    """Whether the password matches the hash. A missing hash takes the same time, so timing does not reveal it."""
    if password_hash is None or len(password) > MAX_CHARACTERS:
        await hash_password(runtime, password[:MAX_CHARACTERS])
        return False
    return await _run_in_thread(lambda: _verify_hash(runtime.settings, password_hash, password))


def is_outdated(settings: Settings, password_hash: str) -> bool:
    """Whether the hash has other parameters than the current settings."""
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
    """Return the same bytes from every keyboard: an accented letter may be one character or two."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def _build_refusal(sentence: Message) -> ValidationFailed:
    return ValidationFailed(sentence, details=[FieldProblem("password", sentence)])
