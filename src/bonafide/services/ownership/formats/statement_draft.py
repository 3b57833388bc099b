"""An ownership statement that was read from a file, before it is checked as a whole.

Each party and interest remembers its place in the file, so that a problem of the statement names that place.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import FIELD
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.validation_messages import describe_validation_error

MAX_PROBLEMS = 20
"""The most that are reported for one file."""


@dataclass(frozen=True, slots=True)
class StatementSubject:
    """The business that a file is about: the ID and the name of its record."""

    business_id: UUID
    name: str | None


@dataclass(slots=True)
class StatementDraft:
    """The fields of a statement by their wire names, its parties and interests, and where each of these is in the file."""

    fields: dict[str, Any] = field(default_factory=dict)
    parties: list[dict[str, Any]] = field(default_factory=list)
    interests: list[dict[str, Any]] = field(default_factory=list)
    party_places: list[str] = field(default_factory=list)
    interest_places: list[str] = field(default_factory=list)

    def add_party(self, place: str, fields: dict[str, Any]) -> None:
        """Add a party that is at this place of the file."""
        self.parties.append({name: value for name, value in fields.items() if value is not None})
        self.party_places.append(place)

    def add_interest(self, place: str, fields: dict[str, Any]) -> None:
        """Add an interest that is at this place of the file."""
        self.interests.append({name: value for name, value in fields.items() if value is not None})
        self.interest_places.append(place)

    def to_statement(self) -> OwnershipStatement:
        """The statement. Raises `ValidationFailed` with the places in the file."""
        given = {name: value for name, value in self.fields.items() if value is not None}
        try:
            return OwnershipStatement.model_validate({**given, "parties": self.parties, "interests": self.interests})
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)[:MAX_PROBLEMS]
            problems = []
            for details in found:
                named = str(details.get("ctx", {}).get(FIELD, ""))
                places = [str(place) for place in details["loc"]] + (named.split(".") if named else [])
                problems.append(FieldProblem(self._locate(places), self._describe(places, describe_validation_error(details))))
            raise ValidationFailed.of_fields(problems) from None

    def _locate(self, places: list[str]) -> str:
        """The place in the file of a path in the statement."""
        lists = {"parties": self.party_places, "interests": self.interest_places}
        if len(places) > 1 and places[0] in lists and places[1].isdigit():
            return lists[places[0]][int(places[1])]
        return ".".join(places)

    @staticmethod
    def _describe(places: list[str], message: Message) -> Message:
        """The problem, after the field that has it."""
        fields = [place for place in places[2:] if not place.isdigit()]
        return Message("{path}: {problem}", path=".".join(fields), problem=message) if fields else message
