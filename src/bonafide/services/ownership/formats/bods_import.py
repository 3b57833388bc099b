"""Read an ownership statement from statements of the Beneficial Ownership Data Standard 0.4.

The latest statement of each record counts. What an ownership statement can't hold is refused with the reason, or becomes evidence
of the interest; nothing that would change a share is left out silently.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import MAX_INTERESTS, MEASURED, OWNABLE, Claimant, InterestKind, PartyKind
from bonafide.services.ownership.formats.bods_annotations import RECORD, STATEMENT_DATE, KeptValues, get_interest_pointer
from bonafide.services.ownership.formats.bods_components import (
    ComponentChecker,
    get_ends,
    is_derived,
    list_interests,
    list_own_interests,
)
from bonafide.services.ownership.formats.bods_places import from_bods_country, from_bods_jurisdiction, to_bods_jurisdiction
from bonafide.services.ownership.formats.bods_records import BodsRecords, PlacedParty, PlacedRelationship, read_records
from bonafide.services.ownership.formats.bods_statements import (
    AnyBodsStatement,
    BodsEntityStatement,
    BodsIdentifier,
    BodsInterest,
    BodsInterestType,
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
    LEI_SCHEME,
    NOT_IDENTIFIED,
    SAME_INTERESTS,
    find_interest_kind,
    read_claimant,
    read_entity_kind,
)
from bonafide.services.ownership.formats.partial_days import get_day_after, get_first_day, to_plain_day
from bonafide.services.ownership.formats.statement_draft import StatementDraft, StatementSubject

MAX_EVIDENCE = 500
_BREAKS = re.compile(r"[\r\n\t]+")
_OWN_RECORD = re.compile(r"(?:parties|interests/[a-z]+)/(?P<id>.+)", re.DOTALL)


def read_bods(content: bytes, subject: StatementSubject, options: OwnershipFileOptions) -> StatementDraft:
    """The statement of a file, before it is checked as a whole.

    The file is a JSON array of statements, one statement, or a statement a line. Raises `InvalidJson` and `ValidationFailed`; paths
    begin with the index of the statement.
    """
    return _BodsReader(read_records(content), subject.business_id, options).read()


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
        current = self._list_current()
        used = {end for placed in current for end in get_ends(placed.statement)}
        for record_id, placed in self._records.parties.items():
            is_closed = placed.statement.record_status is BodsRecordStatus.CLOSED
            if not is_closed or record_id in used or record_id == subject:
                self._read_party(record_id, placed, is_subject=record_id == subject)
        for relationship in current:
            self._read_relationship(relationship)
        return self._draft

    def _list_current(self) -> list[PlacedRelationship]:
        """The relationships that are not closed and have interests to read."""
        current = [placed for placed in self._records.relationships.values() if not placed.is_closed]
        if sum(len(list_own_interests(placed.statement)) for placed in current) > MAX_INTERESTS:
            raise ValidationFailed.of_field("", Message("the file has more than {limit} interests", limit=MAX_INTERESTS))
        checker = ComponentChecker(self._records)
        for placed in current:
            checker.check(placed)
        return [placed for placed in current if not is_derived(placed.statement)]

    # ------------------------------------------------------------------------------------------------- the whole statement

    def _find_subject(self) -> str:
        """The record that is the business: the one that is named, has its ID, or is the only subject of all declarations."""
        parties = self._records.parties
        ids = {record_id: self._get_business_id(placed.statement) for record_id, placed in parties.items()}
        own = [record_id for record_id, business_id in ids.items() if business_id == self._business_id]
        if self._options.subject is not None:
            if self._options.subject not in parties:
                raise ValidationFailed.of_field("subject", Message("is not the ID of an entity in the file"))
            if own not in ([], [self._options.subject]):
                raise ValidationFailed.of_field("subject", Message("is not the record that has the ID of the business"))
            return self._options.subject
        subjects = {statement.declaration_subject for statement in self._records.statements}
        found = own or [record_id for record_id in subjects if record_id in parties]
        if len(found) != 1 or (not own and len(subjects) > 1):
            message = Message("is required: the file does not say which of its records is the business")
            raise ValidationFailed.of_field("subject", message)
        if ids[found[0]] not in {None, self._business_id}:
            message = Message("is required: the file is about the business with the ID {id}", id=str(ids[found[0]]))
            raise ValidationFailed.of_field("subject", message)
        return found[0]

    def _find_claimant(self) -> Claimant:
        if self._options.claimed_by is not None:
            return self._options.claimed_by
        # What was computed from other statements is nobody's claim.
        direct = [statement for statement in self._records.statements if not is_derived(statement)]
        found = {read_claimant(statement.source) for statement in direct}
        claimant = next(iter(found)) if len(found) == 1 else None
        if claimant is None:
            message = Message("is required: the statements have several sources, or one whose type is not stated")
            raise ValidationFailed.of_field("claimedBy", message)
        return claimant

    def _find_day(self) -> date:
        if self._options.as_of is not None:
            return self._options.as_of
        return max(_get_day(statement) for statement in self._records.statements if not is_derived(statement))

    def _find_declarant(self) -> str | None:
        if self._options.declared_by is not None:
            return self._options.declared_by
        names = {
            agent.name
            for statement in self._records.statements
            if statement.source is not None and not is_derived(statement)
            for agent in statement.source.asserted_by
            if agent.name
        }
        return next(iter(names)) if len(names) == 1 else None

    # ------------------------------------------------------------------------------------------------------------ parties

    def _read_party(self, record_id: str, placed: PlacedParty, *, is_subject: bool) -> None:
        statement = placed.statement
        path = f"{placed.index}.recordDetails"
        fields = self._read_entity(statement) if isinstance(statement, BodsEntityStatement) else self._read_person(statement, path)
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
        kept = KeptValues(statement.annotations)
        return {
            "kind": kind,
            "name": entity.name,
            "jurisdiction": _read_jurisdiction(entity.jurisdiction, kept),
            "registrationNumber": _choose_number(entity.identifiers),
            "dateOfBirth": kept.find_field(RECORD, "dateOfBirth"),
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
        kept = KeptValues(statement.annotations)
        places = (*person.nationalities, *person.tax_residencies, *(address.country for address in person.addresses))
        return {
            "kind": PartyKind.PERSON if is_known else PartyKind.UNKNOWN,
            "name": chosen[0].full_name if chosen else None,
            "jurisdiction": kept.find_field(RECORD, "jurisdiction"),
            "registrationNumber": (_choose_number(person.identifiers) if not is_known else None)
            or kept.find_field(RECORD, "registrationNumber"),
            "dateOfBirth": _read_birth_date(person.birth_date, kept),
            "countries": _join_countries(places),
            "businessId": str(business_id) if business_id is not None else None,
        }

    def _keep_reason(self, record_id: str, unspecified: BodsUnspecified | None) -> None:
        if unspecified is not None and unspecified != NOT_IDENTIFIED:
            self._reasons[record_id] = _describe_unspecified(unspecified)

    @staticmethod
    def _get_business_id(statement: BodsEntityStatement | BodsPersonStatement) -> UUID | None:
        found = (one.id for one in statement.record_details.identifiers if one.scheme_name == BUSINESS_SCHEME)
        text = next(found, None) or KeptValues(statement.annotations).find_field(RECORD, "businessId")
        try:
            return UUID(text) if text is not None else None
        except ValueError:
            return None

    def _shorten(self, record_id: str) -> str:
        """The ID of a party or an interest: that of an export of this business is its own again."""
        own = _OWN_RECORD.fullmatch(record_id.removeprefix(self._prefix)) if record_id.startswith(self._prefix) else None
        return own["id"] if own is not None else record_id

    # ---------------------------------------------------------------------------------------------------------- interests

    def _read_relationship(self, placed: PlacedRelationship) -> None:
        statement = placed.statement
        path = f"{placed.index}.recordDetails"
        owned = self._check_end(f"{path}.subject", statement.record_details.subject)
        owner = self._find_owner(path, statement)
        is_only = len(list_interests(statement)) == 1
        kept = KeptValues(statement.annotations)
        for number, interest in list_own_interests(statement):
            place = f"{path}.interests.{number}" if statement.record_details.interests else path
            short = self._shorten(statement.record_id)
            fields = {
                "id": short if is_only else f"{short}#{number + 1}",
                "owner": owner,
                "owned": owned,
                **self._read_interest(place, statement, interest),
                **_read_kept(interest, number, kept),
            }
            self._draft.add_interest(place, fields)

    def _check_end(self, path: str, end: str | BodsUnspecified) -> str:
        if isinstance(end, BodsUnspecified):
            raise ValidationFailed.of_field(path, Message("must be the ID of an entity: an interest is in somebody who is named"))
        if end not in self._records.parties:
            raise ValidationFailed.of_field(path, Message("is not the ID of an entity or person in the file"))
        return self._shorten(end)

    def _find_owner(self, path: str, statement: BodsRelationshipStatement) -> str:
        owner = statement.record_details.interested_party
        if not isinstance(owner, BodsUnspecified):
            return self._check_end(f"{path}.interestedParty", owner)
        party_id = f"unspecified:{self._shorten(statement.record_id)}"
        self._reasons[party_id] = _describe_unspecified(owner)
        self._draft.add_party(f"{path}.interestedParty", {"id": party_id, "kind": PartyKind.UNKNOWN})
        return party_id

    def _read_interest(self, path: str, statement: BodsRelationshipStatement, interest: BodsInterest) -> dict[str, Any]:
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
        return {
            "kind": kind,
            "share": share,
            "from": start.isoformat() if start is not None else None,
            "to": _get_last_day(start, end).isoformat() if end is not None else None,
            "evidence": _join_evidence([described, interest.details, *evidence, reason]),
        }


def _get_day(statement: AnyBodsStatement) -> date:
    """The day on which a statement is true. Exports of ours are not dated in the future."""
    kept = KeptValues(statement.annotations).find_field(STATEMENT_DATE, "asOf")
    try:
        return max(date.fromisoformat(kept), statement.statement_date) if kept is not None else statement.statement_date
    except ValueError:
        return statement.statement_date


def _read_jurisdiction(place: BodsPlace | None, kept: KeptValues) -> str | None:
    if place is None:
        return None
    known = kept.find_field(RECORD, "jurisdiction")
    return known if known is not None and to_bods_jurisdiction(known) == place else from_bods_jurisdiction(place)


def _read_birth_date(stated: str | None, kept: KeptValues) -> str | None:
    if stated is None:
        return kept.find_field(RECORD, "dateOfBirth")
    return kept.find_day(f"{RECORD}/birthDate", lambda day: to_plain_day(day) == stated) or stated


def _read_kept(interest: BodsInterest, number: int, kept: KeptValues) -> dict[str, str]:
    """The fields of an interest that the standard can't say as an export of ours knew them."""
    start, end = (get_interest_pointer(number, field) for field in ("startDate", "endDate"))
    kind = kept.find_field(get_interest_pointer(number, "type"), "kind")
    found = {
        "kind": kind if interest.type is BodsInterestType.OTHER_INFLUENCE_OR_CONTROL and kind in set(InterestKind) else None,
        "from": kept.find_day(start, lambda day: get_first_day(day) == interest.start_date),
        "to": kept.find_day(end, lambda day: get_day_after(day) == interest.end_date),
    }
    return {field: value for field, value in found.items() if value is not None}


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
    kind = find_interest_kind(interest)
    if kind is None:
        message = Message("{type} is neither ownership nor control here, and is not recorded", type=str(interest.type))
        raise ValidationFailed.of_field(f"{path}.type", message)
    evidence = []
    if interest.type not in SAME_INTERESTS:
        evidence.append(f"type: {interest.type}" if interest.type is not None else "type: not stated")
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


def _join_evidence(parts: Sequence[str | None]) -> str | None:
    """The parts in one line of at most `MAX_EVIDENCE` characters, each once."""
    lines = dict.fromkeys(_BREAKS.sub(" ", part).strip() for part in parts if part and part.strip())
    text = "; ".join(lines)
    return None if not text else text if len(text) <= MAX_EVIDENCE else f"{text[: MAX_EVIDENCE - 1]}…"
