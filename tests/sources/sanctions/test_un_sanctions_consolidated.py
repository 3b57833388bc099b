"""The Security Council's list: its own words for strong and weak, dates of every kind, several names in one alias."""

import gzip
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind
from bonafide.sources.sanctions.un_sanctions_consolidated.record_fields import extract_number, split_alias_names
from tests.support.sources.sanctions_files import Loaded, assert_golden, load

KEY = "un-sanctions-consolidated"
FOLDER = Path(__file__).parent / KEY
KING, COMPANY = "RUDOLF ELPHBERG VON STRELSAU", "STRELSAU SHIPPING COMPANY (SSC)"


@pytest.fixture(scope="module")
def listed() -> Loaded:
    return load(KEY, FOLDER / "list.xml")


def changed(path: Path, old: str, new: str) -> Path:
    path.write_text((FOLDER / "list.xml").read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return path


def test_the_saved_list_gives_the_golden_entries(listed: Loaded) -> None:
    assert_golden(listed, FOLDER / "list.golden.json")


def test_the_list_says_itself_from_when_it_is(listed: Loaded) -> None:
    assert listed.report.as_of == date(2026, 2, 27)


class TestNames:
    def test_strong_and_weak_are_as_the_list_says(self, listed: Loaded) -> None:
        assert listed.named(KING).weak_aliases == ("The Red", "Рыжий")
        assert "Rassendyll" in listed.named(KING).aliases

    def test_an_alias_of_several_names_is_each_of_them(self, listed: Loaded) -> None:
        assert listed.named(KING).aliases[1:3] == ("Rudolph Rassendyll", "Rodolphe Rassendyll")

    def test_the_name_in_its_own_script_is_an_alias(self, listed: Loaded) -> None:
        assert listed.named(KING).aliases[0] == "Рудольф Эльфберг"

    def test_an_empty_alias_is_none(self, listed: Loaded) -> None:
        assert listed.named("MICHEL NOIR ELPHBERG").aliases == ()

    def test_a_name_with_an_abbreviation_is_found_without_it_and_the_abbreviation_is_weak(self, listed: Loaded) -> None:
        company = listed.named(COMPANY)
        assert company.aliases[:2] == ("STRELSAU SHIPPING COMPANY", "COMPAGNIE DE STRELSAU")
        assert company.weak_aliases == ("SSC",)

    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("Anna Example (formerly listed as)", ["Anna Example"]),
            ("ANNA (COMBAT NAME)", ["ANNA"]),
            ("Anna A.; Ana A. b) Anne B.; Ann B.", ["Anna A.", "Ana A.", "Anne B.", "Ann B."]),
            ("Анна (Anna; Ana)", ["Анна", "Anna", "Ana"]),
            ("Anna Example Анна", ["Anna Example", "Анна"]),
            ("Anna Example, born 1 Jan. 1953 (Oman passport no.1, expiry 3 May 2024.)", ["Anna Example"]),
            ("Exemple Movement/Army (EM/A)", ["Exemple Movement/Army (EM/A)"]),
            ("ACADEMY (KPE.018)", ["ACADEMY"]),
            ("“General” Anna", ["“General” Anna"]),
            ("  ", []),
        ],
    )
    def test_what_is_no_name_is_left_out_of_an_alias(self, text: str, names: list[str]) -> None:
        assert list(split_alias_names(text)) == names


class TestFacts:
    def test_dates_of_birth_are_printed_and_comparable(self, listed: Loaded) -> None:
        king = listed.named(KING)
        assert king.date_of_birth == (
            "1958-05-12; approximately 1961; between 1956 and 1957 (Approximately); "
            "1960-02-01 (as Rassendyll (original script: Рассендил))"
        )
        assert king.birth_dates == ("1958-05-12", "1960/1962", "1956/1957", "1960-02-01")

    def test_nationalities_and_addresses_are_countries_and_places_of_birth_are_not(self, listed: Loaded) -> None:
        assert listed.named(KING).countries == ("IR", "Ruritania", "SD", "SS")
        assert listed.named("MICHEL NOIR ELPHBERG").countries == ()

    def test_the_regime_is_a_program_spelt_out(self, listed: Loaded) -> None:
        assert listed.named(KING).programs == ("Democratic Republic of the Congo",)

    def test_a_date_of_listing_has_no_zone(self, listed: Loaded) -> None:
        assert listed.named(KING).listing_date == "2015-03-27"

    def test_a_company_has_the_number_of_a_company_and_not_that_of_its_ship(self, listed: Loaded) -> None:
        assert listed.named(COMPANY).list_search_numbers() == ["5936312"]

    @pytest.mark.parametrize(
        ("text", "number"),
        [
            ("Libyan passport No. 513519", "513519"),
            ("Diplomatic Passport: Z30321794", "Z30321794"),
            ("Libya B/002210", "B/002210"),
            ("381110042 (Expired 25 Jan. 2016)", "381110042"),
            ("R00012098, South Sudan", "R00012098"),
            ("OA 454044", "OA 454044"),
            ("96 03 464086", "96 03 464086"),
        ],
    )
    def test_a_number_stands_without_the_words_around_it(self, text: str, number: str) -> None:
        assert extract_number(text) == number


class TestStrictness:
    def test_another_xml_file_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match="the date of the list is missing"):
            load(KEY, changed(tmp_path / "list.xml", "dateGenerated", "made"))

    def test_a_cut_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "list.xml").write_bytes((FOLDER / "list.xml").read_bytes()[:4_000])
        with pytest.raises(ParseFailed, match="not well-formed"):
            load(KEY, tmp_path / "list.xml")

    def test_a_record_without_a_name_is_rejected_with_its_line(self, tmp_path: Path) -> None:
        report = load(KEY, changed(tmp_path / "list.xml", "FIRST_NAME>", "FORENAME>")).report
        assert (report.entries, report.rejected) == (2, 1)
        assert report.rejections[0].line == 59
        assert report.unknown_terms == {"tag: FORENAME": 3}

    def test_two_records_of_one_reference_are_two_entries(self, tmp_path: Path) -> None:
        again = load(KEY, changed(tmp_path / "list.xml", "QDi.902", "CDi.901"))
        assert [entry.entry_id for entry in again.entries] == ["CDi.901", "CDi.901 | 9000002", "KPe.903"]


@pytest.mark.realdata
class TestRealLists:
    @pytest.mark.parametrize(
        ("name", "people", "entities"),
        [("consolidated_2020", 709, 305), ("consolidated_2025-11-20", 727, 273), ("consolidated_2026-02-27", 730, 273)],
    )
    def test_every_record_is_an_entry(self, shared_data: Path, tmp_path: Path, name: str, people: int, entities: int) -> None:
        path = tmp_path / f"{name}.xml"
        path.write_bytes(gzip.decompress((shared_data / "sanctions" / "un_sc" / f"{name}.xml.gz").read_bytes()))
        whole = load(KEY, path)
        report = whole.report
        assert (report.rows, report.entries, report.merged, report.rejected) == (people + entities, people + entities, 0, 0)
        assert report.unknown_terms == {}
        assert Counter(entry.entity_type for entry in whole.entries) == {
            EntityKind.PERSON: people,
            EntityKind.ORGANIZATION: entities,
        }
        assert not any(";" in name for entry in whole.entries for name in entry.list_search_names())
        born = [entry for entry in whole.entries if entry.date_of_birth is not None]
        assert sum(not entry.birth_dates for entry in born) <= 2

    def test_a_copy_that_lost_its_letters_is_refused(self, shared_data: Path, tmp_path: Path) -> None:
        path = tmp_path / "list.xml"
        path.write_bytes(gzip.decompress((shared_data / "sanctions" / "un_sc" / "consolidated_2025-08-16.xml.gz").read_bytes()))
        with pytest.raises(ParseFailed, match="not well-formed"):
            load(KEY, path)
