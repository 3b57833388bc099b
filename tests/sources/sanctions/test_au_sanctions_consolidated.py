"""The Australian list: rows of one party brought together, in both of the tables that were published."""

from pathlib import Path

import openpyxl
import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind
from tests.support.sources.sanctions_files import Loaded, assert_golden, load

KEY = "au-sanctions-consolidated"
FOLDER = Path(__file__).parent / KEY
TABLES = ["since_2025.xlsx", "until_2025.xlsx"]
KING = "Rudolf Elphberg"


@pytest.fixture
def loaded() -> Loaded:
    return load(KEY, FOLDER / TABLES[0])


def changed(path: Path, row: int, column: int, value: object) -> Path:
    book = openpyxl.load_workbook(FOLDER / TABLES[0])
    book.worksheets[0].cell(row, column).value = value
    book.save(path)
    return path


@pytest.mark.parametrize("table", TABLES)
def test_each_table_gives_the_golden_entries(table: str) -> None:
    assert_golden(load(KEY, FOLDER / table), FOLDER / f"{table}.golden.json")


class TestParties:
    def test_rows_with_letters_add_to_the_party_of_their_number_wherever_they_stand(self, loaded: Loaded) -> None:
        king = loaded.named(KING)
        assert (king.aliases, king.weak_aliases) == (("Rudolf V", "Рудольф"), ("The Fifth",))
        assert (loaded.report.rows, loaded.report.entries, loaded.report.merged) == (8, 4, 4)

    def test_a_number_given_to_two_parties_by_mistake_makes_two(self, loaded: Loaded) -> None:
        assert [entry.entry_id for entry in loaded.entries] == ["1001", "1000", "1002", "1002 #2"]
        assert loaded.named("Bank of Strelsau").aliases == ("Strelsaubank",)
        assert loaded.named("Zenda Steel Mills").aliases == ()

    def test_the_older_words_for_kinds_of_names_are_known(self) -> None:
        older = load(KEY, FOLDER / TABLES[1])
        assert older.named(KING).aliases == ("Rudolf V", "Rudolf Anders")
        assert older.report.unknown_terms == {}


class TestFields:
    def test_days_years_and_months_in_one_column(self, loaded: Loaded) -> None:
        assert loaded.named(KING).date_of_birth == "1974-05-02; 1974, 03/1975; 1976"
        assert loaded.named(KING).birth_dates == ("1974-05-02", "1974", "1975-03", "1976")

    def test_the_day_of_listing_is_told_in_prose_and_never_that_of_an_edit(self, loaded: Loaded) -> None:
        days = {entry.name: entry.listing_date for entry in loaded.entries}
        assert days == {KING: "2021-01-25", "FLAVIA": None, "Zenda Steel Mills": "2012-03-02", "Bank of Strelsau": None}

    def test_the_list_is_dated_by_its_last_edit(self, loaded: Loaded) -> None:
        assert str(loaded.report.as_of) == "2026-09-04"

    def test_countries_of_citizenship_and_of_addresses_that_end_in_one(self, loaded: Loaded) -> None:
        assert loaded.named(KING).countries == ("HR", "KP")

    def test_the_committee_is_a_program(self, loaded: Loaded) -> None:
        assert loaded.named(KING).programs == ("Autonomous (Ruritania)",)
        assert loaded.named("Zenda Steel Mills").countries == ()

    def test_a_text_in_the_imo_field_is_no_imo_number(self, loaded: Loaded) -> None:
        assert loaded.named("FLAVIA").entity_type is EntityKind.VESSEL
        assert loaded.named("FLAVIA").list_search_numbers() == ["9074729"]
        assert loaded.named("Zenda Steel Mills").identifiers == ()
        assert "IMO field: see notes" in (loaded.named("Zenda Steel Mills").remarks or "")

    def test_what_a_spreadsheet_spells_out_is_gone(self, loaded: Loaded) -> None:
        assert not any("_x000D_" in entry.to_json() or "\u00a0" in entry.to_json() for entry in loaded.entries)


class TestStrictness:
    def test_a_new_heading_refuses_the_workbook(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match="missing columns: Name Type; unknown columns: Kind of Name"):
            load(KEY, changed(tmp_path / "list.xlsx", 1, 4, "Kind of Name"))

    def test_a_reference_that_is_no_number_is_rejected(self, tmp_path: Path) -> None:
        report = load(KEY, changed(tmp_path / "list.xlsx", 5, 1, "see above")).report
        assert (report.rejected, report.rejections[0].line) == (1, 5)

    def test_a_kind_of_name_that_is_new_is_counted_once(self, tmp_path: Path) -> None:
        report = load(KEY, changed(tmp_path / "list.xlsx", 3, 4, "Nickname")).report
        assert report.unknown_terms == {"term: nickname": 1}

    def test_a_party_of_an_unknown_kind_is_rejected(self, tmp_path: Path) -> None:
        report = load(KEY, changed(tmp_path / "list.xlsx", 5, 3, "Aeroplane")).report
        assert (report.entries, report.rejected) == (3, 1)
