"""Each file has exactly its publisher's header, encoding and words."""

import csv
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import xlrd
from lxml import etree

from bonafide_sandbox.generator.businesses import MIN_SIZE, create_businesses
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.writers.framework.holder_selection import is_numbered_company
from bonafide_sandbox.writers.registries.yt import YukonWriter
from bonafide_sandbox.writers.regulators.agco_cannabis import CannabisStoresWriter

Rows = Callable[[str], list[dict[str, str]]]

FEDERAL = (
    "Corporation number,Business number (BN),Corporate name - form 1,Corporate name - form 2,Governing legislation,Status,"
    "Status Detail,Anniversary date,Year of last annual filing,Date of last annual meeting,Street,Street 2,City/town,"
    "Province/territory,Country,Postal code,Minimum number of directors,Maximum number of directors"
)
CANONICAL = (
    "registration_number,legal_name,alternate_names,former_names,business_number,entity_type,status,status_code,incorporation_date,"
    "good_standing,street,unit,city,province,postal_code,country,people"
)
HEADERS = {
    "yt/corporate_entities.csv": "number,name,former_name,kind,jurisdiction,status",
    "fed/corporations-active-cbca-en.csv": FEDERAL,
    "fed/corporations-active-non-cbca-en.csv": FEDERAL,
    "fed/corporations-inactive-or-dissolved-cbca-en.csv": FEDERAL,
    "fed/corporations-inactive-or-dissolved-non-cbca-en.csv": FEDERAL,
    "on/business_names.csv": (
        "Company Number,Registration Date,Company Name Line 1,Company Name Line 2,Company Name Line 3,Company Name Line 4,"
        "Name Effective Date,Company Status,Status Effective Date,Type of Business,Registering Jurisdiction,"
        "Extra-Provincial Flag,Home Jurisdiction,Address Type,Suite Number,Street Number,Street Name,Additional Info,"
        "Municipality,Province,Country,Postal code"
    ),
    **{f"{code}/register.csv": CANONICAL for code in ("ab", "bc", "mb", "nb", "nl", "ns", "nt", "nu", "pe", "sk")},
    "agcoCannabis/AGCOWebSiteCRSANewProcessMapData.csv": (
        "RowNum,LicenceNumber,FileNumber,ObjectDefDescription,ObjectDefDescriptionFr,PremisesName,StreetAddress,StreetAddress2,City,"
        "Municipality,Province,PostalCode,Country,Latitude,Longitude,ApplicationType,ApplicationTypeFr,ApplicationStatusEn,"
        "ApplicationStatusFr,LicenceStatus,LicenceStatusFr,LicenceTypeEn,LicenceTypeFr,IssueDate,ExpiryDate,PublicNoticeStartDate,"
        "PublicNoticeEndDate,WebsiteEn,WebsiteFr,LastUpdated"
    ),
    "mohServiceProviders/service_provider_locations.csv": (
        "X,Y,OGF_ID,MOH_SERVICE_PROVIDER_IDENT,SERVICE_TYPE,SERVICE_TYPE_DETAIL,ENGLISH_NAME,FRENCH_NAME,ENGLISH_NAME_ALT,"
        "FRENCH_NAME_ALT,ADDRESS_LINE_1,ADDRESS_LINE_2,ADDRESS_DESCRIPTOR,COMMUNITY,POSTAL_CODE,GEOMETRY_UPDATE_DATETIME,"
        "EFFECTIVE_DATETIME,SYSTEM_DATETIME,OBJECTID"
    ),
}
QUEBEC = {
    "Entreprise.csv": (
        "NEQ,IND_FAIL,DAT_IMMAT,COD_REGIM_JURI,COD_INTVAL_EMPLO_QUE,DAT_CESS_PREVU,COD_STAT_IMMAT,COD_FORME_JURI,DAT_STAT_IMMAT,"
        "COD_REGIM_JURI_CONSTI,DAT_DEPO_DECLR,AN_DECL,AN_PROD,DAT_LIMIT_PROD,AN_PROD_PRE,DAT_LIMIT_PROD_PRE,DAT_MAJ_INDEX_NOM,"
        "COD_ACT_ECON_CAE,NO_ACT_ECON_ASSUJ,DESC_ACT_ECON_ASSUJ,COD_ACT_ECON_CAE2,NO_ACT_ECON_ASSUJ2,DESC_ACT_ECON_ASSUJ2,"
        "NOM_LOCLT_CONSTI,DAT_CONSTI,IND_CONVEN_UNMN_ACTNR,IND_RET_TOUT_POUVR,IND_LIMIT_RESP,DAT_DEB_RESP,DAT_FIN_RESP,OBJET_SOC,"
        "NO_MTR_VOLONT,ADR_DOMCL_ADR_DISP,ADR_DOMCL_LIGN1_ADR,ADR_DOMCL_LIGN2_ADR,ADR_DOMCL_LIGN3_ADR,ADR_DOMCL_LIGN4_ADR"
    ),
    "Nom.csv": "NEQ,NOM_ASSUJ,NOM_ASSUJ_LANG_ETRNG,STAT_NOM,TYP_NOM_ASSUJ,DAT_INIT_NOM_ASSUJ,DAT_FIN_NOM_ASSUJ",
    "Etablissements.csv": (
        "NEQ,NO_SUF_ETAB,IND_ETAB_PRINC,IND_SALON_BRONZ,IND_VENTE_TABAC_DETL,IND_DISP,LIGN1_ADR,LIGN2_ADR,LIGN3_ADR,LIGN4_ADR,"
        "COD_ACT_ECON,DESC_ACT_ECON_ETAB,NO_ACT_ECON_ETAB,COD_ACT_ECON2,DESC_ACT_ECON_ETAB2,NO_ACT_ECON_ETAB2,NOM_ETAB"
    ),
    "FusionScissions.csv": (
        "NEQ,NEQ_ASSUJ_REL,DENOMN_SOC,COD_RELA_ASSUJ,DAT_EFCTVT,IND_DISP,LIGN1_ADR,LIGN2_ADR,LIGN3_ADR,LIGN4_ADR"
    ),
    "ContinuationsTransformations.csv": "NEQ,COD_TYP_CHANG,COD_REGIM_JURI,AUTR_REGIM_JURI,NOM_LOCLT,DAT_EFCTVT",
    "DomaineValeur.csv": "TYP_DOM_VAL,COD_DOM_VAL,VAL_DOM_FRAN",
}
BOM = b"\xef\xbb\xbf"
MARKED = {"fed", "agcoCannabis", "mohServiceProviders"}
"""Whose files begin with a byte order mark."""


@pytest.mark.parametrize("path", HEADERS)
def test_a_csv_file_has_its_publishers_header_and_mark(world: Path, path: str) -> None:
    content = (world / path).read_bytes()

    assert content.startswith(b"\xef\xbb\xbf") == (path.partition("/")[0] in MARKED)
    assert content.decode("utf-8-sig").splitlines()[0] == HEADERS[path]


@pytest.mark.parametrize("path", HEADERS)
def test_every_row_has_a_cell_for_every_column(world: Path, path: str) -> None:
    with (world / path).open(encoding="utf-8-sig", newline="") as file:
        header, *found = csv.reader(file)

    assert found
    assert {len(row) for row in found} == {len(header)}


def test_no_register_has_another_csv_file(world: Path) -> None:
    registers = {path.parent.name for path in map(Path, HEADERS)} - {"agcoCannabis", "mohServiceProviders"}
    found = {path.relative_to(world).as_posix() for path in world.rglob("*.csv") if path.parent.name in registers}
    assert found == {path for path in HEADERS if Path(path).parent.name in registers}


ISSUED = {"ab", "mb", "sk"}
"""Registers that print some of their businesses in issues, by name at times: `test_sources_read_the_world` looks for these."""


def test_every_business_is_in_the_files_of_its_register_once(
    rows: Rows, quebec: Rows, ontario_corporations: list[dict[str, object]]
) -> None:
    number_columns = {"fed": "Corporation number", "yt": "number", "on": "Company Number"}
    written = Counter(("on", str(record["registration_number"])) for record in ontario_corporations)
    written.update(("qc", row["NEQ"]) for row in quebec("Entreprise.csv"))
    for path in HEADERS:
        source = path.partition("/")[0]
        if len(source) <= 3 and source not in ISSUED:
            column = number_columns.get(source, "registration_number")
            written.update((source, row[column]) for row in rows(path) if row.get("status") != "Changed Name")

    made = (*create_businesses(1867, 0, MIN_SIZE), *(fixed.business for fixed in KNOWN_BUSINESSES))
    assert set(written.values()) == {1}
    assert set(written) == {(b.register.lower(), b.number) for b in made if b.register.lower() not in ISSUED}


def test_federal_rows_stand_where_their_state_and_act_belong(rows: Rows) -> None:
    for state in ("active", "inactive-or-dissolved"):
        for act in ("cbca", "non-cbca"):
            found = rows(f"fed/corporations-{state}-{act}-en.csv")
            assert found
            assert all((row["Status"] == "Active") == (state == "active") for row in found)
            assert all((row["Governing legislation"] == "Canada Business Corporations Act") == (act == "cbca") for row in found)


def test_a_federal_second_name_is_the_other_languages_form() -> None:
    federal = [business for business in create_businesses(1867, 0, 5_000) if business.register == "FED"]

    assert max(len(business.other_names) for business in federal) == 1
    assert sum(len(business.other_names) for business in federal) / len(federal) == pytest.approx(0.04, abs=0.02)


def test_ontarios_firms_are_padded_as_the_extract_is(world: Path) -> None:
    with (world / "on/business_names.csv").open(encoding="utf-8", newline="") as file:
        _, *found = csv.reader(file)

    widths = [9, 8, 42, 42, 42, 42, 8, 1, 8, 2, 2, 1, 40, 30]
    assert all([len(cell) for cell in row[:14]] == widths for row in found)
    assert all((len(row[14]), len(row[17]), len(row[18]), len(row[21])) == (10, 42, 30, 10) for row in found)
    assert {row[7] for row in found} == {"0", "I"}
    assert {row[9] for row in found} >= {"SP", "GP", "LP"}
    assert all(row[2] == row[2].upper() for row in found)


@pytest.mark.slow
def test_yukon_keeps_a_record_of_names_that_were_given_up(tmp_path: Path) -> None:
    writer = YukonWriter(tmp_path)
    for business in create_businesses(1867, 0, 40_000):
        if business.register == "YT":
            writer.take(business)
    writer.close()
    with (tmp_path / "yt/corporate_entities.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))

    given_up = [row for row in found if row["status"] == "Changed Name"]
    former = {row["former_name"] for row in found} - {""}
    assert given_up
    assert {row["name"].replace("&", "&amp;") for row in given_up} <= former
    assert len({row["number"] for row in found}) == len(found)
    live = {row["status"] for row in found if row["kind"] == "Corporation"}
    assert {"In Compliance", "In Default", "Dissolved by Registrar"} <= live
    assert {row["status"] for row in found if row["kind"] == "Business Name"} <= {
        "Active",
        "Expired",
        "Ceased/Dissolved",
        "Changed Name",
    }


def test_canonical_people_and_names_are_separated_by_semicolons(rows: Rows) -> None:
    found = rows("bc/register.csv")

    assert any(row["people"].count("; ") > 0 for row in found)
    assert all(part.endswith("]") and "[" in part for row in found if row["people"] for part in row["people"].split("; "))
    assert any(row["former_names"].endswith(")") for row in found)


def test_albertas_licensees_are_a_legacy_workbook(world: Path) -> None:
    path = world / "aglcCannabis/CannabisLicenseeReport.xls"
    sheet = xlrd.open_workbook(path).sheet_by_name("CannabisLicenseeList_EXCEL")

    assert path.read_bytes().startswith(bytes.fromhex("D0CF11E0A1B11AE1"))
    assert sheet.row_values(0) == [
        "Authorization Number",
        "Site City Name",
        "Establishment Name",
        "Manager Name",
        "Initial Effective Date",
        "Site Address Line 1",
        "Site Address Line 2",
        "Site Province Abbrev",
        "Site Postal Code",
        "Telephone Number",
        "Online Sales",
    ]
    assert all(sheet.cell_type(row, 0) == xlrd.XL_CELL_NUMBER for row in range(1, sheet.nrows))
    assert set(sheet.col_values(10, 1)) <= {"Yes", "No "}


def test_the_sanctions_list_has_the_bilingual_tags_and_keys_of_its_own(world: Path) -> None:
    root = etree.parse(world / "ca-sanctions-autonomous/sema-lmes.xml").getroot()

    assert root.tag == "data-set"
    assert len(root) == 1_201
    assert {child.tag for record in root for child in record} == {
        "Country-Pays",
        "LastName-NomDeFamille",
        "GivenName-Prenom",
        "EntityOrShip-EntiteOuNavire",
        "TitleOrShipType-TitreOuTypeDeNavire",
        "ShipIMONumber-NumeroOMIDuNavire",
        "Aliases-Alias",
        "DateOfBirthOrShipBuildDate-DateDeNaissanceOuDateDeConstructionDuNavire",
        "Schedule-Annexe",
        "Item-NumeroDarticle",
        "DateOfListing-DateDinscription",
    }
    keys = Counter(tuple(r.findtext(tag) for tag in ("Country-Pays", "Schedule-Annexe", "Item-NumeroDarticle")) for r in root)
    assert set(keys.values()) == {1}


def test_the_sanctions_list_lists_people_organisations_and_ships(world: Path) -> None:
    records = etree.parse(world / "ca-sanctions-autonomous/sema-lmes.xml").findall("record")

    ships = [
        r.findtext("ShipIMONumber-NumeroOMIDuNavire") for r in records if r.find("ShipIMONumber-NumeroOMIDuNavire") is not None
    ]
    people = [r for r in records if r.find("LastName-NomDeFamille") is not None]
    assert len(people) > 600
    assert len(ships) > 100
    assert len(set(ships)) == len(ships)
    for imo in ships:
        assert imo is not None
        assert sum(int(digit) * weight for digit, weight in zip(imo, range(7, 1, -1), strict=False)) % 10 == int(imo[-1])
    assert any("; " in (r.findtext("Aliases-Alias") or "") for r in people)


def test_the_shops_of_registered_companies_bear_their_names(rows: Rows, ontario_corporations: list[dict[str, object]]) -> None:
    registered = {str(record["legal_name"]) for record in ontario_corporations}
    providers = rows("mohServiceProviders/service_provider_locations.csv")
    stores = rows("agcoCannabis/AGCOWebSiteCRSANewProcessMapData.csv")

    named_after = [row for row in providers if any(name.startswith(row["ENGLISH_NAME"]) for name in registered)]
    of_company = [row for row in providers if row["ENGLISH_NAME_ALT"] in registered]
    assert len(named_after) > 3
    assert of_company
    assert any(any(name.startswith(row["PremisesName"]) for name in registered) for row in stores)
    # Some holders are in no register.
    assert len(named_after) + len(of_company) < len(providers)


@pytest.mark.slow
def test_a_store_list_has_all_states_of_an_application(tmp_path: Path) -> None:
    writer = CannabisStoresWriter(tmp_path, 1867)
    for business in create_businesses(1867, 0, 60_000):
        if business.register == "ON":
            writer.take(business)
    writer.close()
    with (tmp_path / "agcoCannabis/AGCOWebSiteCRSANewProcessMapData.csv").open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))

    states = Counter(row["ApplicationStatusEn"].partition(":")[0] for row in found)
    assert set(states) == {"Authorized to Open", "Cancelled", "In Progress", "Public Notice", "Public Notice Period"}
    assert states["Authorized to Open"] / len(found) == pytest.approx(0.74, abs=0.05)
    numbers = Counter(row["LicenceNumber"] for row in found)
    assert 0 < numbers.pop("") < len(found) * 0.08
    assert set(numbers.values()) == {1, 2}
    assert [int(row["RowNum"]) for row in found] == list(range(1, len(found) + 1))


def test_a_company_that_is_called_by_its_number_has_no_shop_of_that_name() -> None:
    numbered = [business for business in create_businesses(1867, 0, 1_000) if is_numbered_company(business)]

    assert len(numbered) > 100
    assert all(business.name[0].isdigit() for business in numbered)


def test_quebecs_archive_has_the_six_files_in_their_layouts(world: Path) -> None:
    with zipfile.ZipFile(world / "qc/JeuxDonnees.zip") as archive:
        heads = {name: archive.read(name).split(b"\r\n")[0] for name in archive.namelist()}

    assert {name: head.removeprefix(BOM).decode() for name, head in heads.items()} == QUEBEC
    assert all(head.startswith(BOM) for head in heads.values())


def test_quebecs_files_are_in_the_order_of_the_number(quebec: Rows) -> None:
    for name in QUEBEC:
        if name != "DomaineValeur.csv":
            numbers = [row["NEQ"] for row in quebec(name)]
            assert numbers
            assert numbers == sorted(numbers), name


def test_an_individual_has_a_trade_name_only_and_sometimes_no_public_address(quebec: Rows) -> None:
    individuals = {row["NEQ"]: row for row in quebec("Entreprise.csv") if row["COD_FORME_JURI"] == "IND"}
    hidden = {number for number, row in individuals.items() if row["ADR_DOMCL_ADR_DISP"] == "N"}

    assert {row["TYP_NOM_ASSUJ"] for row in quebec("Nom.csv") if row["NEQ"] in individuals} == {"A"}
    assert 0 < len(hidden) < len(individuals)
    assert all(individuals[number]["ADR_DOMCL_LIGN1_ADR"] == "" for number in hidden)
    assert not any(row["NEQ"] in hidden for row in quebec("Etablissements.csv"))


def test_a_name_of_an_enterprise_that_was_struck_off_is_a_former_one(quebec: Rows) -> None:
    struck = {row["NEQ"] for row in quebec("Entreprise.csv") if row["COD_STAT_IMMAT"] != "IM"}

    assert {row["STAT_NOM"] for row in quebec("Nom.csv") if row["NEQ"] in struck} == {"A"}
    assert all(row["DAT_FIN_NOM_ASSUJ"] >= row["DAT_INIT_NOM_ASSUJ"] for row in quebec("Nom.csv") if row["NEQ"] in struck)


def test_what_a_merger_absorbed_is_struck_off_and_what_it_made_is_not(quebec: Rows) -> None:
    states = {row["NEQ"]: row["COD_STAT_IMMAT"] for row in quebec("Entreprise.csv")}
    mergers = quebec("FusionScissions.csv")

    assert mergers
    assert {states[row["NEQ"]] for row in mergers} == {"IM"}
    assert {states[row["NEQ_ASSUJ_REL"]] for row in mergers} == {"RO"}
