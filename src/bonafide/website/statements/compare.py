"""What a site states against a registry match, field by field: legal name, registration numbers, address, people.

How a name, a number or an address is compared is the business of `matching`; here it is chosen which of a site's statements are. A
statement that the register contradicts is no proof of anything, and a site that says nothing is not worse for it.
"""

from collections.abc import Iterator, Sequence

from bonafide.matching import features
from bonafide.matching.best_name import best_match
from bonafide.matching.business_numbers import read_business_number
from bonafide.matching.entry_names import names_of, read_name
from bonafide.matching.evidence import AddressEvidence, address_evidence, address_field
from bonafide.matching.number_evidence import NumberEvidence, NumberOutcome, number_evidence, number_field, published_numbers
from bonafide.matching.number_labels import is_label
from bonafide.matching.person_names import compare_person_names
from bonafide.matching.rarity import STATIC
from bonafide.model.entity import Address, Person, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.match import BusinessMatch, FieldMatch, FieldStatus
from bonafide.model.website import Extracted, WebsiteComparison, WebsitePerson

NOT_STATED = "the site does not state it"
NOT_PUBLISHED = "the register does not state it"
_OUTCOMES = (NumberOutcome.EQUAL, NumberOutcome.MISREAD, NumberOutcome.OTHER, NumberOutcome.UNKNOWN)
"""Of several numbers the one that says most, in this order."""


def compare(extracted: Extracted, match: BusinessMatch) -> WebsiteComparison:
    """The statements of a site against a match: one row for each field, also where one of the two says nothing."""
    entry = match.as_entry()
    fields = (
        _name(extracted.legal_name, entry),
        _number(extracted.registrations, entry),
        _address(extracted.addresses, entry.addresses),
        _people(extracted.people, entry.people),
    )
    return WebsiteComparison(match_id=str(match.match_id), fields=fields)


def _name(name: str | None, entry: RegistryEntry) -> FieldMatch:
    field = FieldMatch(
        field="legalName",
        label="Legal name",
        score=None,
        status=FieldStatus.NOT_PROVIDED,
        found=entry.legal_name,
        reason=NOT_STATED,
    )
    match = best_match(read_name(name), names_of(entry), STATIC, 0.0) if name is not None else None
    if match is None:
        return field
    return FieldMatch(
        field="legalName",
        label="Legal name",
        score=match.score,
        status=features.field_status(match.score),
        submitted=name,
        found=match.found.text,
        reason=match.reason,
        breakdown=match.comparison.breakdown(),
    )


def _number(numbers: Sequence[RegistrationNumber], entry: RegistryEntry) -> FieldMatch:
    """The site's number that agrees best with one of the register's, of those that can be a register's at all."""
    published = list(published_numbers(entry))
    best: tuple[str, NumberEvidence] | None = None
    for asked in _comparable(numbers):
        evidence = number_evidence(asked, published)
        if best is None or _OUTCOMES.index(evidence.outcome) < _OUTCOMES.index(best[1].outcome):
            best = asked, evidence
    if best is None:
        reason = NOT_STATED if not numbers else "the site states no number that registers of businesses give"
        return number_field(None, number_evidence(None, published)).model_copy(update={"reason": reason})
    return number_field(*best)


def _comparable(numbers: Sequence[RegistrationNumber]) -> Iterator[str]:
    """The numbers of registers of businesses and the tax office, each behind the words that say which; licences are not."""
    for number in numbers:
        if is_label(number.label):
            yield f"{number.label} {number.value}"
        elif read_business_number(number.value) is not None:
            yield number.value


def _address(stated: Sequence[Address], published: Sequence[Address]) -> FieldMatch:
    """The site's address that agrees best with one of the register's: a shop's is often not the registered office."""
    compared = [(address, address_evidence(address, published)) for address in stated]
    best = max(compared, key=lambda pair: _score(pair[1]), default=None)
    if best is None:
        return address_field(None, None).model_copy(update={"reason": NOT_STATED})
    field = address_field(*best)
    return field.model_copy(update={"reason": NOT_PUBLISHED}) if field.status is FieldStatus.NOT_PUBLISHED else field


def _score(evidence: AddressEvidence | None) -> float:
    score = evidence.comparison.score if evidence is not None else None
    return score if score is not None else -1.0


def _people(stated: Sequence[WebsitePerson], published: Sequence[Person]) -> FieldMatch:
    """How many of the site's people the register names: a site names its staff, a register its directors."""
    given = "; ".join(person.name for person in stated) or None
    found = "; ".join(person.name for person in published) or None
    score, status, reason = None, FieldStatus.NOT_PROVIDED, NOT_STATED
    if given is not None and found is None:
        status, reason = FieldStatus.NOT_PUBLISHED, NOT_PUBLISHED
    elif given is not None:
        named = [person.name for person in stated if _is_named(person, published)]
        score = round(len(named) / len(stated), features.DECIMALS)
        status, reason = _named(named, len(stated))
    return FieldMatch(field="people", label="People", score=score, status=status, submitted=given, found=found, reason=reason)


def _named(named: Sequence[str], count: int) -> tuple[FieldStatus, str]:
    if len(named) == count:
        return FieldStatus.MATCHED, "everybody is named"
    if named:
        return FieldStatus.PARTIAL, f"{len(named)} of {count} are named: {'; '.join(named)}"
    return FieldStatus.MISMATCHED, "the register names nobody whom the site names"


def _is_named(person: WebsitePerson, published: Sequence[Person]) -> bool:
    return any(compare_person_names(person.name, other.name).score >= features.MATCHED for other in published)
