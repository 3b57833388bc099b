"""Sign in with a password, change it, and limit failed attempts.

An unknown email, a disabled user and a wrong password take the same time and return the same message. After several consecutive
failures, each further one doubles the pause. Failures are counted in the database, so that the limit applies to all nodes together.
An attempt is counted as failed before it is checked and refunded when it succeeds, so that concurrent guesses are limited like
consecutive ones. During a pause a correct password is refused too; otherwise the response would reveal it.

Failures are counted by the pair of email and client, so that nobody can keep a user signed out from elsewhere; by client; and, with
a higher limit, by email alone, which limits guesses from many clients. Attempts of a known device (`known_devices`) are counted for
the device only, and no other pause applies to them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from bonafide.errors import FieldProblem, Forbidden, NotFound, SignInPaused, SignInRefused, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn, User, UserProfile, is_email, normalize_email
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts import passwords
from bonafide.services.accounts import sessions as logins
from bonafide.services.accounts.known_devices import find_device
from bonafide.store.database.engine import Connection
from bonafide.store.people import one_time_links, sign_ins, users
from bonafide.store.people.sign_ins import SignInAttempts

FREE_BY_PAIR = 5
"""By one client, or one known device, for one email."""
FREE_BY_CLIENT = 20
"""Higher than for one email, because an office shares one address."""
FREE_BY_EMAIL = 50
"""By all clients together, of which each causes at most `FREE_BY_PAIR`."""
FREE_SIGN_ONS = 60
"""Single sign-ons of one client that were begun but not finished. Each queries the identity provider and is stored."""
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(hours=24)
KEEP_LINKS = timedelta(days=30)
"""How long used, revoked and expired links are stored. The audit log has the outcome of an invitation."""
_log = get_logger(__name__)


def compute_pause(failures: int, free: int) -> timedelta:
    """The pause after consecutive failures; the first `free` minus one have none."""
    doublings = failures - free
    if doublings < 0:
        return timedelta(0)
    return min(FIRST_PAUSE * (1 << min(doublings, 16)), LONGEST_PAUSE)


def add_failure(before: SignInAttempts, free: int, now: datetime) -> SignInAttempts:
    """The attempts with one more failure at `now`."""
    failures = 1 if now - before.failed_at >= FORGOTTEN_AFTER else before.failures + 1
    pause = compute_pause(failures, free)
    return SignInAttempts(failures, now, now + pause if pause > timedelta(0) else None)


@dataclass(frozen=True, slots=True)
class LoginClient:
    """The client of a sign-in: its address (`web/client_address`), its user agent, and what proves that it is a known device.

    `devices` is the cookie of `known_devices`, `session_id` the session of a user who is signed in.
    """

    client: str
    browser: str | None = None
    devices: str | None = field(default=None, repr=False)
    session_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class AttemptSubjects:
    """What an attempt to sign in is counted by: `own` is cleared by a success, of the `shared` ones one failure is removed."""

    own: str
    shared: tuple[str, ...]
    free: Mapping[str, int]
    """By subject, the number of failures without a pause."""
    account: str | None = None
    """The subject of all clients together; None for a known device."""

    @classmethod
    def of(cls, runtime: Runtime, email: str, visitor: LoginClient) -> "AttemptSubjects":
        """The subjects of an attempt with a normalized email."""
        device = str(visitor.session_id) if visitor.session_id is not None else find_device(runtime, email, visitor.devices)
        if device is not None:
            own = _build_subject("device", f"{device} {email}")
            return cls(own, (), {own: FREE_BY_PAIR})
        own = _build_subject("pair", f"{visitor.client} {email}")
        client, account = _build_subject("client", visitor.client), _build_subject("e-mail", email)
        free = {own: FREE_BY_PAIR, client: FREE_BY_CLIENT, account: FREE_BY_EMAIL}
        return cls(own, (client, account), free, account)


async def count_attempt(runtime: Runtime, subjects: AttemptSubjects) -> None:
    """Count an attempt to sign in as failed until `refund_attempt`. Raises `SignInPaused` during a pause."""
    await _count_failures(runtime, subjects.free, subjects)


async def count_sign_on(runtime: Runtime, client: str) -> None:
    """Count a single sign-on as unfinished until `refund_sign_on`. Raises as `count_attempt` does."""
    await _count_failures(runtime, {_build_subject("sign-on", client): FREE_SIGN_ONS})


async def _count_failures(runtime: Runtime, free: Mapping[str, int], of: AttemptSubjects | None = None) -> None:
    now = runtime.clock()
    async with runtime.store.write() as connection:
        held = await sign_ins.lock_attempts(connection, list(free), now)
        pauses = [attempts.paused_until for attempts in held.values() if attempts.paused_until is not None]
        if any(until > now for until in pauses):
            raise SignInPaused(max(pauses) - now)
        # A client that has used up its own attempts does not use up those of the account, whose pause takes many clients.
        uncounted = of.account if of is not None and held[of.own].failures >= free[of.own] else None
        for subject, attempts in held.items():
            if subject == uncounted:
                continue
            await sign_ins.save_attempts(connection, subject, add_failure(attempts, free[subject], now))


async def refund_attempt(connection: Connection, subjects: AttemptSubjects, now: datetime) -> None:
    """Record a successful attempt: clear the failures of the pair or device, and remove the attempt from the others."""
    held = await sign_ins.lock_attempts(connection, list(subjects.free), now)
    await sign_ins.remove_attempts(connection, subjects.own)
    for subject in subjects.shared:
        await sign_ins.save_attempts(connection, subject, _remove_failure(held[subject]))


async def refund_sign_on(connection: Connection, client: str, now: datetime) -> None:
    """Record that a single sign-on was finished."""
    place = _build_subject("sign-on", client)
    held = await sign_ins.lock_attempts(connection, [place], now)
    await sign_ins.save_attempts(connection, place, _remove_failure(held[place]))


def _remove_failure(attempts: SignInAttempts) -> SignInAttempts:
    return replace(attempts, failures=max(attempts.failures - 1, 0), paused_until=None)


def _build_subject(kind: str, value: str) -> str:
    return sha256(f"{kind} {value}".encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class LoginCredentials:
    """The email and password of a sign-in."""

    email: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class VerifiedLogin:
    """A user whose password was verified: the stored hash, and a renewed one if the stored one is outdated."""

    user: User
    password_hash: str = field(repr=False)
    renewed_hash: str | None = field(repr=False)
    attempt: AttemptSubjects


async def sign_in(runtime: Runtime, claim: LoginCredentials, visitor: LoginClient) -> str:
    """The token of a new session. Raises `SignInRefused`, `SignInPaused`, and `Forbidden` if passwords are disabled."""
    proven = await verify_login(runtime, claim, visitor)
    async with runtime.store.write() as connection:
        await establish_login(connection, proven, runtime.clock())
        if not await users.list_memberships(connection, proven.user.id):
            raise SignInRefused(Message("This account doesn’t belong to an organization. Ask an owner for an invitation."))
        token = await logins.insert_session(connection, runtime, proven.user.id, visitor.browser)
    _log.info("session.started", user=str(proven.user.id), method="password")
    return token


async def verify_login(runtime: Runtime, claim: LoginCredentials, visitor: LoginClient) -> VerifiedLogin:
    """Verify an email and a password; counted as a failure until `establish_login`. Raises as `sign_in` does."""
    if not runtime.settings.password_sign_in:
        raise Forbidden(Message("Password sign-in is disabled."))
    email = normalize_email(claim.email)
    attempt = AttemptSubjects.of(runtime, email, visitor)
    try:
        await count_attempt(runtime, attempt)
    except SignInPaused:
        _log.warning("sign_in.paused")
        raise
    async with runtime.store.read() as connection:
        found = await users.get_by_email(connection, email) if is_email(email) else None
    kept = found.password_hash if found is not None else None
    is_right = await passwords.verify_password(runtime, kept, claim.password)
    if found is None or kept is None or not is_right or found.disabled_at is not None:
        _log.warning("sign_in.failed", user=str(found.user.id) if found is not None else None)
        raise SignInRefused
    renewed = await passwords.hash_password(runtime, claim.password) if passwords.is_outdated(runtime.settings, kept) else None
    return VerifiedLogin(found.user, kept, renewed, attempt)


async def establish_login(connection: Connection, proven: VerifiedLogin, now: datetime) -> None:
    """Accept a verified login if the user has not changed since. Raises `SignInRefused`."""
    found = await users.get_by_id(connection, proven.user.id)
    if found is None or (found.password_hash, found.disabled_at) != (proven.password_hash, None):
        raise SignInRefused
    await refund_attempt(connection, proven.attempt, now)
    if proven.renewed_hash is not None:
        await users.set_password_hash(connection, proven.user.id, proven.renewed_hash)


async def change_password(runtime: Runtime, signed_in: SignedIn, old: str, new: str, visitor: LoginClient) -> None:
    """Change the password and end every other session of the user.

    Raises `ValidationFailed` that names `old` or `password`, and `SignInPaused` after several wrong old passwords.
    """
    passwords.check_password(new, signed_in.user.email, [mine.organization for mine in signed_in.memberships])
    try:
        known = replace(visitor, session_id=signed_in.session_id)
        proven = await verify_login(runtime, LoginCredentials(signed_in.user.email, old), known)
    except SignInRefused:
        sentence = Message("This is not your current password.")
        raise ValidationFailed(sentence, details=[FieldProblem("old", sentence)]) from None
    password_hash = await passwords.hash_password(runtime, new)
    async with runtime.store.write() as connection:
        await establish_login(connection, proven, runtime.clock())
        await replace_password(connection, signed_in.user, password_hash, runtime.clock(), but=signed_in.session_id)


async def set_password(runtime: Runtime, email: str, password: str) -> None:
    """Set a user's password as the operator. Raises `NotFound`."""
    password_hash = await passwords.hash_password(runtime, password)
    async with runtime.store.write() as connection:
        found = await users.get_by_email(connection, normalize_email(email))
        if found is None:
            raise NotFound(Message("There is no user with this email address."))
        await replace_password(connection, found.user, password_hash, runtime.clock())


async def replace_password(
    connection: Connection, user: User, password_hash: str | None, now: datetime, *, but: UUID | None = None
) -> None:
    """Store another password hash, or none, and end the user's sessions, except `but`, and their links to set a password."""
    await users.set_password_hash(connection, user.id, password_hash)
    await sign_ins.end_sessions(connection, user.id, but=but)
    await one_time_links.revoke_password_links(connection, user.email, now)


async def save_profile(runtime: Runtime, signed_in: SignedIn, profile: UserProfile) -> None:
    """Store the user's profile."""
    user = signed_in.user.model_copy(update=profile.model_dump())
    async with runtime.store.write() as connection:
        await users.save_profile(connection, user)


async def has_password(runtime: Runtime, signed_in: SignedIn) -> bool:
    """Whether the signed-in user can sign in with a password."""
    async with runtime.store.read() as connection:
        found = await users.get_by_id(connection, signed_in.user.id)
    return runtime.settings.password_sign_in and found is not None and found.password_hash is not None


async def purge_expired_sign_ins(connection: Connection, now: datetime) -> None:
    """Delete expired sessions, links, unfinished sign-ons and old failures."""
    await sign_ins.purge_sessions(connection, now)
    await one_time_links.purge(connection, now - KEEP_LINKS)
    await sign_ins.purge_sign_ons(connection, now)
    await sign_ins.purge_attempts(connection, now - FORGOTTEN_AFTER)
