"""The interface of a live connector: the query it receives, how numbers are normalized, how it sends requests, what it returns.

A source folder with a `live.py` can be queried live. `services/lookup` applies rate limits, deadlines and the operator's acceptance
of terms; a connector implements only the protocol of its register. It never retries and never sleeps.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import JsonValue

from bonafide.errors import InvalidInput, ParseFailed, SourceUnavailable
from bonafide.i18n.message import Message
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
"""Maximum number of entries of one query; the best ones of a register that has more."""
NO_RESULTS_LISTED = Message("the source counts {n:,} results but lists none")
ADDRESS_NOT_FOUND = Message("{source}: {url} was not found")
QueryPairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class LiveQuery:
    """The name, number or both to look up. A connector uses those that its register supports."""

    name: str | None
    number: str | None


@dataclass(frozen=True, slots=True)
class RegistrationQuery:
    """One registration whose full report is requested; `number` as the client wrote it."""

    jurisdiction: Jurisdiction
    number: str


class SendRequest(Protocol):
    """Sends a request to the source within its rate and deadline, and keeps the response as evidence."""

    async def __call__(self, call: SourceRequest) -> SourceResponse:
        """Send the request. Raises a `SourceError`; a 404 or 410 is returned."""


@dataclass(frozen=True, slots=True)
class LiveContext:
    """The argument of a connector: metadata, vocabulary, the function that sends requests, and the operator's key, if any."""

    metadata: SourceMetadata
    ask: SendRequest
    key: str | None = None
    words: ParseContext = field(init=False)
    """`status`, `role` and `term` as for a parser."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", ParseContext(self.metadata))

    @property
    def live(self) -> LiveMetadata:
        """The section `live` of the metadata, which a source with a connector must have."""
        if self.metadata.live is None:
            raise ParseFailed(Message("{source}: source.yml has no section `live`", source=self.metadata.key))
        return self.metadata.live

    async def get(self, path: str, params: QueryPairs = (), headers: Mapping[str, str] | None = None) -> SourceResponse:
        """Send a GET request to `path` below the source's base address. Raises a `SourceError`; a 404 or 410 is returned."""
        return await self.ask(SourceRequest(self._url(path), tuple(params), headers if headers is not None else {}))

    async def post(self, path: str, body: JsonValue) -> SourceResponse:
        """Send a JSON body to `path` below the source's base address."""
        return await self.ask(SourceRequest(self._url(path), method="POST", json=body))

    def _url(self, path: str) -> str:
        return f"{self.live.base_url.rstrip('/')}/{path.lstrip('/')}" if path else self.live.base_url


FindFunction = Callable[[LiveQuery, LiveContext], Awaitable[Sequence[AnyEntry]]]
"""Returns the source's entries for a query, the best first, at most `MAX_RESULTS`; empty without any."""
ReportFunction = Callable[[RegistrationQuery, LiveContext], Awaitable[RegistryEntry | None]]
"""Returns what the register publishes of one registration; None if the register has no such number."""


@dataclass(frozen=True, slots=True)
class LiveConnector:
    """A connector. `find` is None if only numbers can be looked up, `report` if it has nothing to add to `find`."""

    find: FindFunction | None
    report: ReportFunction | None


def read_json(answer: SourceResponse) -> Any:
    """The JSON of a response. Raises `SourceUnavailable` for a web page, `ParseFailed` for anything else."""
    try:
        return parse_strict_json(answer.body)
    except ValueError as error:
        if answer.body.lstrip()[:1] == b"<":
            sentence = Message("the source returned a web page instead of data, such as a captcha or a maintenance notice")
            raise SourceUnavailable(sentence) from error
        raise ParseFailed(Message("the response is not JSON")) from error


def normalize_number(text: str, kind: NumberType) -> str | None:
    """The number without prefixes and separators (`NT 500-152`); None if it has another form or states another type."""
    stated = detect_number_types(text)
    if stated and kind not in stated:
        return None
    return next((key for key in sorted(build_number_keys(text)) if NUMBER_FORMATS[kind].fits(key)), None)


def require_number(text: str, kind: NumberType) -> str:
    """The same. Raises `InvalidInput` for a number that the register can't have assigned."""
    number = normalize_number(text, kind)
    if number is None:
        form = NUMBER_FORMATS[kind]
        raise InvalidInput(
            Message("'{number}' is not a valid number of the type {type} ({form})", number=text, type=form.title, form=form.form)
        )
    return number
