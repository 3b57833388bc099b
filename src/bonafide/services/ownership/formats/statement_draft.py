"""An ownership statement that was read from a file, before it is checked as a whole.

Each party and interest remembers its place in the file, so that a problem of the statement names that place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import FIELD
from bonafide.model.ownership.statement import OwnershipStatement, find_excess
from bonafide.model.validation_messages import describe_validation_error

MAX_PROBLEMS = 20
"""The most that are reported for one file."""


@dataclass(frozen=True, slots=True)
class StatementSubject:
    """The business that a file is about: the ID and the name of its record."""

    business_id: UUID
    name: str | None


@dataclass(frozen=True, slots=True)
class DraftPlace:
    """Where a party or an interest is in the file, and where each of its fields is, as far as these have a place of their own."""

    path: str
    fields: Mapping[str, str]


@dataclass(slots=True)
class StatementDraft:
    """The fields of a statement by their wire names, its parties and interests, and where each of these is in the file."""

    fields: dict[str, Any] = field(default_factory=dict)
    parties: list[dict[str, Any]] = field(default_factory=list)
    interests: list[dict[str, Any]] = field(default_factory=list)
    party_places: list[DraftPlace] = field(default_factory=list)
    interest_places: list[DraftPlace] = field(default_factory=list)

    def add_party(self, path: str, fields: Mapping[str, Any], field_paths: Mapping[str, str] = MappingProxyType({})) -> None:
        """Add a party that is at this place of the file."""
        self.parties.append({name: value for name, value in fields.items() if value is not None})
        self.party_places.append(DraftPlace(path, field_paths))

    def add_interest(self, path: str, fields: Mapping[str, Any], field_paths: Mapping[str, str] = MappingProxyType({})) -> None:
        """Add an interest that is at this place of the file."""
        self.interests.append({name: value for name, value in fields.items() if value is not None})
        self.interest_places.append(DraftPlace(path, field_paths))

    def to_statement(self) -> OwnershipStatement:
        """The statement. Raises `ValidationFailed` with the places in the file."""
        given = {name: value for name, value in self.fields.items() if value is not None}
        try:
            statement = OwnershipStatement.model_validate({**given, "parties": self.parties, "interests": self.interests})
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)[:MAX_PROBLEMS]
            problems = []
            for details in found:
                named = str(details.get("ctx", {}).get(FIELD, ""))
                places = [str(place) for place in details["loc"]] + (named.split(".") if named else [])
                problems.append(self._describe(places, describe_validation_error(details)))
            raise ValidationFailed.of_fields(problems) from None
        excess = find_excess(statement)
        if excess is not None:
            number, message = excess
            raise ValidationFailed.of_fields([self._describe(["interests", str(number), "share"], message)])
        return statement

    def _describe(self, places: list[str], message: Message) -> FieldProblem:
        """The problem at its place in the file. A field without a place of its own is named before the problem."""
        lists = {"parties": self.party_places, "interests": self.interest_places}
        if len(places) < 2 or places[0] not in lists or not places[1].isdigit():  # noqa: PLR2004 - a list and a number
            return FieldProblem(".".join(places), message)
        place, fields = lists[places[0]][int(places[1])], [name for name in places[2:] if not name.isdigit()]
        path = place.path
        if fields and fields[0] in place.fields:
            path = place.fields[fields.pop(0)]
        return FieldProblem(path, Message("{path}: {problem}", path=".".join(fields), problem=message) if fields else message)
