"""Build the listed entity of a target of OpenSanctions, with its listings and documents, which are separate entities.

Names are strong or weak as in the collection; former names are strong. Codes of former countries are kept unchanged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bonafide.i18n.message import Message
from bonafide.matching.text.countries import parse_country_code
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.sanctions.opensanctions.entity_lines import FtmEntity
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import (
    build_names,
    build_numbers,
    deduplicate_numbers,
    extract_imo_numbers,
    format_remarks,
)

PAGE = "https://www.opensanctions.org/entities/{id}/"
_COUNTRIES = ("nationality", "citizenship", "country", "jurisdiction", "flag")
_NUMBERS = {
    "passportNumber": "Passport",
    "idNumber": "Identity number",
    "nationalId": "National identifier",
    "socialSecurityNumber": "Social security number",
    "registrationNumber": "Registration number",
    "taxNumber": "Tax number",
    "vatCode": "VAT number",
    "innCode": "INN",
    "ogrnCode": "OGRN",
    "kppCode": "KPP",
    "okpoCode": "OKPO",
    "dunsCode": "D-U-N-S number",
    "leiCode": "LEI",
    "swiftBic": "SWIFT/BIC",
    "uniqueEntityId": "SAM unique entity id",
    "mmsi": "MMSI",
    "callSign": "Call sign",
}
"""Properties that are numbers, and their labels."""


@dataclass(slots=True)
class RelatedStatements:
    """Data about a target from its listings and documents."""

    programs: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    """Listing dates, or else start dates."""
    documents: list[RegistrationNumber] = field(default_factory=list)


def add_statement(entity: FtmEntity, joined: RelatedStatements) -> None:
    """Add the data of a listing or a document to its target."""
    if entity.schema == "Sanction":
        joined.programs += entity.all("program")
        joined.listed += entity.all("listingDate") or entity.all("startDate")
        return
    country = "".join(f" ({code.upper()})" for code in entity.all("country")[:1])
    label = next(iter(entity.all("type")), "Passport" if entity.schema == "Passport" else "Identity document")
    for number in entity.all("number"):
        joined.documents += build_numbers(label + country, number)


def get_targets(entity: FtmEntity) -> Sequence[str]:
    """Return the targets of a listing or a document."""
    return entity.all("entity", "holder")


def build_listed_entity(entity: FtmEntity, kind: EntityKind, joined: RelatedStatements) -> ListedEntity:
    """Build the entity. Raises `ValueError` if it has no name."""
    own_names = entity.all("name")
    main = entity.caption if entity.caption in own_names else next(iter(own_names or entity.all("alias")), None)
    if main is None:
        raise ValueError(Message("no name in a known field"))
    names = build_names(main, _collect_aliases(entity))
    births = entity.all("birthDate") if kind is EntityKind.PERSON else []
    return ListedEntity(
        entry_id=entity.id,
        source_url=PAGE.format(id=entity.id),
        entity_type=kind,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=tuple(dict.fromkeys(entity.all("programId") or joined.programs)),
        countries=tuple(dict.fromkeys(parse_country_code(code.upper()) or code.upper() for code in entity.all(*_COUNTRIES))),
        identifiers=deduplicate_numbers(_build_identifiers(entity, joined)),
        listing_date=min(joined.listed, default=None),
        date_of_birth="; ".join(sorted(births)) or None,
        birth_dates=tuple(dict.fromkeys(day for text in sorted(births) for day in parse_birth_dates(text))),
        remarks=format_remarks({
            "": entity.all("notes"),
            "Position": entity.all("position"),
            "Date": entity.all("incorporationDate", "buildDate"),
            "Type of ship": entity.all("type") if kind is EntityKind.VESSEL else (),
            "Datasets": entity.datasets,
        }),
        topics=tuple(entity.all("topics")),
        legal_form="; ".join(entity.all("legalForm")) or None,
    )  # fmt: skip


def _collect_aliases(entity: FtmEntity) -> Iterator[tuple[str, bool]]:
    yield from ((text, False) for text in entity.all("name", "alias", "previousName"))
    yield from ((text, True) for text in entity.all("weakAlias"))


def _build_identifiers(entity: FtmEntity, joined: RelatedStatements) -> Iterator[RegistrationNumber]:
    for text in entity.all("imoNumber"):
        yield from extract_imo_numbers(text)
    for name, label in _NUMBERS.items():
        for number in entity.all(name):
            yield from build_numbers(label, number)
    yield from joined.documents
