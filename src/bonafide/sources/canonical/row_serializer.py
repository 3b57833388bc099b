"""Turn blocks of canonical rows into serialized entries, column by column.

A column is checked as a whole, and each of its distinct values is parsed once. A row with an invalid, rare or unknown value is left
to `entries.build_entry`. For all other rows this module applies the same rules; a property test compares the entries.
"""

from collections.abc import Iterable, Mapping, Sequence

from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.model.entity import NameHistoryItem, StatusCode
from bonafide.model.serialized_entry import SerializedEntry
from bonafide.sources.canonical.entries import (
    BN_LABEL,
    CanonicalRegister,
    keep_alphanumerics,
    normalize_word,
    parse_former_name,
)
from bonafide.sources.canonical.fields import BOOLEANS
from bonafide.sources.canonical.files import RowBlock
from bonafide.sources.canonical.serialized_addresses import serialize_addresses
from bonafide.sources.canonical.serialized_people import PeopleSerializer
from bonafide.sources.canonical.text_columns import ParsedValues, TextColumns, escape_all, is_plain_text, quote, write_members
from bonafide.sources.formats.delimited_text import parse_date

_FIELDS = (
    "entry_id",
    "source_url",
    "jurisdiction",
    "legal_name",
    "alternate_names",
    "name_history",
    "registration_numbers",
    "entity_type",
    "status",
    "status_code",
    "good_standing",
    "incorporation_date",
    "addresses",
    "people",
    "home_jurisdiction",
    "home_number",
)
"""The fields of a canonical row, in the order of `RegistryEntry`."""
_ALWAYS_FILLED = frozenset({"kind", "status_code"})


class RowSerializer:
    """Serializes the rows of one load. `counted` are the fields whose presence the checks of the load count."""

    def __init__(self, register: CanonicalRegister, counted: Iterable[str] = ()) -> None:
        mapping = register.mapping
        self._register = register
        self._counted = tuple(counted)
        self._defaults = {
            name: value for name, value in mapping.defaults.items() if isinstance(value, str) and is_plain_text(value)
        }
        # A default of another type is interpreted as a value of that type.
        self._has_plain_defaults = len(self._defaults) == len(mapping.defaults)
        self._people = PeopleSerializer(register)
        self._days = ParsedValues(self._parse_day)
        self._statuses = ParsedValues(self._parse_status)
        self._status_codes = ParsedValues(lambda text: StatusCode(text.casefold()))
        self._booleans = ParsedValues(_parse_boolean)
        self._homes = ParsedValues(lambda text: parse_home_jurisdiction(text, register.jurisdiction))
        self._label_keys = ParsedValues(keep_alphanumerics)

    def serialize(self, block: RowBlock) -> list[SerializedEntry | None]:
        """The entry of each row; None for a row that `build_entry` has to build."""
        if not self._has_plain_defaults or not block.rows:
            return [None] * len(block.rows)
        columns = TextColumns(block, self._defaults)
        if len(columns.unusual) == columns.count:  # as in a file whose lists are not texts
            return [None] * columns.count
        ids, urls = self._build_ids(columns)
        names, members = self._serialize_names(columns)
        numbers, members["registration_numbers"] = self._serialize_numbers(columns)
        codes = self._find_status_codes(columns)
        addresses = serialize_addresses(columns)
        jurisdiction = self._register.jurisdiction
        members |= {
            "entry_id": [f'{{"entry_id":"{entry_id}"' for entry_id in ids],
            "source_url": write_members("source_url", escape_all(urls)),
            "jurisdiction": [f',"jurisdiction":{quote(jurisdiction)}'] * columns.count,
            "entity_type": columns.write("entity_type"),
            "status": columns.write("status"),
            "status_code": [f',"status_code":"{code}"' if code is not StatusCode.UNKNOWN else "" for code in codes],
            "good_standing": _write_booleans(columns.parse("good_standing", self._booleans)),
            "incorporation_date": write_members("incorporation_date", columns.parse("incorporation_date", self._days)),
            "addresses": addresses.members,
            "people": self._people.serialize(columns),
            "home_jurisdiction": write_members(
                "home_jurisdiction", escape_all([home or "" for home in columns.parse("home_jurisdiction", self._homes)])
            ),
            "home_number": columns.write("home_number"),
        }
        parts = [members[name] for name in _FIELDS]
        filled = self._list_filled(columns.count, members)
        rows = zip(ids, map("".join, zip(*parts, strict=True)), names, numbers, addresses.lines, codes, filled, strict=True)
        return [
            SerializedEntry(entry_id, f"{document}}}", own_names, own_numbers, lines, jurisdiction, code, present)
            if row not in columns.unusual
            else None
            for row, (entry_id, document, own_names, own_numbers, lines, code, present) in enumerate(rows)
        ]

    def _build_ids(self, columns: TextColumns) -> tuple[list[str], list[str]]:
        """The entry ID and the address of the page of each row."""
        keys = [number.upper() if number.isalnum() else keep_alphanumerics(number) for number in columns.get("registration_number")]
        columns.unusual.update(row for row, key in enumerate(keys) if key == "")
        ids = keys
        if columns.has("number_label"):
            own = ("", self._register.number_label)
            labels = columns.get("number_label")
            suffixes = columns.parse("number_label", self._label_keys)
            ids = [key if label in own else f"{key}:{suffix}" for key, label, suffix in zip(keys, labels, suffixes, strict=True)]
        urls = list(columns.get("source_url"))
        columns.unusual.update(row for row, url in enumerate(urls) if url and not url.startswith(("https://", "http://")))
        template = self._register.context.metadata.entry_url
        if template is not None:
            urls = [url or template.format(number=key) for url, key in zip(urls, keys, strict=True)]
        return ids, urls

    def _serialize_names(self, columns: TextColumns) -> tuple[list[tuple[str, ...]], dict[str, Sequence[str]]]:
        """All names of each row, and these as members of a JSON object."""
        legal = columns.require("legal_name")
        names: list[tuple[str, ...]] = [(name,) for name in legal]
        alternate, history = [""] * columns.count, [""] * columns.count
        for row, text in columns.list_filled("alternate_names"):
            others = tuple(dict.fromkeys(self._split_list(text)))
            if others:
                names[row] += others
                alternate[row] = f',"alternate_names":[{",".join(map(quote, others))}]'
        for row, text in columns.list_filled("former_names"):
            try:
                former = [parse_former_name(item, self._register.mapping) for item in self._split_list(text)]
            except ValueError:
                columns.unusual.add(row)
                continue
            if former:
                names[row] += tuple([item.name for item in former])
                history[row] = f',"name_history":[{",".join(map(_write_former_name, former))}]'
        return names, {"legal_name": columns.write("legal_name"), "alternate_names": alternate, "name_history": history}

    def _serialize_numbers(self, columns: TextColumns) -> tuple[list[tuple[str, ...]], list[str]]:
        """All numbers of each row, and these as a member of a JSON object."""
        own = columns.require("registration_number")
        numbers: list[tuple[str, ...]] = [(number,) for number in own]
        start = f',"registration_numbers":[{{"label":{quote(self._register.number_label)},"value":"'
        members = [f'{start}{number}"}}' for number in columns.get_escaped("registration_number")]
        for row, label in columns.list_filled("number_label"):
            members[row] = f',"registration_numbers":[{_write_number(label, own[row])}'
        for row, number in columns.list_filled("business_number"):
            numbers[row] += (number,)
            members[row] += f",{_write_number(BN_LABEL, number)}"
        for row, text in columns.list_filled("other_numbers"):
            for item in self._split_list(text):
                label, _, number = (part.strip() for part in item.partition("="))
                if label == "" or number == "":
                    columns.unusual.add(row)
                numbers[row] += (number,)
                members[row] += f",{_write_number(label, number)}"
        return numbers, [f"{written}]" for written in members]

    def _split_list(self, text: str) -> list[str]:
        return [item for part in text.split(self._register.mapping.list_separator) if (item := part.strip())]

    def _find_status_codes(self, columns: TextColumns) -> list[StatusCode]:
        given = columns.parse("status_code", self._status_codes)
        found = columns.parse("status", self._statuses) if columns.has("status") else [None] * columns.count
        return [code or other or StatusCode.UNKNOWN for code, other in zip(given, found, strict=True)]

    def _list_filled(self, count: int, members: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, ...]]:
        """The counted fields of each row that are not empty."""
        if not self._counted:
            return [()] * count
        # A field that the layout does not have is empty.
        counted = [(name, members.get(name, [""] * count)) for name in self._counted]
        return [tuple([name for name, texts in counted if _is_filled(name, texts[row])]) for row in range(count)]

    def _parse_day(self, text: str) -> str | None:
        day = parse_date(text, *self._register.mapping.date_formats)
        return day.isoformat() if day is not None else None

    def _parse_status(self, text: str) -> StatusCode:
        code = self._register.statuses.get(normalize_word(text))
        if code is None:
            raise ValueError(text)
        return code


def _parse_boolean(text: str) -> bool | None:
    try:
        return BOOLEANS[text.casefold()]
    except KeyError:
        raise ValueError(text) from None


def _write_booleans(booleans: Iterable[bool | None]) -> list[str]:
    return ["" if value is None else f',"good_standing":{"true" if value else "false"}' for value in booleans]


def _is_filled(name: str, member: str) -> bool:
    """Whether the field is true in the entry. The status code is left out if it is the default."""
    return name in _ALWAYS_FILLED or (member != "" and not member.endswith('"good_standing":false'))


def _write_number(label: str, value: str) -> str:
    return f'{{"label":{quote(label)},"value":{quote(value)}}}'


def _write_former_name(item: NameHistoryItem) -> str:
    return item.model_dump_json(exclude_defaults=True)
