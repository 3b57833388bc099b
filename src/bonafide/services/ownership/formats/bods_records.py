"""Parse a file of BODS 0.4 statements, and collect the latest statement of each record.

The file is a JSON array of statements, one statement, or a statement a line.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from bonafide.errors import FieldProblem, InvalidJson, ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.model.validation_messages import describe_validation_error
from bonafide.services.ownership.formats.bods_statements import (
    AnyBodsStatement,
    BodsEntityStatement,
    BodsPersonStatement,
    BodsRecordStatus,
    BodsRelationshipStatement,
)
from bonafide.services.ownership.formats.statement_draft import MAX_PROBLEMS
from bonafide.strict_json import parse_request_json

MAX_STATEMENTS = 10_000
_STATEMENT: Final[TypeAdapter[AnyBodsStatement]] = TypeAdapter(AnyBodsStatement)
_RECORD_TYPES = ("entity", "person", "relationship")


@dataclass(frozen=True, slots=True)
class PlacedParty:
    """The latest statement of an entity or a person, and its index in the file."""

    index: int
    statement: BodsEntityStatement | BodsPersonStatement


@dataclass(frozen=True, slots=True)
class PlacedRelationship:
    """The latest statement of a relationship, and its index in the file."""

    index: int
    statement: BodsRelationshipStatement

    @property
    def is_closed(self) -> bool:
        """Whether the record is closed: it describes nothing any more, and its interests may overlap with those of a later one."""
        return self.statement.record_status is BodsRecordStatus.CLOSED


@dataclass(slots=True)
class BodsRecords:
    """The records of a file by their IDs."""

    parties: dict[str, PlacedParty] = field(default_factory=dict)
    relationships: dict[str, PlacedRelationship] = field(default_factory=dict)
    statements: Sequence[AnyBodsStatement] = ()


def read_records(content: bytes) -> BodsRecords:
    """The records of a file. Raises `InvalidJson` and `ValidationFailed`; paths begin with the index of the statement."""
    return _collect_records(_parse_statements(_load_json(content)))


def _load_json(content: bytes) -> list[Any]:
    try:
        text = content.decode("utf-8-sig")
        try:
            value = parse_request_json(text)
        except json.JSONDecodeError:
            # Only a line feed ends a line: other separators may be within a string.
            value = [parse_request_json(line) for line in text.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        raise InvalidJson(Message("The body must be BODS statements in UTF-8: a JSON array, or a statement a line.")) from None
    return value if isinstance(value, list) else [value]


def _parse_statements(values: Sequence[Any]) -> list[AnyBodsStatement]:
    if not values:
        raise ValidationFailed.of_field("", Message("the file has no statements"))
    if len(values) > MAX_STATEMENTS:
        raise ValidationFailed.of_field("", Message("the file has more than {limit} statements", limit=MAX_STATEMENTS))
    statements: list[AnyBodsStatement] = []
    problems: list[FieldProblem] = []
    for index, value in enumerate(values):
        try:
            statements.append(_parse_statement(index, value))
        except ValidationFailed as error:
            problems += error.details
        if len(problems) >= MAX_PROBLEMS:
            break
    if problems:
        raise ValidationFailed.of_fields(problems[:MAX_PROBLEMS])
    return statements


def _parse_statement(index: int, value: Any) -> AnyBodsStatement:
    if not isinstance(value, dict):
        raise ValidationFailed.of_field(f"{index}", Message("must be an object"))
    if "statementType" in value:
        raise ValidationFailed.of_field(f"{index}.statementType", Message("is of an earlier version of BODS; only 0.4 is read"))
    if value.get("recordType") not in _RECORD_TYPES:
        message = Message("must be one of {values}", values=join_values(_RECORD_TYPES))
        raise ValidationFailed.of_field(f"{index}.recordType", message)
    try:
        # Again from text: dates and enumerations are strings in JSON, and nothing else is converted.
        return _STATEMENT.validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        raise ValidationFailed.of_fields(_describe_problems(index, error)) from None


def _describe_problems(index: int, error: ValidationError) -> list[FieldProblem]:
    """The problems by path. The path of an alternative that is not an object is that of the field."""
    found: dict[str, FieldProblem] = {}
    for details in error.errors(include_url=False, include_input=False):
        # The first place is the type of record, and a place with other characters than a name the type of an alternative.
        places = [str(place) for place in details["loc"][1:] if isinstance(place, int) or place[:1].islower()]
        path = ".".join([str(index), *(place for place in places if place != "constrained-str")])
        found.setdefault(path, FieldProblem(path, describe_validation_error(details)))
    return list(found.values())


def _collect_records(statements: Sequence[AnyBodsStatement]) -> BodsRecords:
    """The latest statement of each record: by its date, and by its place in the file for the same date."""
    records = BodsRecords(statements=statements)
    latest: dict[str, AnyBodsStatement] = {}
    for index, statement in enumerate(statements):
        known = latest.get(statement.record_id)
        if known is not None and known.record_type != statement.record_type:
            raise ValidationFailed.of_field(f"{index}.recordId", Message("is the ID of a record of another type"))
        if known is not None and known.statement_date > statement.statement_date:
            continue
        latest[statement.record_id] = statement
        if isinstance(statement, BodsRelationshipStatement):
            records.relationships[statement.record_id] = PlacedRelationship(index, statement)
        else:
            records.parties[statement.record_id] = PlacedParty(index, statement)
    return records
