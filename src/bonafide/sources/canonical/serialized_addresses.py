"""Serialize the addresses of canonical rows, as `build_postal_address` and pydantic do."""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.sources.canonical.text_columns import TextColumns, escape_all, quote
from bonafide.sources.formats.delimited_text import build_street_line, format_postal_code


@dataclass(frozen=True, slots=True)
class SerializedAddresses:
    """The address of each row as a member of a JSON object, preceded by a comma, and as the lines that are searched."""

    members: list[str]
    lines: list[tuple[str, ...]]


_PARTS = ("street", "city", "province", "postal_code", "country")


def serialize_addresses(columns: TextColumns) -> SerializedAddresses:
    """The addresses of the rows of a block; nothing for a row without any part."""
    parts = [_join_streets(columns), columns.get("city"), columns.get("province"), _format_codes(columns), columns.get("country")]
    members: list[str] = []
    lines: list[tuple[str, ...]] = []
    escaped = [escape_all(column) for column in parts]
    for (street, city, province, code, country), own in zip(zip(*escaped, strict=True), zip(*parts, strict=True), strict=True):
        if street and city and province and code and country:
            line = f"{street}, {city}, {province}, {code}"
            members.append(
                f',"addresses":[{{"street":"{street}","city":"{city}","province":"{province}","postal_code":"{code}",'
                f'"country":"{country}","raw":"{line}, {country}"}}]'
            )
            lines.append((line if "\\" not in line else ", ".join(own[:-1]),))
        elif any(own):
            raw = ", ".join(filter(None, own))
            written = ",".join([f'"{name}":{quote(part)}' for name, part in zip(_PARTS, own, strict=True) if part])
            members.append(f',"addresses":[{{{written},"raw":{quote(raw)}}}]')
            lines.append((", ".join(filter(None, own[:-1])) or raw,))
        else:
            members.append("")
            lines.append(())
    return SerializedAddresses(members, lines)


def _join_streets(columns: TextColumns) -> Sequence[str]:
    """The street lines with their units."""
    streets = columns.get("street")
    if not columns.has("unit"):
        return streets
    pairs = zip(columns.get("unit"), streets, strict=True)
    return [build_street_line(unit, street or None) or "" if unit else street for unit, street in pairs]


def _format_codes(columns: TextColumns) -> Sequence[str]:
    codes = columns.get("postal_code")
    return [format_postal_code(code) or "" for code in codes] if columns.has("postal_code") else codes
