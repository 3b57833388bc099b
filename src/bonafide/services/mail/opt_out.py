"""Let members turn mail off and on: on the profile page, or with the signed link of a mail, which works without signing in.

The token of a link has everything that is needed; nothing is stored for it, and it does not expire, because mails are kept for
years. It only ever turns off one kind of mail of one member of one organization.
"""

import base64
import hmac
from dataclasses import dataclass
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.mail import OptOut
from bonafide.runtime import Runtime
from bonafide.store.people import mail_recipients
from bonafide.store.tenants import organizations

UNSUBSCRIBE_PATH = "/console/unsubscribe"
_KEY_LABEL = b"bonafide mail opt-out 1"
_SIGNATURE_BYTES = 16
"""128 bits, which nobody can guess; mail programs break long links."""
_ID_BYTES = 16
_CODES = {OptOut.ALERTS: b"a", OptOut.DIGEST: b"d"}
_TOKEN_CHARACTERS = 66


@dataclass(frozen=True, slots=True)
class MailChoice:
    """Which mails of the current organization a member wants."""

    alerts: bool
    digest: bool


@dataclass(frozen=True, slots=True)
class OptOutLink:
    """What a link turns off."""

    organization_id: UUID
    organization: str
    user_id: UUID
    kind: OptOut
    is_off: bool
    """Whether the member has turned it off already."""


async def read_choice(runtime: Runtime, signed_in: SignedIn) -> MailChoice:
    """The choice of the signed-in user."""
    async with runtime.store.read() as connection:
        found = await mail_recipients.get_recipient(connection, signed_in.organization_id, signed_in.user.id)
    return MailChoice(found.mail_alerts, found.mail_digest) if found is not None else MailChoice(alerts=False, digest=False)


async def save_choice(runtime: Runtime, signed_in: SignedIn, choice: MailChoice) -> None:
    """Store the choice of the signed-in user."""
    async with runtime.store.write() as connection:
        await mail_recipients.save_choice(
            connection, signed_in.organization_id, signed_in.user.id, alerts=choice.alerts, digest=choice.digest
        )


def build_unsubscribe_url(runtime: Runtime, organization_id: UUID, user_id: UUID, kind: OptOut) -> str:
    """The address with which a member turns off mails of this kind."""
    claim = _CODES[kind] + organization_id.bytes + user_id.bytes
    return f"{runtime.settings.base_url}{UNSUBSCRIBE_PATH}?token={_encode(_sign(runtime, claim) + claim)}"


async def open_link(runtime: Runtime, token: str) -> OptOutLink:
    """What the token turns off. Raises `NotFound` for a forged token, and if the user is not a member any more."""
    organization_id, user_id, kind = _parse_token(runtime, token)
    async with runtime.store.read() as connection:
        recipient = await mail_recipients.get_recipient(connection, organization_id, user_id)
        organization = await organizations.get(connection, organization_id)
    if recipient is None or organization is None:
        raise _build_unknown_link()
    is_on = recipient.mail_alerts if kind is OptOut.ALERTS else recipient.mail_digest
    return OptOutLink(organization_id, organization.name, user_id, kind, not is_on)


async def use_link(runtime: Runtime, token: str) -> OptOutLink:
    """Turn off what the token names. Raises `NotFound` as `open_link`."""
    link = await open_link(runtime, token)
    alerts, digest = (False if link.kind is kind else None for kind in (OptOut.ALERTS, OptOut.DIGEST))
    async with runtime.store.write() as connection:
        await mail_recipients.save_choice(connection, link.organization_id, link.user_id, alerts=alerts, digest=digest)
    return OptOutLink(link.organization_id, link.organization, link.user_id, link.kind, is_off=True)


def _parse_token(runtime: Runtime, token: str) -> tuple[UUID, UUID, OptOut]:
    if len(token) != _TOKEN_CHARACTERS:
        raise _build_unknown_link()
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise _build_unknown_link() from None
    signature, claim = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
    kinds = [kind for kind, code in _CODES.items() if code == claim[:1]]
    if not hmac.compare_digest(signature, _sign(runtime, claim)) or not kinds:
        raise _build_unknown_link()
    return UUID(bytes=claim[1 : 1 + _ID_BYTES]), UUID(bytes=claim[1 + _ID_BYTES :]), kinds[0]


def _build_unknown_link() -> NotFound:
    return NotFound(Message("This link is not valid. Change which email you receive on your profile page."))


def _sign(runtime: Runtime, claim: bytes) -> bytes:
    key = hmac.digest(runtime.signing_key, _KEY_LABEL, "sha256")
    return hmac.digest(key, claim, "sha256")[:_SIGNATURE_BYTES]


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
