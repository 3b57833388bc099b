"""The Swiss list: names put together from parts, history passed over."""

from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind
from tests.support.sources.changed_files import write_changed
from tests.support.sources.sanctions_files import Loaded, assert_golden, load

KEY = "ch-seco-sanctions"
LIST = Path(__file__).parent / KEY / "whole_list.xml"
COUNT = "Hentzau Rupert"


@pytest.fixture
def loaded() -> Loaded:
    return load(KEY, LIST)


def test_it_gives_the_golden_entries(loaded: Loaded) -> None:
    assert_golden(loaded, LIST.with_suffix(".golden.json"))


class TestNames:
    def test_parts_stand_in_the_lists_order_without_titles(self, loaded: Loaded) -> None:
        count = loaded.named(COUNT)
        assert "Title: Count" in (count.remarks or "")

    def test_each_spelling_makes_a_name_completed_by_what_is_given(self, loaded: Loaded) -> None:
        assert loaded.named(COUNT).aliases == ("Hentzow Rupert", "Гентцау Руперт", "Rupert Anders", "Rupert of Zenda")

    def test_weak_is_what_the_list_calls_of_low_quality(self, loaded: Loaded) -> None:
        assert loaded.named(COUNT).weak_aliases == ("The Count",)

    def test_the_history_gives_no_names(self, loaded: Loaded) -> None:
        assert not any("Not Him" in name for entry in loaded.entries for name in entry.list_search_names())

    def test_many_spellings_of_many_parts_do_not_multiply_without_end(self, tmp_path: Path) -> None:
        variants = "".join(f'<spelling-variant lang="RUR" script="LATN">H{number}</spelling-variant>' for number in range(90))
        old = '<spelling-variant lang="RUR" script="CYRL">Гентцау</spelling-variant>'
        assert len(load(KEY, write_changed(LIST, tmp_path, old, variants)).named(COUNT).aliases) < 40


class TestFields:
    def test_what_was_taken_off_the_list_is_passed_over_and_told(self, loaded: Loaded) -> None:
        assert [entry.entry_id for entry in loaded.entries] == ["5142", "5160"]
        assert "1 row skipped: removed from the list" in loaded.report.notes

    def test_a_target_is_taken_off_by_its_newest_change_wherever_that_stands(self, tmp_path: Path) -> None:
        listed_again = 'modification-type="listed" effective-date="2026-03-01"'
        again = load(KEY, write_changed(LIST, tmp_path, 'modification-type="listed" effective-date="2016-03-01"', listed_again))
        assert again.named("Bank of Strelsau").listing_date == "2026-03-01"

    def test_programs_are_ordinances_each_once(self, loaded: Loaded) -> None:
        assert loaded.named(COUNT).programs == ("Ordinance of 15 June 2016 on measures against Ruritania",)

    def test_countries_of_all_identities_and_of_places_behind_the_targets(self, loaded: Loaded) -> None:
        assert loaded.named(COUNT).countries == ("HR", "AT")

    def test_dates_of_birth_but_not_of_another_calendar(self, loaded: Loaded) -> None:
        assert loaded.named(COUNT).date_of_birth == "1976-03-14; 1975; 1354 (Islamic)"
        assert loaded.named(COUNT).birth_dates == ("1976-03-14", "1975")

    def test_numbers_of_papers_and_those_told_in_prose(self, loaded: Loaded) -> None:
        assert [(number.label, number.value) for number in loaded.named(COUNT).identifiers] == [
            ("Diplomatic passport (HR)", "P5550002"),
            ("Taxpayer identification number", "7701555001"),
        ]

    def test_a_ship_has_its_number_and_the_united_nations_reference(self, loaded: Loaded) -> None:
        ship = loaded.named("Flavia")
        assert (ship.entity_type, ship.list_search_numbers()) == (EntityKind.VESSEL, ["RUe.004", "9074729"])


class TestStrictness:
    def test_a_list_of_changes_is_not_the_whole_list(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match="contains “mutations” instead of “whole-list”"):
            load(KEY, write_changed(LIST, tmp_path, 'list-type="whole-list"', 'list-type="mutations"'))

    def test_an_object_of_an_unknown_kind_is_rejected(self, tmp_path: Path) -> None:
        report = load(KEY, write_changed(LIST, tmp_path, 'object-type="vessel"', 'object-type="oil rig"')).report
        assert (report.entries, report.rejected, report.unknown_terms) == (1, 1, {"term: oil rig": 1})

    def test_a_target_that_stands_twice_is_rejected(self, tmp_path: Path) -> None:
        report = load(KEY, write_changed(LIST, tmp_path, '<target ssid="5160">', '<target ssid="5142">')).report
        assert report.reasons == {"the number is not unique": 1}

    def test_a_list_without_targets_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "list.xml").write_text('<swiss-sanctions-list list-type="whole-list" date="2026-08-27"/>', encoding="utf-8")
        with pytest.raises(ParseFailed, match="the file contains no listed parties"):
            load(KEY, tmp_path / "list.xml")
