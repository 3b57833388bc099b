"""A stored business record against an entry of a register, field by field.

It tells what agrees, what does not and what can't be compared; it gives no score to the whole, for a record is not a query. How a
name, a number or an address is compared is the business of the modules that it asks.
"""

from collections.abc import Sequence

from bonafide.matching import features
from bonafide.matching.best_name import best_match
from bonafide.matching.entity_types import entity_type_code
from bonafide.matching.entry_names import names_of, read_name
from bonafide.matching.evidence import address_evidence, address_field
from bonafide.matching.folding import fold
from bonafide.matching.identifiers import is_business_number, number_keys
from bonafide.matching.number_evidence import number_evidence, number_field, published_numbers
from bonafide.matching.person_names import compare_person_names
from bonafide.matching.rarity import STATIC
from bonafide.model.business import CallerFields, MainAddress, RecordPerson
from bonafide.model.entity import Address, Person, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.match import FieldMatch, FieldStatus
from bonafide.model.query import AddressInput

DAY_CHARACTERS = 10
_STATUS_WORDS = {code.value.replace("_", " "): code for code in StatusCode if code is not StatusCode.UNKNOWN}


def compare_record(record: CallerFields, entry: RegistryEntry) -> tuple[FieldMatch, ...]:
    """Every field that a record and a register's entry can have in common."""
    number = record.registration_number
    address = main_address(record.address)
    return (
        _name(record.name, entry),
        number_field(number, number_evidence(number, published_numbers(entry))),
        _business_number(record.business_number, entry),
        _same("jurisdiction", "Jurisdiction", record.jurisdiction, entry.jurisdiction),
        _entity_type(record.entity_type, entry.entity_type),
        _registry_status(record.registry_status, entry),
        _incorporation(record, entry),
        address_field(address, address_evidence(address, entry.addresses)),
        _people(record.people, entry.people),
    )


def main_address(address: MainAddress) -> Address | None:
    """A record's address as an entry's; None when it has no part."""
    given = AddressInput.model_validate(address.model_dump())
    return given.as_address() if given != AddressInput() else None


def _name(name: str | None, entry: RegistryEntry) -> FieldMatch:
    match = best_match(read_name(name), names_of(entry), STATIC, 0.0) if name is not None else None
    if match is None:
        return _row("legalName", "Legal name", name, entry.legal_name, None, "")
    found = match.found.text
    return _row("legalName", "Legal name", name, found, match.score, match.reason)


def _business_number(number: str | None, entry: RegistryEntry) -> FieldMatch:
    published = [item.value for item in entry.registration_numbers if is_business_number(item.value)]
    found = ", ".join(published) or None
    if number is None or found is None:
        return _row("businessNumber", "Business number", number, found, None, "")
    equal = any(not number_keys(number).isdisjoint(number_keys(value)) for value in published)
    return _row("businessNumber", "Business number", number, found, float(equal), _same_or_other(equal=equal))


def _entity_type(kind: str | None, found: str | None) -> FieldMatch:
    codes = entity_type_code(kind), entity_type_code(found)
    if None not in codes and kind is not None and found is not None and codes[0] == codes[1]:
        return _row("entityType", "Entity type", kind, found, 1.0, "the same kind of business")
    return _same("entityType", "Entity type", kind, found)


def _registry_status(status: str | None, entry: RegistryEntry) -> FieldMatch:
    meant = _STATUS_WORDS.get(" ".join(fold(status).replace("_", " ").split())) if status is not None else None
    if meant is not None and meant is entry.status_code:
        return _row("registryStatus", "Registry status", status, entry.status or meant.value, 1.0, "the same status")
    return _same("registryStatus", "Registry status", status, entry.status)


def _incorporation(record: CallerFields, entry: RegistryEntry) -> FieldMatch:
    year = str(record.incorporation_year) if record.incorporation_year is not None else None
    given = record.incorporation_date if record.incorporation_date is not None else year
    found = entry.incorporation_date.isoformat() if entry.incorporation_date is not None else None
    # A month or a year agrees with every day in it.
    equal = given is not None and found is not None and found.startswith(given[:DAY_CHARACTERS])
    return _row("incorporationDate", "Incorporation date", given, found, float(equal), _same_or_other(equal=equal))


def _people(people: Sequence[RecordPerson], published: Sequence[Person]) -> FieldMatch:
    """How many of the record's people the register names, whatever their roles."""
    given = "; ".join(person.name for person in people) or None
    found = "; ".join(person.name for person in published) or None
    if given is None or found is None:
        return _row("people", "People", given, found, None, "")
    missing = [person.name for person in people if not _is_named(person, published)]
    reason = f"not named: {'; '.join(missing)}" if missing else "everybody is named"
    field = _row("people", "People", given, found, round(1 - len(missing) / len(people), features.DECIMALS), reason)
    some = 0 < len(missing) < len(people)
    return field.model_copy(update={"status": FieldStatus.PARTIAL}) if some else field


def _is_named(person: RecordPerson, published: Sequence[Person]) -> bool:
    return any(compare_person_names(person.name, other.name).score >= features.MATCHED for other in published)


def _same(field: str, label: str, submitted: str | None, found: str | None) -> FieldMatch:
    equal = submitted is not None and found is not None and fold(submitted).split() == fold(found).split()
    return _row(field, label, submitted, found, float(equal), _same_or_other(equal=equal))


def _same_or_other(*, equal: bool) -> str:
    return "the same" if equal else "another one"


def _row(field: str, label: str, submitted: str | None, found: str | None, score: float | None, reason: str) -> FieldMatch:
    if submitted is None:
        status, score, reason = FieldStatus.NOT_PROVIDED, None, "the record does not have it"
    elif found is None or score is None:
        status, score, reason = FieldStatus.NOT_PUBLISHED, None, "the register does not state it"
    else:
        status = features.field_status(score)
    return FieldMatch(field=field, label=label, score=score, status=status, submitted=submitted, found=found, reason=reason)
