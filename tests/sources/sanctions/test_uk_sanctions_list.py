"""The UK's list, in both of its forms: they give the same designations."""

import gzip
from collections import Counter
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind
from bonafide_sandbox.publisher_faults import StatusFault
from tests.support.sources.sanctions_files import Loaded, assert_golden, load
from tests.support.sources.served_lists import fetched_from

KEY = "uk-sanctions-list"
FOLDER = Path(__file__).parent / KEY
FORMS = ["uk.xml", "uk.csv"]
COUNT, MILLS, SHIP = "RUPERT VON HENTZAU", "ZENDA STEEL MILLS", "FLAVIA"


@pytest.fixture(params=FORMS)
def loaded(request: pytest.FixtureRequest) -> Loaded:
    return load(KEY, FOLDER / request.param)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_golden_entries(form: str) -> None:
    assert_golden(load(KEY, FOLDER / form), FOLDER / f"{form}.golden.json")


def test_the_forms_agree() -> None:
    found = [sorted(load(KEY, FOLDER / form).entries, key=lambda entry: entry.entry_id) for form in FORMS]
    assert found[0] == found[1]


class TestNames:
    def test_the_primary_name_is_the_main_one_wherever_it_stands(self, loaded: Loaded) -> None:
        assert loaded.named(COUNT).aliases == ("Rupert HENTZOW", "Count Rupert", "Руперт Гентцау")

    def test_weak_is_what_the_list_calls_a_low_quality_alias(self, loaded: Loaded) -> None:
        assert loaded.named(COUNT).weak_aliases == ("The Count",)

    def test_without_a_primary_name_a_spelling_of_it_is_the_main_one(self, tmp_path: Path) -> None:
        text = (FOLDER / FORMS[0]).read_text(encoding="utf-8").replace(">Primary Name<", ">Alias<", 1)
        (tmp_path / "list.xml").write_text(text, encoding="utf-8")
        assert load(KEY, tmp_path / "list.xml").named("Rupert HENTZOW").aliases[0] == COUNT


class TestFields:
    def test_a_row_for_each_combination_is_one_party(self) -> None:
        report = load(KEY, FOLDER / FORMS[1]).report
        assert (report.rows, report.entries, report.merged, report.rejected) == (34, 3, 31, 0)

    def test_dates_with_letters_for_figures(self, loaded: Loaded) -> None:
        assert loaded.named(COUNT).date_of_birth == "dd/mm/1975; 14/03/1976; 15/08/19yy"
        assert loaded.named(COUNT).birth_dates == ("1975", "1976-03-14")

    def test_countries_are_codes_and_the_regime_is_a_program(self, loaded: Loaded) -> None:
        assert set(loaded.named(COUNT).countries) == {"HR", "CD"}
        assert loaded.named(SHIP).countries == ("GA",)
        assert loaded.named(SHIP).programs == ("The Ruritania (Sanctions) (EU Exit) Regulations 2020",)

    def test_each_number_once_and_several_with_labels_apart(self, loaded: Loaded) -> None:
        assert [(number.label, number.value) for number in loaded.named(COUNT).identifiers] == [
            ("UN reference", "RUi.001"),
            ("Passport", "P5550002"),
            ("National identifier", "555-77"),
        ]
        assert [(number.label, number.value) for number in loaded.named(MILLS).identifiers] == [
            ("Business registration number, OGRN", "1247700291200"),
            ("Business registration number, INN", "9707028663"),
        ]

    def test_a_ships_number_is_checked(self, loaded: Loaded) -> None:
        ship = loaded.named(SHIP)
        assert (ship.entity_type, ship.list_search_numbers()) == (EntityKind.VESSEL, ["9074729"])
        assert "IMO field: IMO9074728" in (ship.remarks or "")

    def test_the_list_is_dated_by_what_stands_in_it(self, loaded: Loaded) -> None:
        assert str(loaded.report.as_of) == "2026-10-08"

    def test_what_an_entity_is_by_law_is_its_legal_form(self, loaded: Loaded) -> None:
        assert loaded.named(MILLS).legal_form == "Joint Stock Company"


class TestStrictness:
    def test_a_word_for_a_name_that_is_new_is_counted(self, tmp_path: Path) -> None:
        text = (FOLDER / FORMS[0]).read_text(encoding="utf-8").replace(">ALias<", ">Nom de guerre<")
        (tmp_path / "list.xml").write_text(text, encoding="utf-8")
        assert load(KEY, tmp_path / "list.xml").report.unknown_terms == {"term: nom de guerre": 1}

    def test_a_new_column_refuses_the_csv(self, tmp_path: Path) -> None:
        text = (FOLDER / FORMS[1]).read_text(encoding="utf-8-sig").replace("Name 6,", "Surname,", 1)
        (tmp_path / "list.csv").write_text(text, encoding="utf-8")
        with pytest.raises(ParseFailed, match="missing columns: Name 6; unknown columns: Surname"):
            load(KEY, tmp_path / "list.csv")

    def test_the_treasurys_list_that_was_closed_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "ConList.csv").write_text(
            "Last Updated,13/04/2018\nName 6,Name 1,Group ID\nHENTZAU,Rupert,1\n", encoding="utf-8"
        )
        with pytest.raises(ParseFailed, match=r"ConList\.csv: the line “Report Date:” is missing"):
            load(KEY, tmp_path / "ConList.csv")

    def test_a_row_without_an_id_is_rejected_with_its_line(self, tmp_path: Path) -> None:
        text = (FOLDER / FORMS[1]).read_text(encoding="utf-8-sig").replace(",RUR0003,", ",,", 1)
        (tmp_path / "list.csv").write_text(text, encoding="utf-8")
        report = load(KEY, tmp_path / "list.csv").report
        assert report.reasons == {"Unique ID is empty": 1}
        # A cell of an earlier row has a line break in it.
        assert report.rejections[0].line == 36

    def test_a_list_without_designations_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "list.xml").write_text(
            "<Designations><DateGenerated>08/10/2026</DateGenerated></Designations>", encoding="utf-8"
        )
        with pytest.raises(ParseFailed, match="the file contains no listed parties"):
            load(KEY, tmp_path / "list.xml")


@pytest.mark.anyio
async def test_the_csv_is_taken_when_the_xml_can_not_be_had(tmp_path: Path) -> None:
    files = {"xml": FOLDER / FORMS[0], "csv": FOLDER / FORMS[1]}
    assert [resource.name for resource in await fetched_from(KEY, files, tmp_path, {"xml": StatusFault(404)})] == ["csv"]


@pytest.mark.realdata
class TestRealLists:
    def test_the_sample_of_october_2026(self, shared_data: Path) -> None:
        loaded = load(KEY, shared_data / "sanctions/uk/UK-Sanctions-List_sample_2026-10.csv")
        report = loaded.report
        assert (report.rows, report.entries, report.merged, report.rejected) == (4, 3, 1, 0)
        assert loaded.named("KOROLEV PROSPECT").list_search_numbers() == ["9826902"]
        assert loaded.named("HAJI KHAIRULLAH MONEY EXCHANGE").aliases == ("Haji Alim Hawala",)

    def test_a_whole_list_in_the_columns_of_today(self, shared_data: Path, tmp_path: Path) -> None:
        packed = shared_data / "sanctions/uk/UK-Sanctions-List_reconstructed_from_ConList.csv.gz"
        (tmp_path / "list.csv").write_bytes(gzip.decompress(packed.read_bytes()))
        loaded = load(KEY, tmp_path / "list.csv")
        report = loaded.report
        assert (report.rows, report.entries, report.merged, report.rejected) == (9487, 2106, 7381, 0)
        assert report.unknown_terms == {}
        assert Counter(entry.entity_type for entry in loaded.entries) == {"person": 1426, "organization": 680}
        dated = [entry for entry in loaded.entries if entry.date_of_birth is not None]
        assert all(entry.birth_dates for entry in dated)
        assert sum(len(code) != 2 for entry in loaded.entries for code in entry.countries) <= 30
