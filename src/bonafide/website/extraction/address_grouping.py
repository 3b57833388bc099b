"""Group the addresses of a site that denote the same place, and choose the most complete spelling of each.

Two units of one building are two addresses; an address without a unit is the same as the one with it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from bonafide.matching.addresses.line_parsing import parse_address_line
from bonafide.matching.addresses.street_parsing import ParsedStreet, parse_street
from bonafide.matching.addresses.terms import normalize_place_name
from bonafide.model.entity import Address
from bonafide.website.extraction.addresses import StatedAddress
from bonafide.website.extraction.page_statement import PageStatement, StatementGroup


@dataclass(frozen=True, slots=True)
class _ComparedAddress:
    """An address in normalized form, for comparison."""

    street: ParsedStreet
    city: str | None
    code: str | None

    @property
    def door(self) -> tuple[str | None, ...]:
        """The parts that all spellings of one address share."""
        first = self.street.name[0] if self.street.name else None
        return (self.street.number, first) if self.street.number is not None else (self.street.box, self.street.rural)


def group_addresses(statements: Iterable[PageStatement[StatedAddress]]) -> list[StatementGroup[StatedAddress]]:
    """Group statements of the same address, in order of first appearance. The best statement is the most complete one."""
    groups: list[tuple[_ComparedAddress, list[PageStatement[StatedAddress]]]] = []
    by_door: dict[tuple[str | None, ...], list[int]] = {}
    for statement in statements:
        read = _to_compared_address(statement.value.address)
        same = next((place for place in by_door.get(read.door, ()) if _is_same_address(groups[place][0], read)), None)
        if same is None:
            by_door.setdefault(read.door, []).append(len(groups))
            groups.append((read, [statement]))
        else:
            first, group = groups[same]
            # An address without a unit is merged with the first one that has a unit, and with no further ones.
            groups[same] = (first if first.street.unit is not None else read), [*group, statement]
    return [StatementGroup(max(group, key=lambda item: _count_parts(item.value.address)), tuple(group)) for _, group in groups]


def _to_compared_address(address: Address) -> _ComparedAddress:
    street = parse_street(address.street) if address.street is not None else parse_address_line(address.raw or "").street
    code = "".join(filter(str.isalnum, address.postal_code)).upper() if address.postal_code is not None else None
    return _ComparedAddress(street, normalize_place_name(address.city) if address.city is not None else None, code)


def _is_same_address(one: _ComparedAddress, other: _ComparedAddress) -> bool:
    if one.street.unit is not None and other.street.unit is not None and one.street.unit != other.street.unit:
        return False
    if one.code is not None and other.code is not None:
        return one.code == other.code
    return one.city is None or other.city is None or one.city == other.city


def _count_parts(address: Address) -> int:
    """The number of parts of an address; a unit counts as a part of the street."""
    parts = (address.street, address.city, address.province, address.postal_code, address.country)
    has_unit = address.street is not None and parse_street(address.street).unit is not None
    return sum(part is not None for part in parts) + 2 * has_unit
