"""Register numbers are valid, unique and never a fixed business's, wherever in the largest world one looks."""

from collections.abc import Iterator

import numpy as np
import pytest

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator import check_digits
from bonafide_sandbox.generator.business import FIRM_KINDS, BusinessKind, SandboxBusiness
from bonafide_sandbox.generator.businesses import MAX_SIZE, create_block
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.generator.registers import KINDS, assign_registers, list_indices
from bonafide_sandbox.generator.registrations import RANGES, create_business_numbers


def passes_luhn(number: str) -> bool:
    digits = [int(digit) for digit in reversed(number)]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def passes_federal_rule(number: str) -> bool:
    total = sum(int(digit) * weight for digit, weight in zip(reversed(number[:-1]), range(2, 8), strict=False))
    expected = {0: 1 if len(number) == 8 else 0, 1: 0}.get(total % 11, 11 - total % 11)
    return number[-1] == str(expected)


def everywhere(jurisdiction: Jurisdiction) -> Iterator[SandboxBusiness]:
    """Businesses from the beginning, the middle and the end of the largest world."""
    for start in (0, MAX_SIZE // 2, MAX_SIZE - 3_000):
        yield from create_block(1867, list_indices(jurisdiction, start, 3))


@pytest.mark.parametrize("number", ["4261607", "1007", "11075896", "15266092", "9996672"])
def test_the_federal_rule_is_that_of_genuine_numbers(number: str) -> None:
    assert check_digits.compute_federal(np.array([int(number[:-1])])).tolist() == [int(number[-1])]
    assert passes_federal_rule(number)


@pytest.mark.parametrize(("number", "valid"), [("100094283", True), ("835752437", True), ("000760180", False), ("100469436", True)])
def test_luhn_is_that_of_genuine_numbers(number: str, valid: bool) -> None:  # noqa: FBT001 - a column of the table above
    assert (check_digits.compute_luhn(np.array([int(number[:-1])])).tolist() == [int(number[-1])]) is valid
    assert passes_luhn(number) is valid


def test_a_ships_number_has_its_check_digit() -> None:
    assert check_digits.compute_imo(np.array([851783])).tolist() == [9]
    assert check_digits.compute_imo(np.array([982690])).tolist() == [2]


@pytest.mark.parametrize("jurisdiction", list(Jurisdiction))
def test_business_numbers_pass_luhn(jurisdiction: Jurisdiction) -> None:
    for business in everywhere(jurisdiction):
        assert len(business.business_number) == 9
        assert passes_luhn(business.business_number)


def test_federal_numbers_have_their_check_digit() -> None:
    numbers = [business.number for business in everywhere(Jurisdiction.FED)]

    assert all(passes_federal_rule(number) for number in numbers)
    assert {len(number) for number in numbers} == {7, 8}
    assert {number[0] for number in numbers if len(number) == 8} == {"1"}


def test_ontario_has_two_series() -> None:
    for business in everywhere(Jurisdiction.ON):
        if business.kind in FIRM_KINDS:
            assert len(business.number) == 9
            assert passes_luhn(business.number)
        else:
            assert len(business.number) in {7, 10}


def test_albertas_access_numbers_pass_luhn() -> None:
    for business in everywhere(Jurisdiction.AB):
        assert business.number.startswith("20")
        assert len(business.number) == 10
        assert passes_luhn(business.number)


def test_an_neq_begins_as_its_kind_demands() -> None:
    for business in everywhere(Jurisdiction.QC):
        expected = {BusinessKind.FIRM: "22", BusinessKind.PARTNERSHIP: "33", BusinessKind.LIMITED_PARTNERSHIP: "33"}.get(
            business.kind, "11"
        )
        assert business.number.startswith(expected)
        assert len(business.number) == 10


@pytest.mark.parametrize(
    ("jurisdiction", "length"),
    [("MB", 7), ("NS", 7), ("SK", 9), ("NB", 6), ("PE", 6), ("YT", 6), ("NT", 6), ("NU", 6)],
)
def test_other_numbers_have_their_registers_length(jurisdiction: str, length: int) -> None:
    assert {len(business.number) for business in everywhere(Jurisdiction(jurisdiction))} == {length}


@pytest.mark.slow
@pytest.mark.parametrize("jurisdiction", list(Jurisdiction))
def test_no_number_occurs_twice_in_the_largest_world(jurisdiction: Jurisdiction) -> None:
    share = assign_registers(list_indices(jurisdiction, 0, 1))[1].size
    ordinals = np.arange(share * MAX_SIZE // 1_000)[:: max(1, share // 40)]
    span, spell = RANGES[jurisdiction]
    serials = (ordinals * 7_368_787 + 1867) % span
    kinds = np.full(len(ordinals), KINDS.index(BusinessKind.COMPANY))
    numbers, _ = spell(serials, kinds)

    assert len(set(numbers)) == len(numbers)
    assert not {f.business.number for f in KNOWN_BUSINESSES if f.business.register is jurisdiction} & set(numbers)


def test_british_columbia_leaves_the_fixed_numbers_out() -> None:
    serials = np.arange(899_990, 900_010)
    numbers, _ = RANGES[Jurisdiction.BC][1](serials, np.zeros_like(serials))

    assert numbers[9] == "BC0999999"
    assert numbers[10] == "BC1001000"


def test_business_numbers_are_unique_to_the_end_of_the_largest_world() -> None:
    indices = np.arange(0, MAX_SIZE, 97)

    assert len(set(create_business_numbers(1867, indices))) == len(indices)
