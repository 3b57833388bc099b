"""Read an ownership statement from statements of the Beneficial Ownership Data Standard 0.4.

The latest statement of each record counts. What an ownership statement can't hold is refused with the reason, or becomes evidence
of the interest; nothing that would change a share is left out silently.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from bonafide.errors import FieldProblem, InvalidJson, ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import MEASURED, OWNABLE, Claimant, InterestKind, PartyKind
from bonafide.model.validation_messages import describe_validation_error
from bonafide.services.ownership.formats.bods_export import ROUNDED
from bonafide.services.ownership.formats.bods_places import from_bods_country, from_bods_jurisdiction
from bonafide.services.ownership.formats.bods_statements import (
    AnyBodsStatement,
    BodsAnnotation,
    BodsEntityStatement,
    BodsIdentifier,
    BodsInterest,
    BodsPersonKind,
    BodsPersonStatement,
    BodsPlace,
    BodsRecordStatus,
    BodsRelationshipStatement,
    BodsShare,
    BodsUnspecified,
)
from bonafide.services.ownership.formats.bods_terms import (
    BUSINESS_SCHEME,
    CLOSEST_INTERESTS,
    LEI_SCHEME,
    NOT_IDENTIFIED,
    SAME_INTERESTS,
    read_claimant,
    read_entity_kind,
)
from bonafide.services.ownership.formats.statement_draft import StatementDraft, StatementSubject

MAX_STATEMENTS = 10_000
MAX_EVIDENCE = 500
_STATEMENT: Final[TypeAdapter[AnyBodsStatement]] = TypeAdapter(AnyBodsStatement)
_BREAKS = re.compile(r"[\r\n\t]+")
_RECORD_TYPES = ("entity", "person", "relationship")
_ROUNDED = re.compile(re.escape(ROUNDED).replace(re.escape("{day}"), "(?P<day>[0-9-]+)"))
_OWN_RECORD = re.compile(r"(?:parties|interests/[a-z]+)/(?P<id>.+)", re.DOTALL)
AnyPartyStatement = BodsEntityStatement | BodsPersonStatement


@dataclass(frozen=True, slots=True)
class PlacedStatement:
    """The latest statement of a record, and its index in the file."""

    index: int
    statement: AnyBodsStatement


@dataclass(slots=True)
class BodsRecords:
    """The records of a file by their IDs."""

    parties: dict[str, PlacedStatement] = field(default_factory=dict)
    relationships: dict[str, PlacedStatement] = field(default_factory=dict)
    statements: list[AnyBodsStatement] = field(default_factory=list)


def read_bods(content: bytes, subject: StatementSubject, options: OwnershipFileOptions) -> StatementDraft:
    """The statement of a file, before it is checked as a whole.

    The file is a JSON array of statements, one statement, or a statement a line. Raises `InvalidJson` and `ValidationFailed`; paths
    begin with the index of the statement.
    """
    records = _collect_records(_parse_statements(_load_json(content)))
    return _BodsReader(records, subject.business_id, options).read()


# --------------------------------------------------------------------------------------------------------------- parsing


def _load_json(content: bytes) -> list[Any]:
    try:
        text = content.decode("utf-8-sig")
        try:
            value = json.loads(text)
        except json.JSONDecodeError:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
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
    if problems:
        raise ValidationFailed.of_fields(problems)
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
    records = BodsRecords(statements=list(statements))
    types: dict[str, str] = {}
    for index, statement in enumerate(statements):
        if types.setdefault(statement.record_id, statement.record_type) != statement.record_type:
            raise ValidationFailed.of_field(f"{index}.recordId", Message("is the ID of a record of another type"))
        group = records.relationships if isinstance(statement, BodsRelationshipStatement) else records.parties
        known = group.get(statement.record_id)
        if known is None or known.statement.statement_date <= statement.statement_date:
            group[statement.record_id] = PlacedStatement(index, statement)
    return records


# --------------------------------------------------------------------------------------------------------------- reading


class _BodsReader:
    """Reads the statement of one file."""

    def __init__(self, records: BodsRecords, business_id: UUID, options: OwnershipFileOptions) -> None:
        self._records = records
        self._business_id = business_id
        self._options = options
        self._prefix = f"{business_id}/"
        self._reasons: dict[str, str] = {}
        self._draft = StatementDraft()

    def read(self) -> StatementDraft:
        subject = self._find_subject()
        self._draft.fields = {"claimedBy": self._find_claimant(), "asOf": self._find_day(), "declaredBy": self._find_declarant()}
        derived = self._find_derived()
        current = {
            record_id: placed
            for record_id, placed in self._records.relationships.items()
            # A closed record describes nothing any more. Its interests may overlap in time with those that replaced them.
            if record_id not in derived and placed.statement.record_status is not BodsRecordStatus.CLOSED
        }
        used = {end for placed in current.values() for end in _get_ends(placed.statement)}
        for record_id, placed in self._records.parties.items():
            is_closed = placed.statement.record_status is BodsRecordStatus.CLOSED
            if not is_closed or record_id in used or record_id == subject:
                self._read_party(record_id, placed, is_subject=record_id == subject)
        for record_id, placed in current.items():
            self._read_relationship(record_id, placed)
        return self._draft

    # ------------------------------------------------------------------------------------------------- the whole statement

    def _find_subject(self) -> str:
        """The record that is the business: the one that is named, has its ID, or is the only subject of all declarations."""
        parties = self._records.parties
        if self._options.subject is not None:
            if self._options.subject not in parties:
                raise ValidationFailed.of_field("subject", Message("is not the ID of an entity in the file"))
            return self._options.subject
        own = [record_id for record_id, placed in parties.items() if self._get_business_id(placed.statement) == self._business_id]
        subjects = {statement.declaration_subject for statement in self._records.statements}
        found = own or [record_id for record_id in subjects if record_id in parties]
        if len(found) != 1 or (not own and len(subjects) > 1):
            message = Message("is required: the file does not say which of its records is the business")
            raise ValidationFailed.of_field("subject", message)
        return found[0]

    def _find_claimant(self) -> Claimant:
        if self._options.claimed_by is not None:
            return self._options.claimed_by
        # What was computed from other statements is nobody's claim.
        direct = [statement for statement in self._records.statements if not _is_derived(statement)]
        found = {read_claimant(statement.source) for statement in direct}
        claimant = next(iter(found)) if len(found) == 1 else None
        if claimant is None:
            message = Message("is required: the statements have several sources, or one whose type is not stated")
            raise ValidationFailed.of_field("claimedBy", message)
        return claimant

    def _find_day(self) -> date:
        if self._options.as_of is not None:
            return self._options.as_of
        return max(statement.statement_date for statement in self._records.statements if not _is_derived(statement))

    def _find_declarant(self) -> str | None:
        if self._options.declared_by is not None:
            return self._options.declared_by
        names = {
            agent.name
            for statement in self._records.statements
            if statement.source is not None and not _is_derived(statement)
            for agent in statement.source.asserted_by
            if agent.name
        }
        return next(iter(names)) if len(names) == 1 else None

    def _find_derived(self) -> set[str]:
        """Indirect relationships whose components are in the file: what they say follows from these."""
        derived = set()
        for record_id, placed in self._records.relationships.items():
            statement = placed.statement
            if not isinstance(statement, BodsRelationshipStatement) or not _is_derived(statement):
                continue
            for number, component in enumerate(statement.record_details.component_records):
                if component not in self._records.parties and component not in self._records.relationships:
                    path = f"{placed.index}.recordDetails.componentRecords.{number}"
                    raise ValidationFailed.of_field(path, Message("is not the ID of a record in the file"))
            derived.add(record_id)
        return derived

    # ------------------------------------------------------------------------------------------------------------ parties

    def _read_party(self, record_id: str, placed: PlacedStatement, *, is_subject: bool) -> None:
        statement = placed.statement
        path = f"{placed.index}.recordDetails"
        if isinstance(statement, BodsEntityStatement):
            fields = self._read_entity(statement)
        else:
            assert isinstance(statement, BodsPersonStatement)  # noqa: S101 - relationships are in another table
            fields = self._read_person(statement, path)
        if is_subject:
            if fields["kind"] not in OWNABLE:
                raise ValidationFailed.of_field(
                    "subject", Message("must be a registered entity, another legal entity or an arrangement")
                )
            fields["businessId"] = str(self._business_id)
        self._draft.add_party(path, {"id": self._shorten(record_id), **fields})

    def _read_entity(self, statement: BodsEntityStatement) -> dict[str, Any]:
        entity = statement.record_details
        kind = read_entity_kind(entity.entity_type)
        if kind is PartyKind.UNKNOWN:
            self._keep_reason(statement.record_id, entity.unspecified_entity_details)
        business_id = self._get_business_id(statement)
        return {
            "kind": kind,
            "name": entity.name,
            "jurisdiction": from_bods_jurisdiction(entity.jurisdiction) if entity.jurisdiction is not None else None,
            "registrationNumber": _choose_number(entity.identifiers),
            "countries": _join_countries(address.country for address in entity.addresses),
            "businessId": str(business_id) if business_id is not None else None,
        }

    def _read_person(self, statement: BodsPersonStatement, path: str) -> dict[str, Any]:
        person = statement.record_details
        is_known = person.person_type is BodsPersonKind.KNOWN
        if is_known and not person.names:
            raise ValidationFailed.of_field(f"{path}.names", Message("is required for a known person"))
        if not is_known:
            self._keep_reason(statement.record_id, person.unspecified_person_details)
        legal = [name for name in person.names if name.type in {None, "legal"}]
        chosen = (legal or list(person.names))[:1]
        business_id = self._get_business_id(statement)
        places = (*person.nationalities, *person.tax_residencies, *(address.country for address in person.addresses))
        return {
            "kind": PartyKind.PERSON if is_known else PartyKind.UNKNOWN,
            "name": chosen[0].full_name if chosen else None,
            "registrationNumber": _choose_number(person.identifiers) if not is_known else None,
            "dateOfBirth": person.birth_date,
            "countries": _join_countries(places),
            "businessId": str(business_id) if business_id is not None else None,
        }

    def _keep_reason(self, record_id: str, unspecified: BodsUnspecified | None) -> None:
        if unspecified is not None and unspecified != NOT_IDENTIFIED:
            self._reasons[record_id] = _describe_unspecified(unspecified)

    @staticmethod
    def _get_business_id(statement: AnyBodsStatement) -> UUID | None:
        if isinstance(statement, BodsRelationshipStatement):
            return None
        for identifier in statement.record_details.identifiers:
            if identifier.scheme_name == BUSINESS_SCHEME and identifier.id is not None:
                try:
                    return UUID(identifier.id)
                except ValueError:
                    return None
        return None

    def _shorten(self, record_id: str) -> str:
        """The ID of a party or an interest: that of an export of this business is its own again."""
        own = _OWN_RECORD.fullmatch(record_id.removeprefix(self._prefix)) if record_id.startswith(self._prefix) else None
        return own["id"] if own is not None else record_id

    # ---------------------------------------------------------------------------------------------------------- interests

    def _read_relationship(self, record_id: str, placed: PlacedStatement) -> None:
        statement = placed.statement
        assert isinstance(statement, BodsRelationshipStatement)  # noqa: S101 - parties are in another table
        path = f"{placed.index}.recordDetails"
        owned = self._check_end(f"{path}.subject", statement.record_details.subject)
        owner = self._find_owner(path, record_id, statement)
        # A relationship without interests says that there is one, and not which.
        interests = statement.record_details.interests or (BodsInterest(),)
        for number, interest in enumerate(interests):
            place = f"{path}.interests.{number}" if statement.record_details.interests else path
            self._check_indirect(place, statement, interest)
            short = self._shorten(record_id)
            fields = {
                "id": short if len(interests) == 1 else f"{short}#{number + 1}",
                "owner": owner,
                "owned": owned,
                **self._read_interest(place, statement, interest, number),
            }
            self._draft.add_interest(place, fields)

    def _check_end(self, path: str, end: str | BodsUnspecified) -> str:
        if isinstance(end, BodsUnspecified):
            raise ValidationFailed.of_field(path, Message("must be the ID of an entity: an interest is in somebody who is named"))
        if end not in self._records.parties:
            raise ValidationFailed.of_field(path, Message("is not the ID of an entity or person in the file"))
        return self._shorten(end)

    def _find_owner(self, path: str, record_id: str, statement: BodsRelationshipStatement) -> str:
        owner = statement.record_details.interested_party
        if not isinstance(owner, BodsUnspecified):
            return self._check_end(f"{path}.interestedParty", owner)
        party_id = f"unspecified:{self._shorten(record_id)}"
        self._reasons[party_id] = _describe_unspecified(owner)
        self._draft.add_party(f"{path}.interestedParty", {"id": party_id, "kind": PartyKind.UNKNOWN})
        return party_id

    def _check_indirect(self, path: str, statement: BodsRelationshipStatement, interest: BodsInterest) -> None:
        """Refuse an indirect interest that the direct ones of the file may already contain: it would count twice."""
        details = statement.record_details
        if interest.direct_or_indirect != "indirect" or isinstance(details.interested_party, BodsUnspecified):
            return
        if details.subject in self._list_reached(details.interested_party, but=statement.record_id):
            message = Message(
                "is indirect, and the interested party also reaches the subject by other interests: list them in componentRecords"
            )
            raise ValidationFailed.of_field(f"{path}.directOrIndirect", message)

    def _list_reached(self, start: str, but: str) -> set[str]:
        """The parties that somebody has interests in, directly or not, without one relationship."""
        reached: set[str] = set()
        waiting = [start]
        edges: dict[str, list[str]] = {}
        for record_id, placed in self._records.relationships.items():
            if record_id != but and not _is_derived(placed.statement):
                owned, owner = _get_ends(placed.statement)
                edges.setdefault(owner, []).append(owned)
        while waiting:
            for owned in edges.get(waiting.pop(), ()):
                if owned not in reached:
                    reached.add(owned)
                    waiting.append(owned)
        return reached

    def _read_interest(
        self, path: str, statement: BodsRelationshipStatement, interest: BodsInterest, number: int
    ) -> dict[str, Any]:
        kind, evidence = _read_kind(path, interest)
        share = None
        if interest.share is not None and kind in MEASURED:
            share = _read_share(f"{path}.share", interest.share)
        elif interest.share is not None:
            evidence.append(f"share: {interest.share.model_dump_json(by_alias=True, exclude_none=True)}")
        owner = statement.record_details.interested_party
        reason = self._reasons.get(owner if isinstance(owner, str) else f"unspecified:{self._shorten(statement.record_id)}")
        described = statement.source.description if statement.source is not None else None
        start, end = interest.start_date, interest.end_date
        parts = [described, interest.details, *evidence, reason]
        return {
            "kind": kind,
            "share": share,
            "from": _read_rounded(statement.annotations, number, "startDate") or (start.isoformat() if start is not None else None),
            "to": _read_rounded(statement.annotations, number, "endDate")
            or (_get_last_day(start, end).isoformat() if end is not None else None),
            "evidence": _join_evidence(parts),
        }


def _get_ends(statement: AnyBodsStatement) -> tuple[str, str]:
    """The records of the subject and of the interested party of a relationship; empty for somebody unspecified."""
    assert isinstance(statement, BodsRelationshipStatement)  # noqa: S101 - the table has relationships only
    details = statement.record_details
    return (
        details.subject if isinstance(details.subject, str) else "",
        details.interested_party if isinstance(details.interested_party, str) else "",
    )


def _is_derived(statement: AnyBodsStatement) -> bool:
    """Whether a statement is about an indirect relationship that names its components."""
    return isinstance(statement, BodsRelationshipStatement) and len(statement.record_details.component_records) > 0


def _choose_number(identifiers: Sequence[BodsIdentifier]) -> str | None:
    """The registration number: the first that is not an LEI, else the LEI."""
    found = [one for one in identifiers if one.id and one.scheme_name != BUSINESS_SCHEME]
    found.sort(key=lambda one: one.scheme == LEI_SCHEME)
    return found[0].id if found else None


def _join_countries(places: Iterable[BodsPlace | None]) -> list[str]:
    return list(dict.fromkeys(from_bods_country(place) for place in places if place is not None))


def _describe_unspecified(unspecified: BodsUnspecified) -> str:
    reason = unspecified.reason.value
    return f"{reason}: {unspecified.description}" if unspecified.description is not None else reason


def _read_kind(path: str, interest: BodsInterest) -> tuple[InterestKind, list[str]]:
    """The kind of an interest, and what the kind doesn't say."""
    evidence = []
    if interest.type is None:
        kind = InterestKind.SHARES
        evidence.append("type: not stated")
    elif interest.type in SAME_INTERESTS:
        kind = SAME_INTERESTS[interest.type]
    elif interest.type in CLOSEST_INTERESTS:
        kind = CLOSEST_INTERESTS[interest.type]
        evidence.append(f"type: {interest.type}")
    else:
        message = Message("{type} is neither ownership nor control here, and is not recorded", type=interest.type.value)
        raise ValidationFailed.of_field(f"{path}.type", message)
    if interest.direct_or_indirect in {"indirect", "unknown"}:
        evidence.append(f"directOrIndirect: {interest.direct_or_indirect}")
    return kind, evidence


def _read_share(path: str, share: BodsShare) -> Mapping[str, Any] | None:
    """A share as a fraction. An exact share must be within the range beside it."""
    lows = [(share.minimum, False), (share.exclusive_minimum, True)]
    highs = [(share.maximum, False), (share.exclusive_maximum, True)]
    low, is_open_low = max(((value, is_open) for value, is_open in lows if value is not None), default=(None, False))
    high, is_open_high = min(
        ((value, is_open) for value, is_open in highs if value is not None),
        key=lambda end: (end[0], not end[1]),
        default=(None, False),
    )
    if share.exact is not None:
        is_low = low is not None and (share.exact < low or (is_open_low and share.exact == low))
        is_high = high is not None and (share.exact > high or (is_open_high and share.exact == high))
        if is_low or is_high:
            raise ValidationFailed.of_field(f"{path}.exact", Message("is outside the range beside it"))
        return {"exact": _to_fraction(share.exact)}
    if low is None and high is None:
        return None
    return {
        "min": _to_fraction(low),
        "max": _to_fraction(high),
        "exclusiveMin": is_open_low,
        "exclusiveMax": is_open_high,
    }


def _to_fraction(percent: float | None) -> float | None:
    return float(Decimal(repr(percent)) / 100) if percent is not None else None


def _get_last_day(start: date | None, end: date) -> date:
    """The last day of an interest. From the end date on, it has ceased to exist."""
    return end - timedelta(days=1) if end > (start if start is not None else date.min) else end


def _read_rounded(annotations: Sequence[BodsAnnotation], number: int, field_name: str) -> str | None:
    """The day as it was before an export of ours rounded it."""
    for annotation in annotations:
        if annotation.statement_pointer_target == f"/recordDetails/interests/{number}/{field_name}":
            rounded = _ROUNDED.fullmatch(annotation.description or "")
            if rounded is not None:
                return rounded["day"]
    return None


def _join_evidence(parts: Sequence[str | None]) -> str | None:
    """The parts in one line of at most `MAX_EVIDENCE` characters, each once."""
    lines = dict.fromkeys(_BREAKS.sub(" ", part).strip() for part in parts if part and part.strip())
    text = "; ".join(lines)
    return None if not text else text if len(text) <= MAX_EVIDENCE else f"{text[: MAX_EVIDENCE - 1]}…"
