"""The promised businesses are in the files of their register and of the lists that name them, in the smallest world."""

from collections.abc import Callable
from pathlib import Path

import pytest
import xlrd
from lxml import etree

from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES

Rows = Callable[[str], list[dict[str, str]]]

PROMISED = {
    ("Sandbox Bakery Inc.", "ON", "1000017"),
    ("Sandbox Boulangerie Ltée", "QC", "1160000017"),
    ("Sandbox Twin Holdings Inc.", "ON", "1000025"),
    ("Sandbox Twin Holdings Inc.", "AB", "2010000025"),
    ("Sandbox Slow Registry Inc.", "BC", "BC1000033"),
    ("Sandbox Failing Registry Inc.", "AB", "2010000041"),
    ("Sandbox Timeout Ltd.", "ON", "1000090"),
    ("Sandbox Outage Ltd.", "AB", "2010000108"),
    ("Sandbox Dissolved Corp.", "FED", "1000058"),
    ("Sandbox Money Services Inc.", "FED", "1000066"),
    ("Sandbox Cannabis Co.", "ON", "1000074"),
    ("Sandbox Sanctioned Trading Ltd.", "FED", "1000082"),
}


def test_exactly_the_promised_businesses_are_fixed() -> None:
    assert {(f.business.name, f.business.register.value, f.business.number) for f in KNOWN_BUSINESSES} == PROMISED


@pytest.mark.parametrize(("name", "register", "number"), [row for row in sorted(PROMISED) if row[1] in {"AB", "BC"}])
def test_those_of_a_canonical_register_stand_in_its_file(rows: Rows, name: str, register: str, number: str) -> None:
    [row] = [row for row in rows(f"{register.lower()}/register.csv") if row["registration_number"] == number]

    assert row["legal_name"] == name
    assert row["good_standing"] == "yes"


def test_the_bakery_is_whole(ontario_corporations: list[dict[str, object]]) -> None:
    [bakery] = [record for record in ontario_corporations if record["registration_number"] == "1000017"]

    assert bakery["legal_name"] == "Sandbox Bakery Inc."
    assert (bakery["status"], bakery["status_code"], bakery["good_standing"]) == ("Active", "active", True)
    assert bakery["former_names"] == [{"name": "Sandbox Oven Ltd.", "effective_date": "2001-04-17", "end_date": "2009-06-30"}]
    assert bakery["people"] == [
        {"name": "Margaret Okafor-Lindqvist", "roles": ["Director", "President"]},
        {"name": "Luc Beauvallon", "roles": ["Director"]},
    ]
    assert (bakery["unit"], bakery["street"], bakery["city"], bakery["postal_code"]) == (
        "200",
        "100 King Street West",
        "Toronto",
        "M5X 1A9",
    )
    assert next(f.website for f in KNOWN_BUSINESSES if f.business.number == "1000017") == "https://bakery.sandbox.example"


def test_the_boulangerie_has_an_english_name_and_no_people(quebec: Rows) -> None:
    [row] = [row for row in quebec("Nom.csv") if row["NEQ"] == "1160000017"]
    [enterprise] = [row for row in quebec("Entreprise.csv") if row["NEQ"] == "1160000017"]

    assert (row["NOM_ASSUJ"], row["NOM_ASSUJ_LANG_ETRNG"]) == ("Sandbox Boulangerie Ltée", "Sandbox Bakehouse Ltd.")
    assert (enterprise["COD_STAT_IMMAT"], enterprise["COD_FORME_JURI"]) == ("IM", "CIE")
    assert enterprise["ADR_DOMCL_LIGN2_ADR"] == "Montréal (Québec)"
    assert not any(
        "Tailleplume" in str(row) for name in ("Entreprise.csv", "Nom.csv", "Etablissements.csv") for row in quebec(name)
    )


def test_the_federal_ones_stand_in_the_file_of_their_state(rows: Rows) -> None:
    active = {row["Corporation number"]: row for row in rows("fed/corporations-active-cbca-en.csv")}
    inactive = {row["Corporation number"]: row for row in rows("fed/corporations-inactive-or-dissolved-cbca-en.csv")}

    assert active["1000066"]["Corporate name - form 1"] == "Sandbox Money Services Inc."
    assert active["1000082"]["Corporate name - form 1"] == "Sandbox Sanctioned Trading Ltd."
    assert inactive["1000058"]["Corporate name - form 1"] == "Sandbox Dissolved Corp."
    assert inactive["1000058"]["Status"] == "Dissolved"


def test_the_cannabis_company_is_an_open_store_too(rows: Rows, ontario_corporations: list[dict[str, object]]) -> None:
    [store] = [
        row for row in rows("agcoCannabis/AGCOWebSiteCRSANewProcessMapData.csv") if row["PremisesName"] == "Sandbox Cannabis Co."
    ]

    assert (store["ApplicationStatusEn"], store["LicenceStatus"]) == ("Authorized to Open", "Active")
    assert store["WebsiteEn"] == "https://cannabis.sandbox.example"
    assert [r["legal_name"] for r in ontario_corporations if r["registration_number"] == "1000074"] == ["Sandbox Cannabis Co."]


def test_the_troubled_registers_businesses_stand_in_a_list_that_answers(rows: Rows, world: Path) -> None:
    providers = {row["ENGLISH_NAME"] for row in rows("mohServiceProviders/service_provider_locations.csv")}
    sheet = xlrd.open_workbook(world / "aglcCannabis/CannabisLicenseeReport.xls").sheet_by_index(0)

    assert "Sandbox Timeout Ltd." in providers
    assert "Sandbox Outage Ltd." in sheet.col_values(2)


def test_the_sanctioned_company_is_listed_with_variants(world: Path) -> None:
    records = etree.parse(world / "ca-sanctions-autonomous/sema-lmes.xml").findall("record")
    [record] = [r for r in records if r.findtext("EntityOrShip-EntiteOuNavire") == "Sandbox Sanctioned Trading Ltd."]

    assert record.findtext("Aliases-Alias") == "Sandbox Sanctionned Trade Limited; SST Handels Sandbox"


def test_there_is_no_other_sandbox_in_any_file(world: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in world.rglob("*") if path.suffix in {".csv", ".jsonl"}]
    found = [line for text in texts for line in text.casefold().splitlines() if "sandbox" in line]

    # A register's row for each (Quebec's is in an archive), and the rows of lists that are text.
    names = [fixed.business.name.casefold().removesuffix(".") for fixed in KNOWN_BUSINESSES]
    assert len(found) >= len(KNOWN_BUSINESSES)
    assert all(any(name in line for name in names) for line in found)
