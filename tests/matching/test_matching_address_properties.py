"""What holds for any address whatever, and how many made-up Canadian ones are read as they were written."""

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.addresses import terms
from bonafide.matching.addresses.address_comparison import compare_addresses
from bonafide.matching.addresses.line_parsing import parse_address_line
from bonafide.matching.addresses.postal_codes import format_postal_code
from bonafide.matching.addresses.street_parsing import parse_street
from bonafide.matching.addresses.terms import parse_province_code
from bonafide.matching.text.folding import fold
from bonafide.model.entity import Address
from bonafide_sandbox.generator import addresses
from bonafide_sandbox.generator.business import OfficeAddress as MadeUp
from bonafide_sandbox.generator.registers import REGISTERS
from bonafide_sandbox.generator.seeded_random import SeededRandom
from tests.support.sampling import examples

SINGLE_WORDS = """
12 5 1-123 #4 123½ 1/2 8e 2nd A b & - , ( ) ; / M5V K1A0B1 90210-1234 LSD 5-12-34-6-W4 Lower level PO Box C.P. succ. Stn RR R Lot
Main rue St. Ste Saint-Jean King l'Église d'Orlov W Ouest NW N.-O. boul. Hwy Road œ Unit Suite app. floor étage c/o Attn
Toronto Québec North Bay ON (Québec) N.-B. Scotia NE Canada USA
"""
WORDS = [*SINGLE_WORDS.split(), "100 Mile House", "Nova Scotia", "M5V 2T6", "General Delivery", "\n"]
wordlike = st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=14).map(" ".join)
anything = st.text(max_size=80) | wordlike
SIZE = 4_000
MIN_WITH_COMMAS, MIN_WITHOUT = 0.995, 0.97


@examples(500)
@given(anything)
def test_taking_apart_never_raises(text: str) -> None:
    found = parse_address_line(text)
    for part in (found.line, found.city, found.province, found.postal_code, found.country, found.street.spelled):
        assert part is None or part.strip() == part != ""
    parse_street(text)


@given(wordlike, wordlike)
def test_addresses_compare_the_same_both_ways(one: str, other: str) -> None:
    a, b = Address(raw=one), Address(street=other)
    assert compare_addresses(a, b).score == compare_addresses(b, a).score


@given(wordlike)
def test_an_address_agrees_with_itself(text: str) -> None:
    assert compare_addresses(Address(raw=text), Address(raw=text)).score in {1, None}


def made_up() -> Iterator[MadeUp]:
    """Addresses of the sandbox: real towns of all provinces, English and French streets, drawn doors and units."""
    draws = SeededRandom.of(7, np.arange(SIZE))
    registers = np.arange(SIZE) % len(REGISTERS)
    yield from addresses.draw_addresses(draws, addresses.draw_cities(draws, registers))


def lines(address: MadeUp, chance: random.Random) -> tuple[str, str]:
    """The address in one line with commas, and in one without, its unit in one of the usual forms."""
    number, street = address.street_number, address.street_name
    forms = [f"{number} {street}"]
    if address.unit is not None:
        unit = address.unit
        forms = [f"{unit}-{number} {street}", f"{number} {street}, Suite {unit}"]
        forms += [f"{number}, {street}, bureau {unit}", f"#{unit} {number} {street}"]
    line = chance.choice(forms)
    code = address.postal_code
    tail = chance.choice([f"{address.province} {code}", f"{address.province}, {code.replace(' ', '')}, Canada"])
    return f"{line}, {address.city}, {tail}", f"{line} {address.city} {tail}"


def is_read(address: MadeUp, line: str) -> bool:
    """Whether every part of the address was read from the line as it was meant."""
    found = parse_address_line(line)
    street = parse_street(address.street_name)
    told = (found.street.number, found.street.unit, found.city, found.province, format_postal_code(found.postal_code or ""))
    meant = (address.street_number, address.unit, address.city, address.province, address.postal_code)
    named = (found.street.name, found.street.kind, found.street.direction, found.street.spelled)
    return told == meant and named == (street.name, street.kind, street.direction, address.street_name)


@pytest.mark.slow
def test_what_is_joined_from_parts_is_taken_apart_into_them() -> None:
    chance, read = random.Random(7), Counter[bool]()  # noqa: S311 - the same lines each time
    for address in made_up():
        with_commas, without = lines(address, chance)
        read[True] += is_read(address, with_commas)
        read[False] += is_read(address, without)
    assert read[True] >= SIZE * MIN_WITH_COMMAS
    assert read[False] >= SIZE * MIN_WITHOUT


def test_every_province_is_known_by_its_code() -> None:
    assert all(parse_province_code(code) == code for code in addresses.PROVINCES)


def test_words_of_the_tables_are_written_as_folding_leaves_them() -> None:
    spellings = [
        *terms.TYPES,
        *terms.UNITS,
        *terms.BUILDINGS,
        *terms.FLOOR_NAMES,
        *terms.STATIONS,
        *terms.ORDINALS,
        *terms.NAME_WORDS,
    ]
    assert [spelling for spelling in spellings if fold(spelling) != spelling] == []
    assert terms.TYPES.keys() >= terms.FRENCH_TYPES | terms.SURE_TYPES | terms.NUMBERED_TYPES
