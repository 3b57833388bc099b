"""A request of the API before it is sent."""

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID

from bonafide_client.json_codec import Model, encode

Body = Mapping[str, Any]
"""A body as a mapping, with the names of the API."""
QueryValue = str | int | bool | UUID | dt.date | Iterable[str] | None
_REPEATABLE = frozenset({"GET", "PUT", "DELETE"})
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class FileUpload:
    """A form with a file, which is read while it is sent."""

    path: Path
    fields: Mapping[str, str]
    """The other parts of the form."""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """What an operation sends. `path` begins with a slash."""

    method: str
    path: str
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    body: Model | Body | None = None
    content: bytes | None = None
    """A body that is not JSON."""
    upload: FileUpload | None = None
    """A body that is a form."""
    content_type: str = JSON
    accept: str = JSON
    idempotency_key: str | None = None
    respond_async: bool = False

    @property
    def is_repeatable(self) -> bool:
        """Whether it can be sent again although an earlier attempt may have arrived."""
        return self.method in _REPEATABLE or self.idempotency_key is not None

    def build_params(self) -> dict[str, str]:
        """The query parameters that have a value."""
        return {name: _encode_query(value) for name, value in self.query.items() if value is not None}

    def build_headers(self) -> dict[str, str]:
        """The headers of this request alone."""
        headers = {"Accept": self.accept}
        if self.body is not None or self.content is not None:
            headers["Content-Type"] = self.content_type
        if self.idempotency_key is not None:
            headers["Idempotency-Key"] = self.idempotency_key
        if self.respond_async:
            headers["Prefer"] = "respond-async"
        return headers

    def build_content(self) -> bytes | None:
        """The bytes of the body; None without one."""
        if self.body is None:
            return self.content
        return json.dumps(encode(self.body), ensure_ascii=False).encode()


def quote_path(value: str | int | UUID) -> str:
    """A value as a segment of a path."""
    return quote(str(value), safe="")


def _encode_query(value: QueryValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | UUID):
        return str(value)
    if isinstance(value, dt.date):
        return str(encode(value))
    return ",".join(value or ())
