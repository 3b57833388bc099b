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
    """One HTTP request. `params` are the query's pairs, in order; `headers` may contain a key, which is never stored or logged."""

    url: str
    params: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    method: Literal["GET", "POST"] = "GET"
    json: JsonValue = None
    """The body of a POST."""
    form: Mapping[str, str] | None = None
    """The form of a POST; it may contain a secret, as the headers may."""


@dataclass(frozen=True, slots=True)
class SourceResponse:
    """A source's response: any 2xx, 404 or 410."""

    call: SourceRequest
    status: int
    content_type: str
    body: bytes
    retrieved_at: datetime

    @property
    def found(self) -> bool:
        """Whether something exists at the address."""
        return self.status in SUCCESS_STATUSES

    @property
    def sha256(self) -> str:
        """The digest of the body, in hexadecimal."""
        return hashlib.sha256(self.body).hexdigest()
