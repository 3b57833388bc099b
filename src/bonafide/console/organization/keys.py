"""Pages of API keys: list, create, change, rotate, revoke.

A key is shown once, in the response to its creation, with a sample `curl` request.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.console.frame.charts import ChartBar, build_bars
from bonafide.console.frame.console_request import Owner, PathId, ServedRuntime, build_author
from bonafide.console.frame.forms import FormSubmission, create_form_parser
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import Forbidden
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import DEFAULT_RATE_LIMIT, ApiKey, KeyChange, KeyRequest, RateLimit, Scope, World
from bonafide.model.accounts.users import PERMISSIONS, Membership, Permission, SignedIn
from bonafide.model.base import Document
from bonafide.model.query import Text
from bonafide.runtime import Runtime
from bonafide.services.accounts import organization_api_keys
from bonafide.services.accounts.api_access import CreatedApiKey
from bonafide.services.accounts.api_key_usage import KeyUsage, read_usage

SAMPLE_NAME = "Sandbox Bakery Inc."
"""A business of the sandbox. With live data the sample returns no match."""
LIFETIMES = (30, 90, 180, 365)
"""The lifetimes to choose from, in days."""
OVERLAPS = (0, 1, 24, 168)
"""The hours to choose from for which the old key stays valid after a rotation."""
DEFAULT_LIFETIME, DEFAULT_OVERLAP = 90, 24
KEYS = "/console/keys"
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
Days = Annotated[int, Field(ge=0, le=3650)]
"""A lifetime in days; 0 for a key that does not expire."""


@dataclass(frozen=True, slots=True)
class _SampleRequest:
    """A sample request: its path and its body."""

    path: str
    body: Mapping[str, object] | None = None


_BUSINESS = {"legalName": SAMPLE_NAME, "jurisdiction": "ON", "registrationNumber": "1000017"}
_CALLS = MappingProxyType({
    Scope.SEARCH_WRITE: _SampleRequest("/v1/search", {"name": SAMPLE_NAME}),
    Scope.VERIFY_WRITE: _SampleRequest("/v1/verify", _BUSINESS),
    Scope.SANCTIONS_WRITE: _SampleRequest("/v1/sanctions", {"name": SAMPLE_NAME}),
    Scope.SEARCH_READ: _SampleRequest("/v1/coverage"),
    Scope.BUSINESSES_READ: _SampleRequest("/v1/businesses"),
    Scope.SANCTIONS_READ: _SampleRequest("/v1/sanctions/dismissals"),
    Scope.EVENTS_READ: _SampleRequest("/v1/events"),
})  # fmt: skip
"""Sample requests in order of preference. The other scopes need the id of an existing object."""


def build_sample_call(base_url: str, created: CreatedApiKey) -> str | None:
    """A `curl` command with the key; None for a key whose scopes allow no request without an id."""
    call = next((call for scope, call in _CALLS.items() if scope in created.key.scopes), None)
    if call is None:
        return None
    lines = [f"curl -s {shlex.quote(base_url + call.path)}", f"-H {shlex.quote(f'Authorization: Bearer {created.text}')}"]
    if call.body is not None:
        lines += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(call.body))}"]
    return " \\\n  ".join(lines)


class NewKeyForm(Document):
    """The form that creates a key. At least one scope is required."""

    label: Text
    world: World | None = None
    """The world of the key; by default the current one."""
    all_scopes: bool = False
    scopes: tuple[Scope, ...] = ()
    lifetime_days: Days = DEFAULT_LIFETIME
    rate_limit: RateLimit = DEFAULT_RATE_LIMIT
    lenient: bool = False

    @property
    def chosen(self) -> tuple[Scope, ...]:
        """The scopes, in their order."""
        return tuple(Scope) if self.all_scopes else self.scopes


class KeyChangeForm(Document):
    """The form that changes a key. Without days its expiry does not change."""

    lifetime_days: Annotated[int, Field(ge=1, le=3650)] | None = None
    rate_limit: RateLimit | None = None
    lenient: bool = False
    """A checkbox, which a form omits when it is not checked."""


class RotationForm(Document):
    """The form that rotates a key."""

    overlap_hours: Annotated[int, Field(ge=0, le=30 * 24)] = DEFAULT_OVERLAP


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key in the list: its state, its usage, and the bars of the usage chart."""

    key: ApiKey
    state: str
    usage: KeyUsage
    bars: tuple[ChartBar, ...]


@router.get(KEYS)
async def list_keys(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """All keys, and the form for a new one."""
    return await _render_list(request, runtime, signed_in)


@router.post(KEYS)
async def create_key(
    request: Request,
    signed_in: Owner,
    runtime: ServedRuntime,
    submission: Annotated[FormSubmission[NewKeyForm], Depends(create_form_parser(NewKeyForm))],
) -> Response:
    """A new key, shown once."""
    new_key = submission.value
    problems = dict(submission.problems)
    if new_key is not None and not new_key.chosen:
        problems["scopes"] = Message("select at least one permission")
    if new_key is None or problems:
        return await _render_list(request, runtime, signed_in, 422, submission=submission, problems=problems)
    place = _choose_membership(signed_in, new_key.world)
    order = KeyRequest(
        organization=place.organization,
        label=new_key.label,
        owner=signed_in.user.email,
        scopes=new_key.chosen,
        expires_in=timedelta(days=new_key.lifetime_days) if new_key.lifetime_days > 0 else None,
        rate_limit=new_key.rate_limit,
        world=place.world,
        lenient=new_key.lenient,
    )
    created = await organization_api_keys.create_key(runtime, place.organization_id, order, build_author(request, signed_in))
    return _render_created_key(request, runtime, created, None)


@router.get(f"{KEYS}/{{id}}")
async def read_key(request: Request, signed_in: Owner, runtime: ServedRuntime, key_id: PathId) -> Response:
    """One key: its requests by day, and its forms."""
    return await _render_key(request, runtime, signed_in.organization_id, key_id)


@router.post(f"{KEYS}/{{id}}")
async def change_key(
    request: Request,
    signed_in: Owner,
    runtime: ServedRuntime,
    key_id: PathId,
    submission: Annotated[FormSubmission[KeyChangeForm], Depends(create_form_parser(KeyChangeForm))],
) -> Response:
    """Change the expiry, the rate limit, or whether unknown fields are refused."""
    form = submission.value
    if form is None:
        return await _render_key(request, runtime, signed_in.organization_id, key_id, 422, submission=submission)
    lifetime = timedelta(days=form.lifetime_days) if form.lifetime_days is not None else None
    change = KeyChange(expires_in=lifetime, rate_limit=form.rate_limit, lenient=form.lenient)
    await organization_api_keys.change_key(runtime, signed_in.organization_id, key_id, change, build_author(request, signed_in))
    return redirect(request, f"{KEYS}/{key_id}")


@router.post(f"{KEYS}/{{id}}/rotate")
async def rotate_key(
    request: Request,
    signed_in: Owner,
    runtime: ServedRuntime,
    key_id: PathId,
    submission: Annotated[FormSubmission[RotationForm], Depends(create_form_parser(RotationForm))],
) -> Response:
    """Replace the key with a new one, which is shown once."""
    form = submission.value
    if form is None:
        return await _render_key(request, runtime, signed_in.organization_id, key_id, 422, submission=submission)
    author, overlap = build_author(request, signed_in), timedelta(hours=form.overlap_hours)
    created = await organization_api_keys.rotate_key(runtime, signed_in.organization_id, key_id, overlap, author)
    old = await organization_api_keys.read_key(runtime, signed_in.organization_id, key_id)
    return _render_created_key(request, runtime, created, old)


@router.get(f"{KEYS}/{{id}}/revoke")
async def confirm_revocation(request: Request, signed_in: Owner, runtime: ServedRuntime, key_id: PathId) -> Response:
    """Ask for confirmation, because revoking can't be undone."""
    key = await organization_api_keys.read_key(runtime, signed_in.organization_id, key_id)
    usage = await read_usage(runtime, signed_in.organization_id, [key.id])
    return render_page(request, "keys/revoke.html", row=_build_row(key, usage[key.id], runtime.clock()))


@router.post(f"{KEYS}/{{id}}/revoke")
async def revoke_key(request: Request, signed_in: Owner, runtime: ServedRuntime, key_id: PathId) -> Response:
    """Revoke the key."""
    await organization_api_keys.revoke_key(runtime, signed_in.organization_id, key_id, build_author(request, signed_in))
    return redirect(request, KEYS)


async def _render_list(request: Request, runtime: Runtime, signed_in: SignedIn, status: int = 200, **context: Any) -> Response:
    keys = await organization_api_keys.list_keys(runtime, signed_in.organization_id)
    usage = await read_usage(runtime, signed_in.organization_id, [key.id for key in keys])
    rows = [_build_row(key, usage[key.id], runtime.clock()) for key in keys]
    shown: dict[str, Any] = {
        "usable": [row for row in rows if row.state == "active"],
        "ended": [row for row in rows if row.state != "active"],
        "submission": None,
        "problems": {},
        "scopes": _group_scopes(),
        "worlds": [place.world for place in _list_memberships(signed_in)],
        "lifetimes": LIFETIMES,
        "default_lifetime": DEFAULT_LIFETIME,
        "default_rate_limit": DEFAULT_RATE_LIMIT,
    }
    return render_page(request, "keys/list.html", status, every_scope=len(Scope), **{**shown, **context})


async def _render_key(
    request: Request, runtime: Runtime, organization_id: UUID, key_id: UUID, status: int = 200, **context: Any
) -> Response:
    key = await organization_api_keys.read_key(runtime, organization_id, key_id)
    usage = await read_usage(runtime, organization_id, [key_id])
    shown: dict[str, Any] = {"submission": None, "lifetimes": LIFETIMES, "overlaps": OVERLAPS, "default_overlap": DEFAULT_OVERLAP}
    row = _build_row(key, usage[key_id], runtime.clock(), 600, 120)
    return render_page(request, "keys/key.html", status, row=row, every_scope=len(Scope), **{**shown, **context})


def _render_created_key(request: Request, runtime: Runtime, created: CreatedApiKey, old: ApiKey | None) -> Response:
    sample = build_sample_call(runtime.settings.base_url, created)
    return render_page(request, "keys/created.html", 201, created=created, old=old, sample=sample, every_scope=len(Scope))


def _build_row(key: ApiKey, usage: KeyUsage, now: datetime, width: int = 120, height: int = 28) -> KeyRow:
    values = [(requests.made, requests.refused) for _, requests in usage.days]
    return KeyRow(key, _get_state(key, now), usage, build_bars(values, width, height))


def _get_state(key: ApiKey, now: datetime) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "active"


def _list_memberships(signed_in: SignedIn) -> list[Membership]:
    """The memberships of the organization's worlds in which this user may create keys, the current one first."""
    own = [place for place in signed_in.memberships if place.organization == signed_in.membership.organization]
    own = [place for place in own if Permission.MANAGE in PERMISSIONS[place.role]]
    return sorted(own, key=lambda place: place.organization_id != signed_in.organization_id)


def _choose_membership(signed_in: SignedIn, world: World | None) -> Membership:
    """The organization in that world. Raises `Forbidden`."""
    chosen = next((place for place in _list_memberships(signed_in) if world in {None, place.world}), None)
    if chosen is None:
        raise Forbidden(Message("Only owners of this organization can create keys for this data."))
    return chosen


def _group_scopes() -> list[tuple[str, list[Scope]]]:
    """The scopes, grouped by resource."""
    about = dict.fromkeys(scope.value.partition(":")[0] for scope in Scope)
    return [(name, [scope for scope in Scope if scope.value.startswith(f"{name}:")]) for name in about]
