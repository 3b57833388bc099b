"""The pages of API keys: list, make, look at, change, rotate and revoke, for the owners of an organization.

A key's text is on one answer, that of the form which made it, and nowhere else. What a key may do is enforced by the API.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.console.access import Owner, PathId, ServedRuntime
from bonafide.console.author import author_of
from bonafide.console.drawing.charts import Bar, bars
from bonafide.console.forms import Submission, form_of
from bonafide.console.key_samples import sample_call
from bonafide.console.page import page, see
from bonafide.console.route import ConsoleRoute
from bonafide.errors import Forbidden
from bonafide.model.accounts.users import (PERMISSIONS, Membership, Permission, SignedIn)
from bonafide.model.base import Document
from bonafide.model.accounts.organizations import (DEFAULT_RATE_LIMIT, ApiKey, KeyChange, KeyRequest, RateLimit, Scope, World)
from bonafide.model.query import Text
from bonafide.runtime import Runtime
from bonafide.services import organization_keys
from bonafide.services.accounts import CreatedKey
from bonafide.services.key_usage import KeyUsage, usage_of

LIFETIMES = (30, 90, 180, 365)
"""Days that are offered for a key."""
OVERLAPS = (0, 1, 24, 168)
"""Hours that are offered for the old key at a rotation."""
DEFAULT_LIFETIME, DEFAULT_OVERLAP = 90, 24
KEYS = "/console/keys"
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
Days = Annotated[int, Field(ge=0, le=3650)]
"""0 for a key that does not expire."""


class NewKey(Document):
    """The form that makes a key. Without any scope it is refused, not given all."""

    label: Text
    world: World | None = None
    """The one that is looked at where none is chosen; keys of the other belong to the organization's twin there."""
    all_scopes: bool = False
    scopes: tuple[Scope, ...] = ()
    lifetime_days: Days = DEFAULT_LIFETIME
    rate_limit: RateLimit = DEFAULT_RATE_LIMIT

    @property
    def chosen(self) -> tuple[Scope, ...]:
        """The scopes, in their order."""
        return tuple(Scope) if self.all_scopes else self.scopes


class KeyForm(Document):
    """The form that changes a key; without days its expiry stays as it is."""

    lifetime_days: Annotated[int, Field(ge=1, le=3650)] | None = None
    rate_limit: RateLimit | None = None


class Rotation(Document):
    """The form that rotates a key."""

    overlap_hours: Annotated[int, Field(ge=0, le=30 * 24)] = DEFAULT_OVERLAP


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key in the list: its state in a word, its requests as numbers and as bars of 120 by 28."""

    key: ApiKey
    state: str
    usage: KeyUsage
    bars: tuple[Bar, ...]


@router.get(KEYS)
async def list_keys(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """All keys, and the form for a new one."""
    return await _list(request, runtime, signed_in)


@router.post(KEYS)
async def create_key(
    request: Request, signed_in: Owner, runtime: ServedRuntime, submission: Annotated[Submission[NewKey], Depends(form_of(NewKey))]
) -> Response:
    """A new key, shown once."""
    wanted = submission.value
    problems = dict(submission.problems)
    if wanted is not None and not wanted.chosen:
        problems["scopes"] = "choose at least one scope, or all"
    if wanted is None or problems:
        return await _list(request, runtime, signed_in, 422, submission=submission, problems=problems)
    place = _place(signed_in, wanted.world)
    order = KeyRequest(
        organization=place.organization,
        label=wanted.label,
        owner=signed_in.user.email,
        scopes=wanted.chosen,
        expires_in=timedelta(days=wanted.lifetime_days) if wanted.lifetime_days > 0 else None,
        rate_limit=wanted.rate_limit,
        world=place.world,
    )
    created = await organization_keys.create_key(runtime, place.organization_id, order, author_of(request, signed_in))
    return _shown_once(request, runtime, created, None)


@router.get(f"{KEYS}/{{id}}")
async def read_key(request: Request, signed_in: Owner, runtime: ServedRuntime, key_id: PathId) -> Response:
    """One key: its requests by day, and what can be changed about it."""
    return await _key_page(request, runtime, signed_in.organization_id, key_id)


@router.post(f"{KEYS}/{{id}}")
async def change_key(
    request: Request,
    signed_in: Owner,
    runtime: ServedRuntime,
    key_id: PathId,
    submission: Annotated[Submission[KeyForm], Depends(form_of(KeyForm))],
) -> Response:
    """Another expiry, another limit."""
    form = submission.value
    if form is None:
        return await _key_page(request, runtime, signed_in.organization_id, key_id, 422, submission=submission)
    lifetime = timedelta(days=form.lifetime_days) if form.lifetime_days is not None else None
    change = KeyChange(expires_in=lifetime, rate_limit=form.rate_limit)
    await organization_keys.change_key(runtime, signed_in.organization_id, key_id, change, author_of(request, signed_in))
    return see(request, f"{KEYS}/{key_id}")


@router.post(f"{KEYS}/{{id}}/rotate")
async def rotate_key(
    request: Request,
    signed_in: Owner,
    runtime: ServedRuntime,
    key_id: PathId,
    submission: Annotated[Submission[Rotation], Depends(form_of(Rotation))],
) -> Response:
    """A new key in the old one's place, shown once."""
    form = submission.value
    if form is None:
        return await _key_page(request, runtime, signed_in.organization_id, key_id, 422, submission=submission)
    author, overlap = author_of(request, signed_in), timedelta(hours=form.overlap_hours)
    created = await organization_keys.rotate_key(runtime, signed_in.organization_id, key_id, overlap, author)
    old = await organization_keys.read_key(runtime, signed_in.organization_id, key_id)
    return _shown_once(request, runtime, created, old)


@router.get(f"{KEYS}/{{id}}/revoke")
async def ask_to_revoke(request: Request, signed_in: Owner, runtime: ServedRuntime, key_id: PathId) -> Response:
    """Whether the key is really to be refused: that can't be undone."""
    key = await organization_keys.read_key(runtime, signed_in.organization_id, key_id)
    usage = await usage_of(runtime, signed_in.organization_id, [key.id])
    return page(request, "keys/revoke.html", row=_row(key, usage[key.id], runtime.clock()))


@router.post(f"{KEYS}/{{id}}/revoke")
async def revoke_key(request: Request, signed_in: Owner, runtime: ServedRuntime, key_id: PathId) -> Response:
    """No request with the key is answered any more."""
    await organization_keys.revoke_key(runtime, signed_in.organization_id, key_id, author_of(request, signed_in))
    return see(request, KEYS)


async def _list(request: Request, runtime: Runtime, signed_in: SignedIn, status: int = 200, **context: Any) -> Response:
    keys = await organization_keys.list_keys(runtime, signed_in.organization_id)
    usage = await usage_of(runtime, signed_in.organization_id, [key.id for key in keys])
    rows = [_row(key, usage[key.id], runtime.clock()) for key in keys]
    shown: dict[str, Any] = {
        "usable": [row for row in rows if row.state == "active"],
        "ended": [row for row in rows if row.state != "active"],
        "submission": None,
        "problems": {},
        "scopes": _scopes(),
        "worlds": [place.world for place in _places(signed_in)],
        "lifetimes": LIFETIMES,
        "default_lifetime": DEFAULT_LIFETIME,
        "default_rate_limit": DEFAULT_RATE_LIMIT,
    }
    return page(request, "keys/list.html", status, every_scope=len(Scope), **{**shown, **context})


async def _key_page(
    request: Request, runtime: Runtime, organization_id: UUID, key_id: UUID, status: int = 200, **context: Any
) -> Response:
    key = await organization_keys.read_key(runtime, organization_id, key_id)
    usage = await usage_of(runtime, organization_id, [key_id])
    shown: dict[str, Any] = {"submission": None, "lifetimes": LIFETIMES, "overlaps": OVERLAPS, "default_overlap": DEFAULT_OVERLAP}
    row = _row(key, usage[key_id], runtime.clock(), 600, 120)
    return page(request, "keys/key.html", status, row=row, every_scope=len(Scope), **{**shown, **context})


def _shown_once(request: Request, runtime: Runtime, created: CreatedKey, old: ApiKey | None) -> Response:
    sample = sample_call(runtime.settings.base_url, created)
    return page(request, "keys/created.html", 201, created=created, old=old, sample=sample, every_scope=len(Scope))


def _row(key: ApiKey, usage: KeyUsage, now: datetime, width: int = 120, height: int = 28) -> KeyRow:
    values = [(requests.made, requests.refused) for _, requests in usage.days]
    return KeyRow(key, _state(key, now), usage, bars(values, width, height))


def _state(key: ApiKey, now: datetime) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "active"


def _places(signed_in: SignedIn) -> list[Membership]:
    """The organization in each world in which this person may make keys, the one that is looked at first."""
    own = [place for place in signed_in.memberships if place.organization == signed_in.membership.organization]
    own = [place for place in own if Permission.MANAGE in PERMISSIONS[place.role]]
    return sorted(own, key=lambda place: place.organization_id != signed_in.organization_id)


def _place(signed_in: SignedIn, world: World | None) -> Membership:
    """The organization in that world. Raises `Forbidden`."""
    chosen = next((place for place in _places(signed_in) if world in {None, place.world}), None)
    if chosen is None:
        raise Forbidden("You are no owner of this organization in that world.")
    return chosen


def _scopes() -> list[tuple[str, list[Scope]]]:
    """The scopes by what they are about."""
    about = dict.fromkeys(scope.value.partition(":")[0] for scope in Scope)
    return [(name, [scope for scope in Scope if scope.value.startswith(f"{name}:")]) for name in about]
