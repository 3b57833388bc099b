"""Organizations and their API keys: create, list, change and revoke keys, and authenticate the key of a request.

A key's text is returned once, when it is created; only its digest is stored. It is `bf_live_` or `bf_test_`, then 256 random bits
and a checksum in letters and digits only, so that a double click selects the whole key. Endpoints check the scopes.
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
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import (
    DEFAULT_RATE_LIMIT,
    MAX_LIFETIME,
    ApiKey,
    KeyChange,
    KeyRequest,
    Organization,
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
"""How many characters of the random part a list shows, to distinguish keys."""
_WORDS = {World.LIVE: "bf_live_", World.SANDBOX: "bf_test_"}
_FORM = re.compile(rf"(bf_(?:live|test)_[0-9A-Za-z]{{{RANDOM_CHARACTERS}}})([0-9A-Za-z]{{{CHECKSUM_CHARACTERS}}})", re.ASCII)
LOCAL_ORGANIZATION = "Local"
"""The organization of searches by the command line, which needs no key because it can read the data directory."""
DEFAULT_OVERLAP = timedelta(hours=24)
MAX_LABEL_CHARACTERS = 63
"""The maximum length of a label of a domain name (RFC 1035)."""
_UNITS = {"s": timedelta(seconds=1), "m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_DURATION = re.compile(r"(\d{1,9})([smhd])", re.ASCII)  # the most days that a timedelta can hold have nine digits


def generate_key(world: World) -> str:
    """A new key."""
    return generate_secret(_WORDS[world])


def generate_secret(prefix: str) -> str:
    """The prefix, 256 random bits and a checksum."""
    body = prefix + _encode_base62(secrets.randbits(RANDOM_BITS), RANDOM_CHARACTERS)
    return body + _compute_checksum(body)


def is_well_formed(text: str) -> bool:
    """Whether the text can be a key. The checksum detects every wrong character and every transposition."""
    form = _FORM.fullmatch(text)
    return form is not None and form[2] == _compute_checksum(form[1])


def is_well_formed_secret(text: str, prefix: str) -> bool:
    """Whether `generate_secret` can have returned the text for this prefix."""
    body, checksum = text[:-CHECKSUM_CHARACTERS], text[-CHECKSUM_CHARACTERS:]
    return len(body) == len(prefix) + RANDOM_CHARACTERS and body.startswith(prefix) and checksum == _compute_checksum(body)


def compute_key_digest(text: str) -> str:
    """The stored SHA-256 of a key in hexadecimal. A slow hash would add nothing, because 256 random bits can't be guessed."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def get_visible_parts(text: str) -> tuple[str, str]:
    """The prefix and the last four characters, by which a person recognizes the key."""
    return text[: len(_WORDS[World.LIVE]) + SHOWN_CHARACTERS], text[-SHOWN_CHARACTERS:]


def _compute_checksum(body: str) -> str:
    return _encode_base62(zlib.crc32(body.encode(errors="surrogatepass")), CHECKSUM_CHARACTERS)


def _encode_base62(number: int, width: int) -> str:
    characters = []
    for _ in range(width):
        number, remainder = divmod(number, len(ALPHABET))
        characters.append(ALPHABET[remainder])
    return "".join(reversed(characters))


@dataclass(frozen=True, slots=True)
class CreatedApiKey:
    """A new key: its text, which can't be retrieved again, and its listed form."""

    text: str = field(repr=False)
    key: ApiKey


# ------------------------------------------------------------------------------------------------------------ requests


async def authenticate(runtime: Runtime, text: str) -> Principal:
    """The principal of a key. Raises `InvalidApiKey`, `RevokedApiKey`, `ExpiredApiKey`, or `ServerBusy`.

    A key that this process revoked is refused immediately, one that another process revoked within two seconds.
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


def find_known_key(runtime: Runtime, text: str) -> ApiKey | None:
    """The key as this process read it last; None if it has not. It may have been revoked since."""
    return runtime.api_key_cache.peek(compute_key_digest(text))


async def local_principal(runtime: Runtime, world: World) -> Principal:
    """The principal of the command line on this machine: an organization of its own, without a key."""
    async with runtime.store.write() as connection:
        organization = await organizations.get_or_create(connection, LOCAL_ORGANIZATION, world, runtime.clock())
    return Principal(
        organization_id=organization.id,
        organization=organization.name,
        world=world,
        key_id=UUID(int=0),
        identity=f"cli@{to_slug(organization.name)}.invalid",
        scopes=frozenset(Scope),
        rate_limit=DEFAULT_RATE_LIMIT,
    )


async def _read_key(runtime: Runtime, digest: str, now: datetime) -> ApiKey:
    """Read the key of this digest from the database, and record periodically that it was used."""
    # The lookup is by the digest of a secret, so its timing reveals nothing about other keys.
    key = await api_keys.get_by_digest(runtime.store, digest)
    if key is None:
        raise InvalidApiKey
    runtime.api_key_cache.remember(digest, key, now)
    if key.last_used_at is None or key.last_used_at <= now - api_keys.TOUCH_INTERVAL:
        # A failure to record the time of the last use must not fail the request.
        with suppress(ServerBusy):
            async with runtime.store.write(durable=False) as connection:
                await api_keys.touch(connection, key.organization_id, key.id, now)
    return key


def _to_principal(key: ApiKey) -> Principal:
    return Principal(
        organization_id=key.organization_id,
        organization=key.organization,
        world=key.world,
        key_id=key.id,
        identity=key.owner if key.owner is not None else f"api@{to_slug(key.organization)}.invalid",
        scopes=frozenset(key.scopes),
        rate_limit=key.rate_limit,
        lenient=key.lenient,
    )


@lru_cache(maxsize=1024)
def to_slug(name: str) -> str:
    """An organization's name as a label of a domain name; `organization` if no character of it is allowed in one."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_LABEL_CHARACTERS].strip("-") or "organization"


# ------------------------------------------------------------------------------------------------------------ operation


async def create_key(runtime: Runtime, request: KeyRequest) -> CreatedApiKey:
    """Create a key. The organization of the request is a name, which is created if it is new, or the ID of an existing one.

    Raises `NotFound` for an unknown ID.
    """
    now = runtime.clock()
    async with runtime.store.write() as connection:
        organization = await find_or_create_organization(connection, request.organization, request.world, now)
        return await insert_key(connection, organization.id, request, now)


async def find_or_create_organization(connection: Connection, reference: str, world: World, now: datetime) -> Organization:
    """The organization with this ID or name; one with a new name is created. Raises `NotFound` for an unknown ID."""
    found = await organizations.find(connection, reference, world)
    if found is not None:
        return found
    if organizations.parse_organization_id(reference) is not None:
        raise NotFound(Message("There is no {world} organization with the ID {id}.", world=world.value, id=reference))
    return await organizations.get_or_create(connection, reference, world, now)


async def list_keys(runtime: Runtime) -> list[ApiKey]:
    """Every key of every organization, including revoked and expired ones, for the operator."""
    async with runtime.store.read() as connection:
        every = await organizations.list_all(connection)
        return [key for organization in every for key in await api_keys.list_keys(connection, organization.id)]


async def revoke_key(runtime: Runtime, key_id: UUID) -> ApiKey:
    """Revoke the key; a revoked one is unchanged. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        revoked = await mark_key_revoked(connection, await _get_key(connection, key_id), runtime.clock())
    runtime.api_key_cache.forget(key_id)
    return revoked


async def rotate_key(runtime: Runtime, key_id: UUID, overlap: timedelta = DEFAULT_OVERLAP) -> CreatedApiKey:
    """Create a key with the rights and lifetime of the old one, which expires after `overlap` or earlier.

    Raises `NotFound`, and `Conflict` for a revoked or expired key.
    """
    async with runtime.store.write() as connection:
        created = await replace_key(connection, await _get_key(connection, key_id), overlap, runtime.clock())
    runtime.api_key_cache.forget(key_id)
    return created


async def change_key(runtime: Runtime, key_id: UUID, change: KeyChange) -> ApiKey:
    """Change the key's lifetime, counted from now, its rate limit, or both. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        changed = await update_key(connection, await _get_key(connection, key_id), change, runtime.clock())
    runtime.api_key_cache.forget(key_id)
    return changed


# ------------------------------------------------------------------------------------- within an open transaction


async def insert_key(connection: Connection, organization_id: UUID, request: KeyRequest, now: datetime) -> CreatedApiKey:
    """Create a key of the organization; the organization of the request is ignored."""
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
        lenient=request.lenient,
    )
    await api_keys.insert_key(connection, organization_id, new)
    return CreatedApiKey(text, await _get_key(connection, key_id))


async def mark_key_revoked(connection: Connection, key: ApiKey, now: datetime) -> ApiKey:
    """Revoke the key and return it."""
    await api_keys.revoke(connection, key.organization_id, key.id, now)
    return await _get_key(connection, key.id)


async def replace_key(connection: Connection, old: ApiKey, overlap: timedelta, now: datetime) -> CreatedApiKey:
    """Create a key that replaces the old one. Raises `Conflict` for a revoked or expired key."""
    if old.revoked_at is not None or (old.expires_at is not None and old.expires_at <= now):
        raise Conflict(Message("This API key is revoked or expired. Create a new one."))
    request = KeyRequest(
        organization=old.organization,
        label=old.label,
        owner=old.owner,
        scopes=old.scopes,
        expires_in=await api_keys.get_lifetime(connection, old.organization_id, old.id),
        rate_limit=old.rate_limit,
        world=old.world,
        lenient=old.lenient,
    )
    created = await insert_key(connection, old.organization_id, request, now)
    await api_keys.expire_by(connection, old.organization_id, old.id, now + overlap)
    return created


async def update_key(connection: Connection, key: ApiKey, change: KeyChange, now: datetime) -> ApiKey:
    """Change what `change` has: the key's lifetime, counted from now, its rate limit, whether it is lenient."""
    if change.expires_in is not None:
        await api_keys.set_lifetime(connection, key.organization_id, key.id, now, change.expires_in)
    if change.rate_limit is not None:
        await api_keys.set_rate_limit(connection, key.organization_id, key.id, change.rate_limit)
    if change.lenient is not None:
        await api_keys.set_lenient(connection, key.organization_id, key.id, lenient=change.lenient)
    return await _get_key(connection, key.id)


async def _get_key(connection: Connection, key_id: UUID) -> ApiKey:
    key = await api_keys.get_by_id(connection, key_id)
    if key is None:
        raise NotFound(Message("We couldn’t find that API key."))
    return key


# ------------------------------------------------------------------------------------------------------------ durations


def parse_duration(text: str) -> timedelta:
    """Parse `30d`, `24h`, `15m` or `90s`. Raises `ValidationFailed` for anything else and for more than ten years."""
    form = _DURATION.fullmatch(text.strip())
    if form is None:
        raise ValidationFailed(
            Message("'{text}' is not a duration. Enter a whole number followed by s, m, h or d, for example 30d.", text=text)
        )
    duration = int(form[1]) * _UNITS[form[2]]
    if duration > MAX_LIFETIME:
        raise ValidationFailed(
            Message("The duration '{text}' is too long. The maximum is {days}d.", text=text, days=MAX_LIFETIME.days)
        )
    return duration
