"""Compare a stored business record with an entry of a register, field by field.

Each field has a status and a reason. There is no overall score, because a record is not a query.
"""

from collections.abc import Sequence

from bonafide.i18n.message import Message, join_values
from bonafide.matching.entries.evidence import build_address_field, find_address_evidence
from bonafide.matching.entries.register_codes import parse_entity_type_code
from bonafide.matching.identifiers.number_evidence import build_number_field, find_number_evidence, list_published_numbers
from bonafide.matching.identifiers.number_matching import build_number_keys, is_business_number
from bonafide.matching.names.best_name_match import find_best_match
from bonafide.matching.names.entry_names import parse_entry_names, parse_name
from bonafide.matching.people.person_name_comparison import is_named
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.word_rarity import STATIC_RARITY
from bonafide.matching.text.folding import fold
from bonafide.model.entity import Address, Person, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.query import AddressInput
from bonafide.model.records.business_record import CallerFields, MainAddress, RecordPerson
from bonafide.model.search.match import FieldMatch, FieldStatus

_LABELS = {
    "legalName": Message("Legal name"),
    "businessNumber": Message("Business number"),
    "jurisdiction": Message("Jurisdiction"),
    "entityType": Message("Entity type"),
    "registryStatus": Message("Register status"),
    "incorporationDate": Message("Incorporation date"),
    "people": Message("People"),
}
_SAME, _DIFFERENT = Message("same"), Message("different")
_SAME_ENTITY_TYPE, _SAME_STATUS, _ALL_NAMED = Message("same entity type"), Message("same status"), Message("all people are named")
DAY_CHARACTERS = 10
_STATUS_WORDS = {code.value.replace("_", " "): code for code in StatusCode if code is not StatusCode.UNKNOWN}


def compare_record(record: CallerFields, entry: RegistryEntry) -> tuple[FieldMatch, ...]:
    """The comparison of every field that a record and an entry of a register can share."""
    number = record.registration_number
    address = to_address(record.address)
    return (
        _compare_name(record.name, entry),
        build_number_field(number, find_number_evidence(number, list_published_numbers(entry))),
        _compare_business_number(record.business_number, entry),
        _compare_equal("jurisdiction", record.jurisdiction, entry.jurisdiction),
        _compare_entity_type(record.entity_type, entry.entity_type),
        _compare_registry_status(record.registry_status, entry),
        _compare_incorporation(record, entry),
        build_address_field(address, find_address_evidence(address, entry.addresses)),
        _compare_people(record.people, entry.people),
    )


def to_address(address: MainAddress) -> Address | None:
    """A record's address as an entry's; None when it has no part."""
    given = AddressInput.model_validate(address.model_dump())
    return given.as_address() if not given.is_empty else None


def _compare_name(name: str | None, entry: RegistryEntry) -> FieldMatch:
    match = find_best_match(parse_name(name), parse_entry_names(entry), STATIC_RARITY, 0.0) if name is not None else None
    if match is None:
        return _build_field("legalName", name, entry.legal_name, None)
    return _build_field("legalName", name, match.found.text, match.score, match.reason)


def _compare_business_number(number: str | None, entry: RegistryEntry) -> FieldMatch:
    published = [item.value for item in entry.registration_numbers if is_business_number(item.value)]
    found = ", ".join(published) or None
    if number is None or found is None:
        return _build_field("businessNumber", number, found, None)
    equal = any(not build_number_keys(number).isdisjoint(build_number_keys(value)) for value in published)
    return _build_field("businessNumber", number, found, float(equal))


def _compare_entity_type(kind: str | None, found: str | None) -> FieldMatch:
    codes = parse_entity_type_code(kind), parse_entity_type_code(found)
    if None not in codes and kind is not None and found is not None and codes[0] == codes[1]:
        return _build_field("entityType", kind, found, 1.0, _SAME_ENTITY_TYPE)
    return _compare_equal("entityType", kind, found)


def _compare_registry_status(status: str | None, entry: RegistryEntry) -> FieldMatch:
    meant = _STATUS_WORDS.get(" ".join(fold(status).replace("_", " ").split())) if status is not None else None
    if meant is not None and meant is entry.status_code:
        return _build_field("registryStatus", status, entry.status or meant.value, 1.0, _SAME_STATUS)
    return _compare_equal("registryStatus", status, entry.status)


def _compare_incorporation(record: CallerFields, entry: RegistryEntry) -> FieldMatch:
    year = str(record.incorporation_year) if record.incorporation_year is not None else None
    given = record.incorporation_date if record.incorporation_date is not None else year
    found = entry.incorporation_date.isoformat() if entry.incorporation_date is not None else None
    # A month or a year matches every day in it.
    equal = given is not None and found is not None and found.startswith(given[:DAY_CHARACTERS])
    return _build_field("incorporationDate", given, found, float(equal))


def _compare_people(people: Sequence[RecordPerson], published: Sequence[Person]) -> FieldMatch:
    """The share of the record's people whom the register names, in any role."""
    given = "; ".join(person.name for person in people) or None
    found = "; ".join(person.name for person in published) or None
    if given is None or found is None:
        return _build_field("people", given, found, None)
    missing = [person.name for person in people if not is_named(person.name, published)]
    reason = Message("not named: {people}", people=join_values(missing, "; ")) if missing else _ALL_NAMED
    field = _build_field("people", given, found, round(1 - len(missing) / len(people), score_parameters.DECIMALS), reason)
    some = 0 < len(missing) < len(people)
    return field.model_copy(update={"status": FieldStatus.PARTIAL}) if some else field


def _compare_equal(field: str, submitted: str | None, found: str | None) -> FieldMatch:
    equal = submitted is not None and found is not None and fold(submitted).split() == fold(found).split()
    return _build_field(field, submitted, found, float(equal))


def _build_field(
    field: str, submitted: str | None, found: str | None, score: float | None, reason: Message | None = None
) -> FieldMatch:
    """A compared field. Without a reason, the values are either the same or different."""
    if submitted is None:
        status, score, reason = FieldStatus.NOT_PROVIDED, None, Message("not in the record")
    elif found is None or score is None:
        status, score, reason = FieldStatus.NOT_PUBLISHED, None, Message("not stated by the register")
    else:
        status = score_parameters.to_field_status(score)
        reason = reason if reason is not None else _SAME if score == 1 else _DIFFERENT
    return FieldMatch(
        field=field, label=_LABELS[field], score=score, status=status, submitted=submitted, found=found, reason=reason
    )
