"""Read requests of the reconciliation service: batches of queries, and queries for the values of properties.

Both are JSON in a parameter of the URL or of a form. Everything is limited in number and length, because one request causes the
work of many.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, TypeVar
from urllib.parse import parse_qsl

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, RootModel, StringConstraints, ValidationError, model_validator

from bonafide.api.protocol.request_body import read_file_body
from bonafide.errors import BodyTooLarge, FieldProblem, UnsupportedMediaType, ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.matching.addresses.line_parsing import parse_address_line
from bonafide.model.base import Document
from bonafide.model.entity import Address
from bonafide.model.invisible_characters import remove_invisible_characters
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import MAX_NAME_CHARACTERS, AddressInput
from bonafide.services.reconciliation import entity_properties as properties
from bonafide.services.reconciliation.candidates import CandidateQuery
from bonafide.web.validation_errors import to_api_error

M = TypeVar("M", bound=BaseModel)
FORM = "application/x-www-form-urlencoded"
QUERIES, EXTEND = "queries", "extend"
"""The parameters of the two kinds of queries."""
BATCH_SIZE = 100
"""The most queries of one batch, as the manifest announces."""
MAX_CANDIDATES = 25
DEFAULT_CANDIDATES = 5
MAX_VALUES = 20
MAX_EXTENDED = 500
"""The most entities of one query for values."""
MAX_PARAMETERS = 20
MAX_JSON_CHARACTERS = 500_000
MAX_VALUE_CHARACTERS = 1000
"""Longer values of a row are cut off."""
_SHOWN_CHARACTERS = 100
"""What a warning repeats of a value."""
_LongText = Annotated[str, StringConstraints(max_length=1000)]


class _ProtocolDocument(Document):
    """A document of the protocol, which spells its fields with underscores. Only a query may not have further fields."""

    model_config = ConfigDict(alias_generator=None, extra="ignore")


class EntityReference(_ProtocolDocument):
    """A value that was reconciled itself: the ID of an entity."""

    id: _LongText
    name: _LongText | None = None


PropertyValue = str | bool | int | float | EntityReference | None


class QueryProperty(_ProtocolDocument):
    """A property of a query with its value, or several."""

    pid: _LongText
    v: PropertyValue | Annotated[list[PropertyValue], Field(max_length=MAX_VALUES)]

    def list_texts(self) -> list[str]:
        """The values as texts, without empty ones."""
        values = self.v if isinstance(self.v, list) else [self.v]
        return [text for text in (_to_text(value) for value in values if value is not None) if text]


class ReconciliationQuery(_ProtocolDocument):
    """A query for candidates."""

    model_config = ConfigDict(extra="forbid")

    query: str | None = None
    type: _LongText | Annotated[list[_LongText], Field(max_length=MAX_VALUES)] | None = None
    limit: Annotated[int, Field(ge=1)] = DEFAULT_CANDIDATES
    properties: Annotated[tuple[QueryProperty, ...], Field(max_length=MAX_VALUES)] = ()
    type_strict: Literal["any", "should", "all"] | None = None

    @model_validator(mode="after")
    def _something_to_find(self) -> "ReconciliationQuery":
        if self.query is None and not self.properties:
            raise ValueError(Message("must have a query or a property"))
        return self


class QueryBatch(RootModel[dict[str, ReconciliationQuery]]):
    """Queries by their keys."""


class ExtendedProperty(_ProtocolDocument):
    """A property whose values are requested. It has no settings."""

    id: _LongText
    settings: Mapping[str, object] = Field(default_factory=dict)


class ExtensionQuery(_ProtocolDocument):
    """The entities and the properties whose values are requested."""

    ids: Annotated[tuple[_LongText, ...], Field(max_length=MAX_EXTENDED)]
    properties: Annotated[tuple[ExtendedProperty, ...], Field(max_length=len(properties.PROPERTIES))]

    @model_validator(mode="after")
    def _known_properties(self) -> "ExtensionQuery":
        _check_known([one.id for one in self.properties], list(properties.PROPERTIES_BY_ID))
        return self


async def read_parameters(request: Request) -> dict[str, str]:
    """The parameters of the URL and of the form. Raises `UnsupportedMediaType` for another body, and `BodyTooLarge`."""
    found = _parse_form(request.url.query)
    if request.method == "POST":
        content = await read_file_body(request)
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
        if content and media_type != FORM:
            message = Message("The body must be a form. Send `Content-Type: {type}`.", type=FORM)
            raise UnsupportedMediaType.of_header("Content-Type", message)
        try:
            found |= _parse_form(content.decode())
        except UnicodeDecodeError:
            raise ValidationFailed(Message("The body is not valid UTF-8.")) from None
    return found


def _parse_form(text: str) -> dict[str, str]:
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_PARAMETERS))
    except ValueError:
        raise ValidationFailed(Message("The request has too many parameters.")) from None


def parse_queries(text: str) -> dict[str, ReconciliationQuery]:
    """The queries of a batch, by their keys. Raises `BodyTooLarge` for too many, `InvalidJson` and `ValidationFailed`."""
    queries = _parse(QueryBatch, text, QUERIES).root
    if len(queries) > BATCH_SIZE:
        message = Message("A batch may have at most {limit} queries.", limit=BATCH_SIZE)
        raise BodyTooLarge(message, details=[FieldProblem(QUERIES, message)])
    return queries


def parse_extension(text: str) -> ExtensionQuery:
    """A query for values. Raises `InvalidJson` and `ValidationFailed`."""
    return _parse(ExtensionQuery, text, EXTEND)


def _parse(model: type[M], text: str, parameter: str) -> M:
    if len(text) > MAX_JSON_CHARACTERS:
        message = Message("The parameter may have at most {limit} characters.", limit=MAX_JSON_CHARACTERS)
        raise BodyTooLarge(message, details=[FieldProblem(parameter, message)])
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        raise to_api_error(error, model) from None


def to_candidate_query(query: ReconciliationQuery) -> tuple[CandidateQuery, list[Message]]:
    """The query as the service knows it, and what of it was not understood. Raises `ValidationFailed` for an unknown property."""
    _check_known([one.pid for one in query.properties], [one.id for one in properties.EVIDENCE])
    values: dict[str, list[str]] = {}
    warnings: list[Message] = []
    for one in query.properties:
        values.setdefault(one.pid, []).extend(_cut_off(text, MAX_VALUE_CHARACTERS, warnings) for text in one.list_texts())
    jurisdictions = tuple(dict.fromkeys(_parse_jurisdictions(values.get(properties.JURISDICTION, ()), warnings)))
    name = _cut_off(_clean(query.query or ""), MAX_NAME_CHARACTERS, warnings)
    types = [query.type] if isinstance(query.type, str) else query.type or []
    return (
        CandidateQuery(
            name=name if any(character.isalnum() for character in name) else None,
            number=next(iter(values.get(properties.REGISTRATION_NUMBER, ())), None),
            address=_build_address(values),
            jurisdictions=jurisdictions,
            types=frozenset(filter(None, types)),
            limit=min(query.limit, MAX_CANDIDATES),
        ),
        warnings,
    )


def _parse_jurisdictions(texts: Sequence[str], warnings: list[Message]) -> Iterator[Jurisdiction]:
    """The jurisdictions of a row. What is none is data of a table, which must not fail the whole batch."""
    for text in texts:
        try:
            yield Jurisdiction.parse(text)
        except ValueError:
            warnings.append(Message("“{text}” is not a jurisdiction.", text=text[:_SHOWN_CHARACTERS]))


def _build_address(values: Mapping[str, Sequence[str]]) -> Address | None:
    """The address of the properties: the parts of the line, and over them those that are given apart."""
    line = ", ".join(values.get(properties.ADDRESS, ()))
    parsed = parse_address_line(line) if line else None
    parts = {
        name: next(iter(values.get(identifier, ())), None)
        for name, identifier in (
            ("street", properties.STREET),
            ("city", properties.CITY),
            ("province", properties.PROVINCE),
            ("postal_code", properties.POSTAL_CODE),
        )
    }
    if parsed is not None:
        stated = {"street": parsed.line, "city": parsed.city, "province": parsed.province, "postal_code": parsed.postal_code}
        parts = {name: parts[name] if parts[name] is not None else value for name, value in stated.items()}
    if all(value is None for value in parts.values()):
        return None
    given = AddressInput.model_construct(None, **parts)
    return given.as_address()


def _cut_off(text: str, limit: int, warnings: list[Message]) -> str:
    """The text within the limit. A long one is data of a table too, and must not fail the whole batch."""
    if len(text) > limit:
        warnings.append(Message("“{text}…” was cut off after {limit} characters.", text=text[:_SHOWN_CHARACTERS], limit=limit))
    return text[:limit]


def _to_text(value: str | float | EntityReference) -> str:
    if isinstance(value, EntityReference):
        return _clean(value.name or value.id)
    if isinstance(value, bool):
        return str(value).lower()
    # A spreadsheet's numbers are floating-point: 1000017.0 is the number 1000017.
    is_whole = isinstance(value, float) and value.is_integer()
    return _clean(str(int(value) if is_whole else value))


def _clean(text: str) -> str:
    return " ".join(remove_invisible_characters(text).split())


def _check_known(given: Sequence[str], known: Sequence[str]) -> None:
    """Raise `ValidationFailed` for an unknown property: ignoring it would hide that it has no effect."""
    for identifier in given:
        if identifier not in known:
            message = Message(
                "“{property}” is not a property; known are {known}.",
                property=identifier[:_SHOWN_CHARACTERS],
                known=join_values(known),
            )
            raise ValidationFailed.of_field("properties", message)
