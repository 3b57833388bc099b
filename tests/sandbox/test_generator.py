"""Business i follows from (seed, i), so a small world begins every larger one; the mixture is that of the real registers."""

import re
from collections import Counter
from itertools import islice

import numpy as np
import pytest

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import BusinessKind, SandboxBusiness
from bonafide_sandbox.generator.businesses import BLOCK, MAX_SIZE, create_block, create_businesses, create_unregistered
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.generator.registers import BY_JURISDICTION, PERIOD, REGISTERS
from bonafide_sandbox.generator.registrations import FIRST_DAY, RANGES, TODAY

SEED = 1867
POSTAL_LETTERS = {
    "NL": "A", "NS": "B", "PE": "C", "NB": "E", "QC": "GHJ", "ON": "KLMNP", "MB": "R", "SK": "S", "AB": "T", "BC": "V", "YT": "Y",
    "NT": "X", "NU": "X",
}  # fmt: skip


@pytest.fixture(scope="module")
def many() -> list[SandboxBusiness]:
    return list(create_businesses(SEED, 0, 10_000))


def test_the_same_seed_gives_the_same_businesses(many: list[SandboxBusiness]) -> None:
    assert list(create_businesses(SEED, 0, 2_000)) == many[:2_000]


def test_another_seed_gives_other_businesses(many: list[SandboxBusiness]) -> None:
    others = list(create_businesses(SEED + 1, 0, 1_000))

    assert not {business.name for business in others[:200]} & {business.name for business in many[:200]}
    assert [business.register for business in others] == [business.register for business in many[:1_000]]


def test_a_business_does_not_depend_on_where_a_world_begins_or_ends(many: list[SandboxBusiness]) -> None:
    assert list(create_businesses(SEED, 4_321, 4_330)) == many[4_321:4_330]
    assert create_block(SEED, np.array([7_777])) == [many[7_777]]


def test_blocks_join_without_a_seam() -> None:
    across = list(create_businesses(SEED, BLOCK - 2, BLOCK + 2))

    assert across == create_block(SEED, np.arange(BLOCK - 2, BLOCK + 2))


def test_the_last_businesses_of_the_largest_world_can_be_made_alone() -> None:
    last = list(create_businesses(SEED, MAX_SIZE - 3, MAX_SIZE))

    assert len({business.number for business in last}) == 3


def test_every_thousand_has_all_registers_in_their_shares(many: list[SandboxBusiness]) -> None:
    for start in (0, 3_000, 9_000):
        counts = Counter(business.register for business in many[start : start + PERIOD])
        assert counts == {register.jurisdiction: register.share for register in REGISTERS}
    assert set(counts) == set(Jurisdiction)


def test_names_are_mixed_as_in_the_real_registers(many: list[SandboxBusiness]) -> None:
    numbered = sum(re.match(r"\d{4}", business.name) is not None for business in many)
    french = sum(business.french for business in many)
    names = sum(1 + len(business.other_names) + len(business.former_names) for business in many)

    assert numbered / len(many) == pytest.approx(0.18, abs=0.015)
    assert 0.1 < french / len(many) < 0.22
    assert 1.15 < names / len(many) < 1.4


def test_a_numbered_company_is_named_after_its_number(many: list[SandboxBusiness]) -> None:
    forms = {
        Jurisdiction.FED: r"(\d+) CANADA (INC|LTD)\.",
        Jurisdiction.ON: r"(\d+) ONTARIO (INC\.|LTD\.|LIMITED)",
        Jurisdiction.BC: r"(\d{7}) B\.C\. (LTD\.|UNLIMITED LIABILITY COMPANY)",
        Jurisdiction.AB: r"(\d{7}) ALBERTA (LTD|INC|CORP)\.",
        Jurisdiction.QC: r"(9\d{3}-\d{4}) QU[ÉE]BEC INC\.",
    }
    for jurisdiction, form in forms.items():
        named = [(business, re.fullmatch(form, business.name.upper())) for business in many if business.register is jurisdiction]
        found = [(business, match[1]) for business, match in named if match is not None]
        assert len(found) > 50
        if jurisdiction is not Jurisdiction.QC:
            assert all(digits in business.number for business, digits in found)


def test_nothing_generated_bears_the_name_of_the_sandbox(many: list[SandboxBusiness]) -> None:
    names = [name for b in many for name in (b.name, *b.other_names, *(former.name for former in b.former_names))]

    assert not [name for name in names if "sandbox" in name.casefold() or "sand box" in name.casefold()]
    assert all(name == " ".join(name.split()) and name != "" for name in names)
    assert not [name for name in names if ";" in name or "[" in name or "%" in name or "{" in name]


def test_a_postal_code_is_one_of_the_province(many: list[SandboxBusiness]) -> None:
    for business in many:
        address = business.address
        assert re.fullmatch(r"[A-Z]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d", address.postal_code)
        assert address.postal_code[0] in POSTAL_LETTERS[address.province]


def test_an_office_is_in_the_province_of_its_register(many: list[SandboxBusiness]) -> None:
    assert all(b.address.province == b.register for b in many if b.register is not Jurisdiction.FED)
    assert {b.address.province for b in many if b.register is Jurisdiction.FED} == set(Jurisdiction) - {"FED"}


def test_a_kind_is_one_that_the_register_registers(many: list[SandboxBusiness]) -> None:
    assert all(business.kind in BY_JURISDICTION[business.register].kinds for business in many)
    assert {business.kind for business in many} == set(BusinessKind)


def test_days_lie_in_the_past_and_numbers_rise_with_them(many: list[SandboxBusiness]) -> None:
    assert all(FIRST_DAY <= business.registered_on <= TODAY for business in many)
    assert all(b.registered_on <= former.until <= TODAY for b in many for former in b.former_names)
    federal = sorted((int(b.number), b.registered_on) for b in many if b.register is Jurisdiction.FED)
    assert [day for _, day in federal] == sorted(day for _, day in federal)


def test_companies_have_people_and_firms_an_owner(many: list[SandboxBusiness]) -> None:
    assert all(1 <= len(business.people) <= 5 for business in many)
    assert all(len(business.people) >= 2 for business in many if business.kind is BusinessKind.PARTNERSHIP)
    owners = [business.people for business in many if business.kind is BusinessKind.FIRM]
    assert {people[0].roles for people in owners} == {("Owner",), ("Propriétaire",)}
    assert all(len(people) == 1 for people in owners)


def test_a_register_has_more_numbers_than_the_largest_world_has_businesses() -> None:
    for register in REGISTERS:
        span, _ = RANGES[register.jurisdiction]
        assert span >= register.share * MAX_SIZE // PERIOD


def test_strangers_are_of_their_jurisdiction_and_in_no_world() -> None:
    first = list(islice(create_unregistered(SEED, Jurisdiction.AB), 600))

    assert {business.register for business in first} == {Jurisdiction.AB}
    assert len({business.random_bits for business in first}) == 600


def test_no_fixed_business_shares_a_number_with_a_generated_one(many: list[SandboxBusiness]) -> None:
    fixed = {(f.business.register, f.business.number) for f in KNOWN_BUSINESSES}

    assert len(fixed) == len(KNOWN_BUSINESSES)
    assert not fixed & {(business.register, business.number) for business in many}
    assert not {f.business.business_number for f in KNOWN_BUSINESSES} & {business.business_number for business in many}
