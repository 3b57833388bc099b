"""How many real addresses in one line are parsed into the right fields, by part of the data set, source, form and disturbance.

A line is right if every field that its source states is right. Spelling between words, and leading zeros of numbers, do not count.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bonafide.matching.addresses.line_parsing import parse_address_line
from bonafide.matching.addresses.postal_codes import format_postal_code
from bonafide.matching.addresses.terms import parse_province_code
from bonafide.matching.text.folding import fold
from bonafide_bench.datasets.address_lines import AddressLine, build_address_lines


@dataclass(frozen=True, slots=True)
class AddressFigures:
    """The lines of one group: their number, and the share of which every field is right."""

    part: str
    group: str
    lines: int
    right: float


def measure_address_accuracy(data: Path) -> tuple[AddressFigures, ...]:
    """The figures of each part of the data set: of all its lines, and by source, province, form, disturbance and field.

    Empty if the folder has none of the sources' files.
    """
    return summarize_lines(build_address_lines(data))


def summarize_lines(lines: Sequence[AddressLine]) -> tuple[AddressFigures, ...]:
    """The figures of these lines."""
    rows: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for line in lines:
        wrong = find_wrong_fields(line)
        for group in (
            "all",
            f"source: {line.source}",
            f"province: {line.province}",
            f"form: {line.form}",
            f"disturbance: {line.disturbance}",
        ):
            rows[line.part, group].append(not wrong)
        for name in line.fields:
            rows[line.part, f"field: {name}"].append(name not in wrong)
    return tuple(AddressFigures(part, group, len(right), sum(right) / len(right)) for (part, group), right in sorted(rows.items()))


def find_wrong_fields(line: AddressLine) -> list[str]:
    """The fields of a line that the parser does not find as the source states them."""
    found, expected = _parse(line.text), _spell_fields(line.fields)
    return [name for name, value in expected.items() if found[name] != value]


def _parse(text: str) -> dict[str, str | None]:
    """The fields that the parser finds, in one spelling."""
    parsed = parse_address_line(text)
    street = parsed.street
    return _spell_fields(
        {
            "line": parsed.line,
            "unit": street.unit,
            "number": street.number,
            "street": street.spelled,
            "kind": street.kind,
            "direction": street.direction,
            "box": street.box,
            "city": parsed.city,
            "province": parsed.province,
            "postalCode": parsed.postal_code,
            "country": parsed.country,
        }
    )


def _spell_words(text: str) -> str:
    return " ".join("".join(part if part.isalnum() else " " for part in fold(text)).split())


def _spell_number(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text))).lstrip("0")


_SPELLINGS: dict[str, Callable[[str], str | None]] = {
    "line": _spell_words,
    "street": _spell_words,
    "city": _spell_words,
    "country": _spell_words,
    "unit": _spell_number,
    "number": _spell_number,
    "box": _spell_number,
    "province": parse_province_code,
    "postalCode": lambda text: _spell_number(format_postal_code(text)),
}


def _spell_fields(fields: Mapping[str, str | None]) -> dict[str, str | None]:
    return {name: _SPELLINGS[name](value) if value is not None and name in _SPELLINGS else value for name, value in fields.items()}
