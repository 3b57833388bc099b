"""The registers' numbers: every usual spelling finds its business, and a number that looks wrong has a sentence that says why."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.identifiers.number_formats import (
    NUMBER_FORMATS,
    detect_number_types,
    find_number_problem,
    find_type_problem,
    list_number_types,
    parse_published_type,
)
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.discovery import discover_sources

SPELLINGS = {
    "4261607": ("426160-7", "4261607", "426 160 7", "0426160-7", "FED 426160-7", "Corporation No. 426160-7", "corp. number 4261607",
                "Federal Corporation Number: 426160-7", "#4261607", "N° 426160-7"),
    "1160000017": ("1160000017", "11 6000 0017", "1160-000-017", "NEQ 1160000017", "NEQ: 1160 000 017", "QC 1160000017",
                   "Numéro d'entreprise du Québec 1160000017", "neq1160000017"),
    "1000017": ("1000017", "ON 1000017", "ON-1000017", "OCN 1000017", "001000017", "0001000017", "Ontario Corporation No. 1000017",
                "Ontario Corporation Number 1 000 017", "Numéro de la société en Ontario 1000017"),
    "1000234567": ("1000234567", "ON 1000234567", "1000-234-567", "OCN1000234567"),
    "2012025033": ("2012025033", "20 1202503 3", "AB 2012025033", "Corporate Access Number 2012025033", "201202503-3",
                   "CAN 2012025033"),
    "BC0772006": ("BC0772006", "bc 0772006", "B.C. 0772006", "BC-772006", "BC772006", "0772006", "772006",
                  "Incorporation Number BC0772006", "Incorporation No. 0772006", "BC BC0772006"),
    "FM0530375": ("FM0530375", "fm 0530375", "FM530375", "FM 530375", "BC FM0530375", "Registration Number FM0530375"),
    "C0772006": ("C0772006", "C 772006", "BC C0772006", "c-0772006"),
    "S0012345": ("S0012345", "S-12345", "s 0012345", "BC S0012345"),
    "3001234": ("3001234", "NS 3001234", "Registry ID 3001234", "300-1234", "RJSC 3001234"),
    "102144437": ("102144437", "SK 102144437", "Entity Number 102144437", "102 144 437"),
    "530561": ("530561", "YT 530561", "Registry Number 530561", "53 0561"),
    "800005": ("800005", "NT 800005", "File No. 800005"),
    "141006": ("141006", "PE 141006", "832815864-141006", "832815864 - 141006", "Registration No. 141006"),
    "012345": ("12345", "012345", "NB 012345", "Registration Number 012345"),
    "7654321": ("7654321", "MB 7654321", "File Number 7654321"),
    "87654": ("87654", "NL 87654", "Company Number 87654"),
}  # fmt: skip
"""A number as its register prints it, and as people type it."""


@pytest.mark.parametrize("printed", SPELLINGS)
def test_every_usual_spelling_finds_the_number_that_the_register_prints(printed: str) -> None:
    missed = [text for text in SPELLINGS[printed] if not build_number_keys(text) & build_number_keys(printed)]
    assert missed == []


@pytest.mark.parametrize("printed", ["FM0530375", "C0772006", "S0012345"])
def test_letters_of_another_series_are_another_business(printed: str) -> None:
    digits = printed.lstrip("FMCS")
    assert not build_number_keys(printed) & build_number_keys(digits)
    assert not build_number_keys(printed) & build_number_keys(f"BC{digits}")


def test_letters_that_are_no_words_belong_to_the_number() -> None:
    assert build_number_keys("NOVA123456") == {"NOVA123456"}
    assert build_number_keys("CRSA1374765") == {"CRSA1374765"}
    assert not build_number_keys("REG12345") & build_number_keys("12345")


def test_spaces_do_not_change_what_a_number_says() -> None:
    for spellings in SPELLINGS.values():
        for text in spellings:
            assert detect_number_types(text) == detect_number_types(text.replace(" ", ""))


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("BIN 100062991", {NumberType.ONTARIO_FIRM}),
        ("BN 100062991", {NumberType.BUSINESS_NUMBER}),
        ("100062991 RC0001", {NumberType.BUSINESS_NUMBER}),
        ("100062991", set()),
        ("NEQ 1160000017", {NumberType.NEQ}),
        ("ON 1000017", {NumberType.ONTARIO_CORPORATION, NumberType.ONTARIO_FIRM}),
        ("BC0772006", {NumberType.BC_REGISTRATION}),
        ("Corporation No. 426160-7", set()),
        ("LEI 549300GKFG0RYRRQ1414", {NumberType.LEI}),
        ("LEI L3I9ZG2KFGXZ61BMYR72", {NumberType.LEI}),
        ("IMO 9074729", set()),
    ],
)
def test_a_number_may_say_of_which_kind_it_is(text: str, types: set[NumberType]) -> None:
    assert detect_number_types(text) == types


@pytest.mark.parametrize(
    "text", ["LEI 549300GKFG0RYRRQ1414", "lei: 5493 00GK FG0R YRRQ 1414", "Legal Entity Identifier 549300GKFG0RYRRQ1414"]
)
def test_a_lei_is_found_in_any_spelling(text: str) -> None:
    assert build_number_keys(text) == build_number_keys("549300GKFG0RYRRQ1414")


@pytest.mark.parametrize(
    ("label", "jurisdiction", "kind"),
    [
        ("Corporation Number", Jurisdiction.FED, NumberType.FEDERAL_CORPORATION),
        ("Registry Number (former name)", Jurisdiction.YT, NumberType.YUKON_REGISTRY),
        ("Ontario Corporation Number", Jurisdiction.ON, NumberType.ONTARIO_CORPORATION),
        ("Business Identification Number", Jurisdiction.ON, NumberType.ONTARIO_FIRM),
        ("Business Number (BN)", Jurisdiction.ON, NumberType.BUSINESS_NUMBER),
        ("NEQ", Jurisdiction.AB, NumberType.NEQ),
        ("Registration Number", Jurisdiction.PE, NumberType.PRINCE_EDWARD_ISLAND),
        ("Registration Number", None, None),
        ("Some Other Number", Jurisdiction.FED, None),
    ],
)
def test_a_label_says_what_stands_under_it(label: str, jurisdiction: Jurisdiction | None, kind: NumberType | None) -> None:
    assert parse_published_type(label, jurisdiction) is kind


@pytest.mark.parametrize("jurisdiction", Jurisdiction)
def test_each_register_has_a_form_and_its_own_label_is_of_it(jurisdiction: Jurisdiction) -> None:
    assert list_number_types(jurisdiction)
    source = discover_sources().get(jurisdiction.lower())
    if source is not None:
        kind = parse_published_type(str(source.metadata.number_label), jurisdiction)
        assert kind in list_number_types(jurisdiction)


@pytest.mark.parametrize("printed", SPELLINGS)
def test_a_sound_number_is_not_doubted_in_any_spelling(printed: str) -> None:
    # Nine digits that pass no check are Saskatchewan's at best, which is worth a word.
    nine = len(printed) == 9 and printed.isdecimal()
    assert [text for text in SPELLINGS[printed] if find_number_problem(text, (Jurisdiction.SK,) if nine else ()) is not None] == []


FEDERAL, QUEBEC, ONTARIO = (Jurisdiction.FED,), (Jurisdiction.QC,), (Jurisdiction.ON,)


@pytest.mark.parametrize(
    ("text", "jurisdictions", "sentence"),
    [
        (
            "426160-8",
            FEDERAL,
            "4261608 has an unusual check digit (federal corporation number). The rule is unofficial",
        ),
        ("FED 426160-8", (), "4261608 has an unusual check digit (federal corporation number)"),
        ("BN 123456789", (), "123456789 has an invalid check digit (business number). A digit may be wrong."),
        ("123456789 RT0001", (), "has an invalid check digit (business number)"),
        ("123456789", (), "It may still be a number of another type: Saskatchewan entity number."),
        ("832815865-141006", (), "832815865 has an invalid check digit (business number)"),
        ("BIN 100062992", (), "check digit (Ontario Business Identification Number)"),
        ("1260000017", QUEBEC, "Quebec enterprise number (NEQ) (10 digits, beginning with 11, 22, 33 or 88)"),
        ("NEQ 116000001", (), "116000001 is not in the expected format"),
        ("12345678", ONTARIO, "Ontario Corporation Number (3 to 7 digits, or 10 beginning with 1000)"),
        ("2012025034", (Jurisdiction.AB,), "unusual check digit (Alberta Corporate Access Number)"),
        ("BC12345678", (), "not in the expected format: British Columbia"),
        ("53056", (Jurisdiction.YT,), "Yukon registry number (6 digits)"),
        ("549300GKFG0RYRRQ1415", (), "check digit (Legal Entity Identifier)"),
        ("12345678901234", (), "not in the format of any Canadian registration number"),
        ("none", (), "not in the format of any Canadian"),
    ],
)
def test_a_number_that_looks_wrong_has_a_sentence(text: str, jurisdictions: tuple[Jurisdiction, ...], sentence: str) -> None:
    doubt = find_number_problem(text, jurisdictions)
    assert doubt is not None
    assert sentence in doubt


@pytest.mark.parametrize(
    ("text", "jurisdictions"),
    [
        ("1000058", ()),  # fails the federal check, and can be a number of six other registers
        ("123456789", (Jurisdiction.SK,)),
        ("123456782", FEDERAL),  # a business number is possible everywhere
        ("549300GKFG0RYRRQ1414", FEDERAL),
        ("1160000017", (*ONTARIO, *QUEBEC)),
        ("002123456", ONTARIO),
    ],
)
def test_a_number_that_can_be_right_is_not_doubted(text: str, jurisdictions: tuple[Jurisdiction, ...]) -> None:
    assert find_number_problem(text, jurisdictions) is None


def test_a_number_is_judged_as_the_kind_that_the_register_publishes() -> None:
    assert find_type_problem("426160-7", NumberType.FEDERAL_CORPORATION) is None
    assert "4261608" in (find_type_problem("426160-8", NumberType.FEDERAL_CORPORATION) or "")


def test_every_form_has_a_title_and_an_example_free_shape() -> None:
    assert all(form.title and form.form and not form.fits("?") for form in NUMBER_FORMATS.values())


@given(st.text(max_size=40))
def test_any_text_is_judged_without_failing(text: str) -> None:
    doubt = find_number_problem(text)
    assert doubt is None or doubt.endswith(".")
    assert detect_number_types(text) <= set(NumberType)


@pytest.mark.realdata
def test_genuine_numbers_are_not_doubted(shared_data: Path) -> None:
    folder = shared_data / "registries/IDENTIFIERS"
    for name, column, jurisdiction in (
        ("federal_corporation_numbers_44.csv", "corporation_number", Jurisdiction.FED),
        ("quebec_neq_named.csv", "neq", Jurisdiction.QC),
        ("business_numbers_37.csv", "bn9", Jurisdiction.FED),
    ):
        with (folder / name).open(encoding="utf-8-sig", newline="") as text:
            numbers = [row[column] for row in csv.DictReader(text)]
        assert numbers
        assert [number for number in numbers if find_number_problem(number, (jurisdiction,)) is not None] == []
