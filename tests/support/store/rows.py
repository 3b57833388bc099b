"""Invented rows for the store's tests: north's, unless said otherwise."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypedDict, Unpack
from uuid import UUID, uuid4

from bonafide.model.accounts.organizations import Scope
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.store.records.searches import NewSearch, SearchOutcome
from bonafide.store.tenants.api_keys import NewApiKey
from bonafide.store.work.idempotency import IdempotentRequest
from bonafide.store.work.jobs import NewJob

NOW = datetime(2026, 11, 20, 14, 33, 0, 125_001, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
MESSAGES = '{"same name":{"template":"same name"}}'
DOCUMENT = '{"meta": {"searchId" : "…"},\n "é":  "S.E.N.C.R.L.",   "emoji": "🍁"}'
"""Oddly spaced on purpose: it must come back as it is."""


class KeyChanges(TypedDict, total=False):
    """The columns of an API key that a test chooses."""

    digest: str
    lifetime: timedelta | None
    created_at: datetime


class SearchChanges(TypedDict, total=False):
    """The columns of a search that a test chooses."""

    id: UUID
    query: str
    website: str | None
    searched_at: datetime
    deadline_at: datetime


class OutcomeChanges(TypedDict, total=False):
    """The columns of a search's outcome that a test chooses."""

    status: SearchStatus
    document: str
    errors: str | None
    selection: SelectionStatus | None
    jurisdiction: Jurisdiction | None


class JobChanges(TypedDict, total=False):
    """The columns of a job that a test chooses."""

    kind: str
    key: str
    payload: str
    run_at: datetime
    max_attempts: int


class RequestChanges(TypedDict, total=False):
    """The columns of an idempotent request that a test chooses."""

    idempotency_key: str
    endpoint: str
    body_sha256: str


def new_key(**changes: Unpack[KeyChanges]) -> NewApiKey:
    key = NewApiKey(
        id=uuid4(),
        digest=uuid4().hex * 2,
        prefix="bf_live_abcd",
        last4="wxyz",
        label="Intégration",
        owner="owner@north.example",
        scopes=(Scope.SEARCH_READ, Scope.SEARCH_WRITE),
        rate_limit=60,
        lifetime=None,
        created_at=NOW,
    )
    return replace(key, **changes)


def new_search(**changes: Unpack[SearchChanges]) -> NewSearch:
    search = NewSearch(
        id=uuid4(),
        query="Sandbox Bakery Inc.",
        website=None,
        request='{"name":"Sandbox Bakery Inc."}',
        searched_at=NOW,
        searched_by="owner@north.example",
        deadline_at=NOW + 30 * SECOND,
    )
    return replace(search, **changes)


def completed(**changes: Unpack[OutcomeChanges]) -> SearchOutcome:
    outcome = SearchOutcome(
        status=SearchStatus.COMPLETED, document=DOCUMENT, messages=MESSAGES, errors=None, finished_at=NOW + SECOND
    )
    return replace(outcome, **changes)


def new_job(**changes: Unpack[JobChanges]) -> NewJob:
    return replace(NewJob(kind="search", key="one", payload="{}", run_at=NOW, max_attempts=3), **changes)


def attempt(key_id: UUID | None = None, **changes: Unpack[RequestChanges]) -> IdempotentRequest:
    request = IdempotentRequest(
        key_id=key_id if key_id is not None else uuid4(),
        idempotency_key="order-1",
        endpoint="POST /v1/search",
        body_sha256="a" * 64,
    )
    return replace(request, **changes)
