"""Organizations and their API keys: create, list, change and revoke keys, and authenticate the key of a request.

A key's text is returned once, when it is made; afterwards only its digest is known. It is `bf_live_` or `bf_test_`, then 256
random bits and a checksum in letters and digits only, so that a double click selects the whole key. Scopes are listed here, but an
endpoint checks them.
"""

import re
import secrets
import unicodedata
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from uuid import UUID, uuid4

from bonafide.errors import Conflict, ExpiredApiKey, InvalidApiKey, NotFound, RevokedApiKey, ServerBusy, ValidationFailed
from bonafide.model.accounts.organizations import (
    DEFAULT_RATE_LIMIT,
    MAX_LIFETIME,
    ApiKey,
    KeyChange,
    KeyRequest,
    Principal,
    Scope,
    World,
)
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import api_keys, organizations

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
LOCAL_ORGANIZATION = "Local"
"""Who the command line acts for when it searches: whoever can read the data directory needs no key."""
DEFAULT_OVERLAP = timedelta(hours=24)
MAX_LABEL_CHARACTERS = 63
"""Of a domain name's label, by RFC 1035."""
_UNITS = {"s": timedelta(seconds=1), "m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_DURATION = re.compile(r"(\d{1,9})([smhd])", re.ASCII)  # the most days that a timedelta can hold have nine digits


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


@dataclass(frozen=True, slots=True)
class CreatedApiKey:
    """A new key: its text, which can't be had again, and how it is listed."""

    text: str = field(repr=False)
    key: ApiKey


# ------------------------------------------------------------------------------------------------------------ requests


async def authenticate(runtime: Runtime, text: str) -> Principal:
    """Whose key this is. Raises `InvalidApiKey`, `RevokedApiKey`, `ExpiredApiKey`, and `ServerBusy` when nobody can tell.

    A key that another process revoked is refused after two seconds at the latest, one that was revoked by this process at once.
    """
    now, digest = runtime.clock(), compute_key_digest(text)
    key = runtime.api_key_cache.find(digest, now)
    runtime.metrics.count_cache("api_key", hit=key is not None)
    if key is None:
        if not is_well_formed(text):
            raise InvalidApiKey
        key = await _read_key(runtime, digest, now)
    if key.revoked_at is not None:
        raise RevokedApiKey
    if key.expires_at is not None and key.expires_at <= now:
        raise ExpiredApiKey
    return _to_principal(key)


async def local_principal(runtime: Runtime, world: World) -> Principal:
    """Whoever uses the command line on this machine: an organization of its own, without a key."""
    async with runtime.store.write() as connection:
        organization = await organizations.get_or_create(connection, LOCAL_ORGANIZATION, world, runtime.clock())
    return Principal(
        organization_id=organization.id,
        organization=organization.name,
        world=world,
        key_id=UUID(int=0),
        identity=f"cli@{_to_slug(organization.name)}.invalid",
        scopes=frozenset(Scope),
        rate_limit=DEFAULT_RATE_LIMIT,
    )


async def _read_key(runtime: Runtime, digest: str, now: datetime) -> ApiKey:
    """The key of this digest, from the database; notes from time to time that it was used."""
    # Looked up by the digest of a secret, in an index: the time that this takes tells nothing about other keys.
    async with runtime.store.read() as connection:
        key = await api_keys.get_by_digest(connection, digest)
    if key is None:
        raise InvalidApiKey
    runtime.api_key_cache.remember(digest, key, now)
    if key.last_used_at is None or key.last_used_at <= now - api_keys.TOUCH_INTERVAL:
        # When a key was last used is worth a write, but not a refused request.
        with suppress(ServerBusy):
            async with runtime.store.write() as connection:
                await api_keys.touch(connection, key.organization_id, key.id, now)
    return key


def _to_principal(key: ApiKey) -> Principal:
    return Principal(
        organization_id=key.organization_id,
        organization=key.organization,
        world=key.world,
        key_id=key.id,
        identity=key.owner if key.owner is not None else f"api@{_to_slug(key.organization)}.invalid",
        scopes=frozenset(key.scopes),
        rate_limit=key.rate_limit,
    )


@lru_cache(maxsize=1024)
def _to_slug(name: str) -> str:
    """An organization's name as a label of a domain name; `organization` when nothing of it can stand in one."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_LABEL_CHARACTERS].strip("-") or "organization"


# ------------------------------------------------------------------------------------------------------------ operation


async def create_key(runtime: Runtime, request: KeyRequest) -> CreatedApiKey:
    """Make a key, and the organization with it when it is new."""
    now = runtime.clock()
    async with runtime.store.write() as connection:
        organization = await organizations.get_or_create(connection, request.organization, request.world, now)
        return await insert_key(connection, organization.id, request, now)


async def list_keys(runtime: Runtime) -> list[ApiKey]:
    """Every key of every organization, revoked and expired ones too: for the operator."""
    async with runtime.store.read() as connection:
        every = await organizations.list_all(connection)
        return [key for organization in every for key in await api_keys.list_keys(connection, organization.id)]


async def revoke_key(runtime: Runtime, key_id: UUID) -> ApiKey:
    """Refuse the key from now on; one that is revoked already stays as it is. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        revoked = await mark_key_revoked(connection, await _get_key(connection, key_id), runtime.clock())
    runtime.api_key_cache.forget(key_id)
    return revoked


async def rotate_key(runtime: Runtime, key_id: UUID, overlap: timedelta = DEFAULT_OVERLAP) -> CreatedApiKey:
    """A new key like the old one, with the lifetime that was given to that; the old one expires after `overlap`, if not before.

    Raises `NotFound`, and `Conflict` for a key that is revoked or has expired.
    """
    async with runtime.store.write() as connection:
        created = await replace_key(connection, await _get_key(connection, key_id), overlap, runtime.clock())
    runtime.api_key_cache.forget(key_id)
    return created


async def change_key(runtime: Runtime, key_id: UUID, change: KeyChange) -> ApiKey:
    """Give the key a new lifetime from now on, a new rate limit, or both. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        changed = await update_key(connection, await _get_key(connection, key_id), change, runtime.clock())
    runtime.api_key_cache.forget(key_id)
    return changed


# ------------------------------------------------------------------------------------- in a transaction that is open already


async def insert_key(connection: Connection, organization_id: UUID, request: KeyRequest, now: datetime) -> CreatedApiKey:
    """A new key of the organization; which one the request names does not count."""
    text, key_id = generate_key(request.world), uuid4()
    prefix, last4 = get_visible_parts(text)
    new = api_keys.NewApiKey(
        id=key_id,
        digest=compute_key_digest(text),
        prefix=prefix,
        last4=last4,
        label=request.label,
        owner=request.owner,
        scopes=request.scopes,
        rate_limit=request.rate_limit,
        lifetime=request.expires_in,
        created_at=now,
    )
    await api_keys.insert_key(connection, organization_id, new)
    return CreatedApiKey(text, await _get_key(connection, key_id))


async def mark_key_revoked(connection: Connection, key: ApiKey, now: datetime) -> ApiKey:
    """The key, refused from now on."""
    await api_keys.revoke(connection, key.organization_id, key.id, now)
    return await _get_key(connection, key.id)


async def replace_key(connection: Connection, old: ApiKey, overlap: timedelta, now: datetime) -> CreatedApiKey:
    """A new key in the place of the old one. Raises `Conflict` for one that is revoked or has expired."""
    if old.revoked_at is not None or (old.expires_at is not None and old.expires_at <= now):
        raise Conflict("this API key is revoked or has expired: create a new one")
    request = KeyRequest(
        organization=old.organization,
        label=old.label,
        owner=old.owner,
        scopes=old.scopes,
        expires_in=await api_keys.get_lifetime(connection, old.organization_id, old.id),
        rate_limit=old.rate_limit,
        world=old.world,
    )
    created = await insert_key(connection, old.organization_id, request, now)
    await api_keys.expire_by(connection, old.organization_id, old.id, now + overlap)
    return created


async def update_key(connection: Connection, key: ApiKey, change: KeyChange, now: datetime) -> ApiKey:
    """The key with a new lifetime from now on, a new rate limit, or both."""
    if change.expires_in is not None:
        await api_keys.set_lifetime(connection, key.organization_id, key.id, now, change.expires_in)
    if change.rate_limit is not None:
        await api_keys.set_rate_limit(connection, key.organization_id, key.id, change.rate_limit)
    return await _get_key(connection, key.id)


async def _get_key(connection: Connection, key_id: UUID) -> ApiKey:
    key = await api_keys.get_by_id(connection, key_id)
    if key is None:
        raise NotFound("there is no API key with this id")
    return key


# ------------------------------------------------------------------------------------------------------------ durations


def parse_duration(text: str) -> timedelta:
    """`30d`, `24h`, `15m` or `90s`. Raises `ValidationFailed` for anything else, and for more than ten years."""
    form = _DURATION.fullmatch(text.strip())
    if form is None:
        raise ValidationFailed(f"{text!r} is not a duration: write a whole number and s, m, h or d, for example 30d")
    duration = int(form[1]) * _UNITS[form[2]]
    if duration > MAX_LIFETIME:
        raise ValidationFailed(f"{text!r} is too long: at most {MAX_LIFETIME.days}d")
    return duration
