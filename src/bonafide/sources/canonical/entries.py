"""Build a registry entry from a canonical row.

Words are mapped by the mapping file first, then by the vocabulary of the source. Words in neither are counted as unknown.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_values
from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.model.entity import NameHistoryItem, Person, RegistrationNumber, RoleCategory, RoleDetail, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.package_data import read_yaml
from bonafide.sources.canonical.fields import CanonicalFields, create_object_fields, parse_iso_day, to_one_line
from bonafide.sources.canonical.mapping import CanonicalMapping
from bonafide.sources.formats.delimited_text import build_postal_address, build_street_line
from bonafide.sources.framework.context import ParseContext

BN_LABEL = "Business Number (BN)"
DIRECTOR = "Director"
_FORMER_NAME = re.compile(r"(?P<name>.+?) ?\((?P<start>\d{4}-\d\d-\d\d)? ?to ?(?P<end>\d{4}-\d\d-\d\d)?\)")
_PERSON = re.compile(r"(?P<name>[^\[\]]+?) ?\[(?P<roles>[^\[\]]*)\]")
_FORMER_KEYS = frozenset({"name", "effective_date", "end_date"})
_PERSON_KEYS = frozenset({"name", "role", "roles"})
_NUMBER_KEYS = frozenset({"label", "value"})


@dataclass(frozen=True, slots=True)
class CanonicalRegister:
    """What all rows of a register share: jurisdiction, label of its numbers, and vocabulary."""

    context: ParseContext
    mapping: CanonicalMapping
    jurisdiction: Jurisdiction
    number_label: str
    statuses: dict[str, StatusCode]
    roles: dict[str, RoleCategory]

    @classmethod
    def of(cls, context: ParseContext, mapping: CanonicalMapping) -> "CanonicalRegister":
        """Create it for a load. Raises `ParseFailed` for a source that is not a register."""
        metadata = context.metadata
        if metadata.jurisdiction is None or metadata.number_label is None:
            raise ParseFailed(
                Message("{source} is not a register. The canonical layout is for registers only.", source=metadata.key)
            )
        statuses = {normalize_word(code): code for code in StatusCode} | _load_common_statuses()
        statuses |= {normalize_word(word): code for word, code in metadata.statuses.items()}
        statuses |= {normalize_word(word): code for word, code in mapping.statuses.items()}
        roles = _load_common_roles() | {normalize_word(word): category for word, category in metadata.roles.items()}
        return cls(context, mapping, metadata.jurisdiction, metadata.number_label, statuses, roles)

    def status_code(self, word: str | None) -> StatusCode:
        """The common code of a status word."""
        known = self.statuses.get(normalize_word(word)) if word is not None else None
        return known if known is not None else self.context.status(word)

    def role(self, word: str) -> RoleDetail:
        """The role with its category."""
        known = self.roles.get(normalize_word(word))
        return RoleDetail(category=known if known is not None else self.context.role(word), label=word)


@cache
def _load_common_statuses() -> dict[str, StatusCode]:
    return {normalize_word(word): StatusCode(code) for code, words in _load_table("statuses").items() for word in words}


@cache
def _load_common_roles() -> dict[str, RoleCategory]:
    return {normalize_word(word): RoleCategory(category) for category, words in _load_table("roles").items() for word in words}


def _load_table(name: str) -> dict[str, list[str]]:
    table: dict[str, list[str]] = read_yaml(__package__, f"{name}.yml")
    return table


def normalize_word(word: str) -> str:
    """A word in lower case, with spaces for underscores."""
    return " ".join(word.replace("_", " ").casefold().split())


def build_entry(fields: CanonicalFields, register: CanonicalRegister) -> RegistryEntry:
    """The entry of a row. Raises `ValueError` with the column that can't be read, and why."""
    number = fields.need("registration_number")
    label = fields.text("number_label")
    address = build_postal_address(
        street=build_street_line(fields.text("unit"), fields.text("street")),
        city=fields.text("city"),
        province=fields.text("province"),
        postal_code=fields.text("postal_code"),
        country=fields.text("country"),
    )
    return RegistryEntry(
        entry_id=_build_entry_id(number, label, register),
        source_url=_build_source_url(number, fields, register),
        jurisdiction=register.jurisdiction,
        legal_name=fields.need("legal_name"),
        alternate_names=tuple(dict.fromkeys(fields.texts("alternate_names"))),
        name_history=tuple(parse_former_name(item, fields.mapping) for item in fields.items("former_names")),
        registration_numbers=tuple(_build_numbers(number, label or register.number_label, fields)),
        entity_type=fields.text("entity_type"),
        status=fields.text("status"),
        status_code=_read_status_code(fields, register),
        good_standing=fields.truth("good_standing"),
        incorporation_date=fields.day("incorporation_date"),
        addresses=(address,) if address is not None else (),
        people=tuple(_build_people(fields, register)),
        home_jurisdiction=parse_home_jurisdiction(fields.text("home_jurisdiction"), register.jurisdiction),
        home_number=fields.text("home_number"),
    )


def _build_entry_id(number: str, label: str | None, register: CanonicalRegister) -> str:
    """The letters and digits of the number, with its label if it is not the register's usual one."""
    key = keep_alphanumerics(number)
    if key == "":
        raise ValueError(Message("registration_number has no letter or digit"))
    return key if label is None or label == register.number_label else f"{key}:{keep_alphanumerics(label)}"


def keep_alphanumerics(text: str) -> str:
    """The letters and digits of a text in upper case."""
    return "".join(character for character in text if character.isalnum()).upper()


def _build_source_url(number: str, fields: CanonicalFields, register: CanonicalRegister) -> str | None:
    """The address in the row, or the one that the metadata of the register gives for the number."""
    url = fields.text("source_url")
    if url is not None and not url.startswith(("https://", "http://")):
        raise ValueError(Message("source_url is not a web address"))
    template = register.context.metadata.entry_url
    return url if url is not None or template is None else template.format(number=keep_alphanumerics(number))


def _read_status_code(fields: CanonicalFields, register: CanonicalRegister) -> StatusCode:
    """The code in the row, or else that of its status word."""
    code = fields.text("status_code")
    if code is None:
        return register.status_code(fields.text("status"))
    try:
        return StatusCode(code.casefold())
    except ValueError:
        raise ValueError(Message("status_code is not one of {codes}", codes=join_values(StatusCode))) from None


def _build_numbers(number: str, label: str, fields: CanonicalFields) -> Iterator[RegistrationNumber]:
    yield RegistrationNumber(label=label, value=number)
    business_number = fields.text("business_number")
    if business_number is not None:
        yield RegistrationNumber(label=BN_LABEL, value=business_number)
    for item in fields.items("other_numbers"):
        if isinstance(item, str):
            other, _, value = (part.strip() for part in item.partition("="))
        else:
            named = create_object_fields(item, "other_numbers", _NUMBER_KEYS, fields.mapping)
            other, value = named.text("label") or "", named.text("value") or ""
        if other == "" or value == "":
            raise ValueError(Message("other_numbers has an item that is not label=number"))
        yield RegistrationNumber(label=other, value=value)


def parse_former_name(item: object, mapping: CanonicalMapping) -> NameHistoryItem:
    """A former name with its days. Raises `ValueError` for an invalid item."""
    if isinstance(item, str):
        dated = _FORMER_NAME.fullmatch(item)
        values = (dated["name"], dated["start"], dated["end"]) if dated is not None else (item, None, None)
    else:
        named = create_object_fields(item, "former_names", _FORMER_KEYS, mapping)
        values = (named.need("name"), named.text("effective_date"), named.text("end_date"))
    name, start, end = values
    text = to_one_line(name, "former_names")
    days = parse_iso_day(start, "former_names"), parse_iso_day(end, "former_names")
    return NameHistoryItem(type="former", name=text or "", effective_date=days[0], end_date=days[1])


# ------------------------------------------------------------------------------------------------------------ people


def _build_people(fields: CanonicalFields, register: CanonicalRegister) -> Iterator[Person]:
    """Each person once, with the roles of both columns."""
    roles: dict[str, list[str]] = {}
    for item in fields.items("directors"):
        roles.setdefault(_parse_person(item, "directors", fields.mapping)[0], []).append(DIRECTOR)
    for item in fields.items("people"):
        name, words = _parse_person(item, "people", fields.mapping)
        roles.setdefault(name, []).extend(words)
    for name, words in roles.items():
        details = tuple(register.role(word) for word in dict.fromkeys(words))
        yield Person(name=name, roles=tuple(detail.label for detail in details), role_details=details)


def _parse_person(item: object, column: str, mapping: CanonicalMapping) -> tuple[str, list[str]]:
    """Name and role words. Raises `ValueError` without a name, or when the brackets are invalid."""
    if isinstance(item, str):
        bracketed = _PERSON.fullmatch(item)
        if bracketed is None and ("[" in item or "]" in item):
            raise ValueError(Message("{column} has an item that is not Name [Role]", column=column))
        text, roles = (bracketed["name"], bracketed["roles"]) if bracketed is not None else (item, "")
        name, words = to_one_line(text, column), roles.split(",")
    else:
        named = create_object_fields(item, column, _PERSON_KEYS, mapping)
        name, words = named.text("name"), [*named.texts("roles"), *named.texts("role")]
    if name is None:
        raise ValueError(Message("{column} has an item without a name", column=column))
    return name, [word.strip() for word in words if word.strip() != ""]
