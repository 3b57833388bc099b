"""Invented rows for the store's tests: north's, unless said otherwise."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from bonafide.model.accounts.organizations import Scope
from bonafide.model.search.result import SearchStatus
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


def new_key(**changes: Any) -> NewApiKey:
    values = {
        "id": uuid4(),
        "digest": uuid4().hex * 2,
        "prefix": "bf_live_abcd",
        "last4": "wxyz",
        "label": "Intégration",
        "owner": "owner@north.example",
        "scopes": (Scope.SEARCH_READ, Scope.SEARCH_WRITE),
        "rate_limit": 60,
        "lifetime": None,
        "created_at": NOW,
    }
    return NewApiKey(**(values | changes))


def new_search(**changes: Any) -> NewSearch:
    values = {
        "id": uuid4(),
        "query": "Sandbox Bakery Inc.",
        "website": None,
        "request": '{"name":"Sandbox Bakery Inc."}',
        "searched_at": NOW,
        "searched_by": "owner@north.example",
        "deadline_at": NOW + 30 * SECOND,
    }
    return NewSearch(**(values | changes))


def completed(**changes: Any) -> SearchOutcome:
    values = {
        "status": SearchStatus.COMPLETED,
        "document": DOCUMENT,
        "messages": MESSAGES,
        "errors": None,
        "finished_at": NOW + SECOND,
    }
    return SearchOutcome(**(values | changes))


def new_job(**changes: Any) -> NewJob:
    values = {"kind": "search", "key": "one", "payload": "{}", "run_at": NOW, "max_attempts": 3}
    return NewJob(**(values | changes))


def attempt(**changes: Any) -> IdempotentRequest:
    values = {"key_id": uuid4(), "idempotency_key": "order-1", "endpoint": "POST /v1/search", "body_sha256": "a" * 64}
    return IdempotentRequest(**(values | changes))
