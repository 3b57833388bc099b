"""The interface of a live connector: the query it receives, how numbers are normalized, how it sends requests, what it returns.

A source folder that has a `live.py` can be asked. How often, how long and whether the operator has accepted its terms is decided in
`services/live`; a connector knows only its register's protocol. It never retries and never sleeps.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import JsonValue

from bonafide.errors import InvalidInput, ParseFailed, SourceUnavailable
from bonafide.matching.identifiers.number_formats import NUMBER_FORMATS, detect_number_types
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entry import AnyEntry, RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.formats.json_objects import parse_strict_json
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.metadata import LiveMetadata, SourceMetadata

MAX_RESULTS = 50
"""Entries that one question may bring; a register that offers more is asked for its best."""
QueryPairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class LiveQuery:
    """What is looked for: a name, a number, or both. A connector uses what its register can be asked."""

    name: str | None
    number: str | None


@dataclass(frozen=True, slots=True)
class RegistrationQuery:
    """One registration of which the full report is wanted; `number` as the asker spells it."""

    jurisdiction: Jurisdiction
    number: str


class SendRequest(Protocol):
    """Whatever puts a question to the source within its rate and deadline, and keeps the answer as evidence."""

    async def __call__(self, call: SourceRequest) -> SourceResponse:
        """Raises a `SourceError`; a 404 or 410 is an answer."""


@dataclass(frozen=True, slots=True)
class LiveContext:
    """Given to a connector: the metadata, the words, the way to ask, and the operator's key for the source if there is one."""

    metadata: SourceMetadata
    ask: SendRequest
    key: str | None = None
    words: ParseContext = field(init=False)
    """`status`, `role` and `term` as for a parser."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", ParseContext(self.metadata))

    @property
    def live(self) -> LiveMetadata:
        """How the source is asked; a folder with a connector always says."""
        if self.metadata.live is None:
            raise ParseFailed(f"{self.metadata.key}: source.yml has no section `live`")
        return self.metadata.live

    async def get(self, path: str, params: QueryPairs = (), headers: Mapping[str, str] | None = None) -> SourceResponse:
        """Ask for what is at `path` below the source's base address. Raises a `SourceError`; a 404 or 410 is an answer."""
        return await self.ask(SourceRequest(self._url(path), tuple(params), headers if headers is not None else {}))

    async def post(self, path: str, body: JsonValue) -> SourceResponse:
        """Send a JSON body to `path` below the source's base address."""
        return await self.ask(SourceRequest(self._url(path), method="POST", json=body))

    def _url(self, path: str) -> str:
        return f"{self.live.base_url.rstrip('/')}/{path.lstrip('/')}" if path else self.live.base_url


FindFunction = Callable[[LiveQuery, LiveContext], Awaitable[Sequence[AnyEntry]]]
"""The entries that the source has for a query, the best first, at most `MAX_RESULTS`; empty when it has none."""
ReportFunction = Callable[[RegistrationQuery, LiveContext], Awaitable[RegistryEntry | None]]
"""All that the register publishes of one registration; None when it says that it has no such number."""


@dataclass(frozen=True, slots=True)
class LiveConnector:
    """A connector. `find` is None where only numbers can be asked for, `report` where there is nothing beyond what `find` gives."""

    find: FindFunction | None
    report: ReportFunction | None


def read_json(answer: SourceResponse) -> Any:
    """The JSON of an answer. Raises `SourceUnavailable` for a page meant for people, `ParseFailed` for anything else."""
    try:
        return parse_strict_json(answer.body)
    except ValueError as error:
        if answer.body.lstrip()[:1] == b"<":
            raise SourceUnavailable(
                "a web page came in place of data: a challenge for people, or a notice of maintenance"
            ) from error
        raise ParseFailed("the answer is not JSON") from error


def normalize_number(text: str, kind: NumberType) -> str | None:
    """The number without what stands around it (`NT 500-152`); None where it has another form or says that it is another kind."""
    stated = detect_number_types(text)
    if stated and kind not in stated:
        return None
    return next((key for key in sorted(build_number_keys(text)) if NUMBER_FORMATS[kind].fits(key)), None)


def require_number(text: str, kind: NumberType) -> str:
    """The same. Raises `InvalidInput` where the register can't have given it."""
    number = normalize_number(text, kind)
    if number is None:
        raise InvalidInput(f"{text!r} is not {NUMBER_FORMATS[kind].title}, which has {NUMBER_FORMATS[kind].form}")
    return number
