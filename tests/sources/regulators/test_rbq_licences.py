"""Licences to build in Quebec: many rows a licence, in CSV and JSON; the enterprise number; what is not kept of people."""

import csv
import io
import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ParseFailed, SourceError, SourceNotFound
from bonafide.model.entity import Address
from bonafide.model.entry import JoinNumber
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.discovery import get_source
from bonafide_sandbox.publisher_faults import ChallengePageFault, FixedResponseFault, GarbageFault, PublisherFault, StatusFault
from bonafide_sandbox.writers.regulators.rbq import MEMBER, URL
from tests.support.sources.regulator_files import Loaded, assert_golden, load
from tests.support.sources.served_publisher import fetched, parsed

KEY = "rbqLicences"
SAVED = Path(__file__).parent / KEY / "licences.csv"
JSON = SAVED.with_suffix(".response")


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(KEY, SAVED)


def packed(folder: Path, content: bytes, *names: str) -> Path:
    path = folder / "rdl01_extractiondonneesouvertes.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, content)
    return path


def test_the_file_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, SAVED.with_name("licences.golden.json"))


def test_a_licence_is_one_entry_wherever_its_rows_stand(loaded: Loaded) -> None:
    entry = loaded.named("Construction Exemple inc.")
    assert (entry.entry_id, entry.registration_number) == ("5100-0007-08", "5100-0007-08")
    assert entry.alternate_names == ("Réno Exemple", "Exemple Renovations")
    assert entry.details["subcategories"] == ["Generale 1.2", "Specialisee 9", "GPC"]
    assert loaded.report.merged == 5


def test_the_enterprise_number_leads_to_the_register(loaded: Loaded) -> None:
    number = JoinNumber(label="NEQ", value="1160000017", jurisdiction=Jurisdiction.QC)
    assert loaded.named("Construction Exemple inc.").join_numbers == (number,)
    assert number.label == get_source("qc").metadata.number_label
    short = loaded.named("Sans adresse inc.")
    assert (short.join_numbers, short.details["neq"]) == ((), "117000003")


def test_an_address_is_taken_apart_as_far_as_it_leaves_no_doubt(loaded: Loaded) -> None:
    places = {entry.legal_name: entry.addresses for entry in loaded.entries}
    raw = "217 BOULEVARD INVENTÉ SAINT-JÉRÔME QC CANADA J5L 0A1"
    assert places["Construction Exemple inc."] == (
        Address(street="217 BOULEVARD INVENTÉ", city="Saint-Jérôme", province="QC", postal_code="J5L 0A1", country="CA", raw=raw),
    )
    [without_code] = places["Jeanne Inventée"]
    assert (without_code.street, without_code.postal_code) == ("12 RUE SANS CODE", None)
    [elsewhere] = places["Ottawa Builders Ltd."]
    assert (elsewhere.province, elsewhere.postal_code) == ("ON", "K1A 0B1")
    assert places["Luc Fictif"] == (Address(city="Ottawa", raw="QUELQUE PART AILLEURS"),)
    assert places["Sans adresse inc."] == (Address(city="Laval"),)


def test_of_people_neither_telephone_nor_mail_is_kept(loaded: Loaded) -> None:
    for name in ("Jeanne Inventée", "Luc Fictif"):
        entry = loaded.named(name)
        assert entry.details["soleProprietor"] is True
        assert not {"email", "phone"} & set(entry.details)
    text = "".join(entry.model_dump_json() for entry in loaded.entries)
    assert not any(kept in text for kept in ("jeanne@", "luc@", "4185550102", "4185550103"))
    company = loaded.named("Construction Exemple inc.")
    assert (company.details["email"], company.details["phone"]) == ("info@exemple.example", "4505550100")
    assert "soleProprietor" not in company.details


def test_a_person_is_told_by_the_enterprise_number_too(tmp_path: Path) -> None:
    path = tmp_path / "licences.csv"
    path.write_text(SAVED.read_text(encoding="utf-8").replace("Personne physique", ""), encoding="utf-8")
    assert load(KEY, path).named("Jeanne Inventée").details["soleProprietor"] is True


def test_a_restriction_has_its_days_and_an_unknown_word_is_counted(loaded: Loaded) -> None:
    details = loaded.named("Jeanne Inventée").details
    assert (details["restriction"], details["restrictionStartDate"], details["restrictionEndDate"]) == (
        True,
        "2026-01-01",
        "2026-12-31",
    )
    assert "restriction" not in loaded.named("Sans adresse inc.").details
    assert loaded.report.unknown_terms == {"term: Peut-être": 1}


def test_rows_that_can_not_be_read_are_rejected_with_their_line(loaded: Loaded) -> None:
    assert [(rejection.line, rejection.reason) for rejection in loaded.report.rejections] == [
        (13, "Numéro de licence is not in the expected format"),
        (14, "Date de délivrance is not a date"),
        (15, "Nom de l'intervenant is empty"),
    ]


def test_a_licence_leads_to_its_page(loaded: Loaded) -> None:
    [entry] = [entry for entry in loaded.entries if entry.entry_id == "5100-0014-02"]
    assert entry.source_url == "https://www.pes.rbq.gouv.qc.ca/RegistreLicences/FicheDetenteur/5100001402"


def test_json_says_the_same(loaded: Loaded, tmp_path: Path) -> None:
    as_json = load(KEY, JSON)
    assert as_json.entries == loaded.entries
    assert (as_json.report.merged, as_json.report.reasons) == (0, loaded.report.reasons)
    assert load(KEY, packed(tmp_path, JSON.read_bytes(), "rdl01.json")).entries == loaded.entries


def test_an_other_name_may_stand_as_text_and_a_key_may_be_left_out_of_one_licence(loaded: Loaded, tmp_path: Path) -> None:
    document = json.loads(JSON.read_text(encoding="utf-8"))
    document["Liste Licence"][2]["Licence"]["Autre nom"] = "Plomberie Jeanne"
    del document["Liste Licence"][1]["Licence"]["Montant de la caution"]
    path = tmp_path / "licences.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert load(KEY, path).entries == loaded.entries


def test_an_object_of_another_shape_is_rejected(tmp_path: Path) -> None:
    document = json.loads(JSON.read_text(encoding="utf-8"))
    document["Liste Licence"][0]["Licence"]["NEQ"] = ["1160000017"]
    document["Liste Licence"][1] = {"Permis": {}}
    path = tmp_path / "licences.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    report = load(KEY, path).report
    assert [rejection.reason for rejection in report.rejections[:2]] == [
        "unexpected format: TypeError: list instead of text",
        "unexpected format: KeyError: 'Licence'",
    ]


def test_a_key_that_is_new_or_left_out_of_all_refuses_the_file(tmp_path: Path) -> None:
    path = tmp_path / "licences.json"
    path.write_text(JSON.read_text(encoding="utf-8").replace('"NEQ"', '"NEQ 2"'), encoding="utf-8")
    with pytest.raises(ParseFailed, match="missing columns: NEQ; unknown columns: NEQ 2"):
        load(KEY, path)


def test_the_archive_is_read_as_the_file_in_it(loaded: Loaded, tmp_path: Path) -> None:
    assert load(KEY, packed(tmp_path, SAVED.read_bytes(), MEMBER)).entries == loaded.entries


@pytest.mark.parametrize(
    ("names", "content", "told"),
    [
        (("readme.txt",), b"", "contains 0 CSV or JSON files"),
        (("one.csv", "two.csv"), b"", "contains 2 CSV or JSON files"),
        ((MEMBER,), b"", "unknown header"),
        ((MEMBER,), "Numéro de licence".encode("latin-1"), "not utf-8-sig"),
        (("rdl01.json",), b'{"Liste": []}', "the first key is not 'Liste Licence'"),
    ],
    ids=["nothing", "two files", "empty", "another encoding", "another list"],
)
def test_an_archive_with_something_else_is_refused(tmp_path: Path, names: tuple[str, ...], content: bytes, told: str) -> None:
    with pytest.raises(ParseFailed, match=told):
        load(KEY, packed(tmp_path, content, *names))


@pytest.mark.anyio
async def test_the_made_up_licences_are_fetched_and_read_whole(live_world: Path, tmp_path: Path) -> None:
    [resource] = await fetched(KEY, live_world, tmp_path)
    assert resource.url == URL
    entries, report = parsed(KEY, [resource])
    with zipfile.ZipFile(resource.path) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read(MEMBER).decode("utf-8-sig"), newline="")))
    assert (report.rows, report.rejected, dict(report.unknown_terms)) == (len(rows), 0, {})
    numbers = Counter(row["Numéro de licence"] for row in rows)
    assert {entry.entry_id for entry in entries} == set(numbers)
    assert report.merged == len(rows) - len(numbers)
    first = {row["Numéro de licence"]: row for row in reversed(rows)}
    for entry in entries:
        row = first[entry.entry_id]
        assert entry.legal_name == row["Nom de l'intervenant"]
        assert [number.value for number in entry.join_numbers] == [row["NEQ"]] * bool(row["NEQ"])
        assert all(address.street for address in entry.addresses if address.raw)
        assert not (row["Statut juridique"] == "Personne physique" and {"email", "phone"} & set(entry.details))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (StatusFault(410), SourceNotFound),
        (ChallengePageFault(), ParseFailed),
        (GarbageFault(), ParseFailed),
        (FixedResponseFault(b"", "application/zip"), ParseFailed),
    ],
    ids=["moved", "a page for people", "garbage", "empty"],
)
async def test_what_is_wrong_with_the_file_is_told(
    live_world: Path, tmp_path: Path, fault: PublisherFault, error: type[BonafideError]
) -> None:
    with pytest.raises(error):
        parsed(KEY, await fetched(KEY, live_world, tmp_path, {"licences": fault}))


def portal(*urls: str) -> FixedResponseFault:
    listed = [{"name": "Licences actives", "format": "CSV", "url": url} for url in urls]
    return FixedResponseFault(json.dumps({"result": {"resources": listed}}).encode())


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (StatusFault(403), "refused the request"),
        (ChallengePageFault(), "unexpected response"),
        (portal("https://www.donneesquebec.ca/x/dictionnaire.pdf"), "does not list rdl01_extractiondonneesouvertes.zip"),
        (portal(URL.replace("www.donneesquebec.ca", "donneesquebec.example")), "outside the domain donneesquebec.ca"),
    ],
    ids=["refused", "a page for people", "something else", "elsewhere"],
)
async def test_a_portal_that_does_not_lead_to_the_file_is_told(
    live_world: Path, tmp_path: Path, fault: PublisherFault, told: str
) -> None:
    with pytest.raises(SourceError, match=told):
        await fetched(KEY, live_world, tmp_path, {"package": fault})


@pytest.mark.realdata
def test_the_real_licence_is_read_with_every_field(shared_data: Path) -> None:
    loaded = load(KEY, shared_data / "regulatory" / KEY / "rbq_json_one_record_reassembled.json")
    [entry] = loaded.entries
    assert (entry.entry_id, len(entry.join_numbers)) == ("1100-3571-01", 1)
    assert entry.details["subcategories"] == ["Specialisee 16", "GPC", "SEC"]
    [address] = entry.addresses
    assert (address.street, address.postal_code) == ("415 RUE LINDSAY", "J2B 1G8")
    assert (dict(loaded.report.unknown_terms), loaded.report.rejected) == ({}, 0)
