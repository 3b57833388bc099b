"""A request to a live source and its response, as plain values that can be kept as evidence."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

SUCCESS_STATUSES = range(200, 300)


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """One HTTP request. `params` are the query's pairs, in order; `headers` may hold a key, which is never kept nor logged."""

    url: str
    params: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    method: Literal["GET", "POST"] = "GET"
    json: JsonValue = None
    """The body of a POST."""
    form: Mapping[str, str] | None = None
    """The body of a POST where it is a form; it may hold a secret as the headers may."""


@dataclass(frozen=True, slots=True)
class SourceResponse:
    """What a source sent: any 2xx, or that it has nothing there (404 or 410)."""

    call: SourceRequest
    status: int
    content_type: str
    body: bytes
    retrieved_at: datetime

    @property
    def found(self) -> bool:
        """Whether there is something at the address."""
        return self.status in SUCCESS_STATUSES

    @property
    def sha256(self) -> str:
        """The digest of the body, in hexadecimal."""
        return hashlib.sha256(self.body).hexdigest()
