"""The kind of a business from the words of fourteen registers."""

import csv
import json
from pathlib import Path

import pytest

from bonafide.matching.entries.register_codes import parse_entity_type_code
from bonafide.model.entity import EntityTypeCode
from bonafide_sandbox.generator.registers import REGISTERS

E = EntityTypeCode


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Canada Business Corporations Act", E.CORPORATION),
        ("Canada Not-for-profit Corporations Act", E.NONPROFIT),
        ("Canada Cooperatives Act", E.COOPERATIVE),
        ("Boards of Trade Act - Part II", E.NONPROFIT),
        ("Special Act of Parliament", E.STATUTORY),
        ("Société par actions", E.CORPORATION),
        ("SOCIÉTÉ EN NOM COLLECTIF", E.PARTNERSHIP),
        ("N.S. Limited Company", E.CORPORATION),
        ("Other Prov/Territory Corps", E.CORPORATION),
        ("Extra-Territorial Corporation", E.CORPORATION),
        ("Extra-Territorial Limited Partnership", E.LIMITED_PARTNERSHIP),
        ("Extra-Territorial Society", E.NONPROFIT),
        ("Extra-provincial limited liability company", E.LIMITED_LIABILITY_COMPANY),
        ("extra_provincial", E.CORPORATION),
        ("unlimited_liability_corp", E.CORPORATION),
        ("Extrapro Limited Liability Partnership", E.LIMITED_LIABILITY_PARTNERSHIP),
        ("Business Name", E.BUSINESS_NAME),
        ("Trade Name", E.BUSINESS_NAME),
        ("Type K", None),
        ("Autre", None),
        ("", None),
        (None, None),
    ],
)
def test_the_words_of_registers_have_common_codes(words: str | None, code: EntityTypeCode | None) -> None:
    assert parse_entity_type_code(words) is code


@pytest.mark.parametrize("register", REGISTERS, ids=lambda register: register.jurisdiction)
def test_every_kind_of_the_made_up_registers_is_known(register: object) -> None:
    types = getattr(register, "types", {})
    assert [words for words in types.values() if parse_entity_type_code(words) is None] == []


@pytest.mark.realdata
def test_every_kind_in_the_real_samples_is_known(shared_data: Path) -> None:
    folder = shared_data / "registries"
    with (folder / "YT/corporate_entities_2023-01.csv").open(encoding="utf-8-sig", newline="") as text:
        kinds = {row["kind"] for row in csv.DictReader(text)}
    with (folder / "PE/codes.csv").open(encoding="utf-8-sig", newline="") as text:
        kinds |= {row["value"] for row in csv.DictReader(text) if row["kind"] == "company_type"}
    labels = json.loads((folder / "BC/orgbook_entity_type_labels.json").read_text(encoding="utf-8"))
    unknown = {words for words in kinds | set(labels.values()) if parse_entity_type_code(words) is None}
    # Old company acts by their year, and labels that name no kind.
    assert {words for words in unknown if not words.startswith(("CO 18", "ULC CO 18"))} == {
        "Financial Institution",
        "Other",
        "X Reference",
        "Verified Person",
    }
