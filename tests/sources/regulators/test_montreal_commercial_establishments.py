"""Commercial premises of Montreal, in the surveys of several years."""

from datetime import date
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from tests.support.sources.regulator_files import assert_golden, load

KEY = "montrealCommercialEstablishments"
FOLDER = Path(__file__).parent / KEY
FILE = FOLDER / "occupation-commerciale-2025.csv"


@pytest.mark.parametrize("year", [2021, 2023, 2025])
def test_each_survey_gives_the_golden_entries(year: int) -> None:
    assert_golden(load(KEY, FOLDER / f"occupation-commerciale-{year}.csv"), FOLDER / f"occupation-commerciale-{year}.golden.json")


def test_empty_premises_and_those_without_a_name_are_passed_over() -> None:
    notes = load(KEY, FILE).report.notes
    assert notes[1:] == ["1 row skipped: no name is published", "1 row skipped: vacant premises"]
    assert "Credit the city" in notes[0]


def test_being_seen_is_no_licence() -> None:
    entry = load(KEY, FILE).named("Café Exemple")
    assert (entry.status, entry.details["statusDerived"], entry.details["nameType"]) == ("Listed", True, "trade")
    assert entry.details["surveyYear"] == "2025"


def test_a_character_in_place_of_a_code_is_no_code_and_a_use_is_said_once() -> None:
    entry = load(KEY, FILE).named("Épicerie Échantillon")
    assert "naicsCode" not in entry.details
    assert entry.details["usage"] == ["Biens courants", "Alimentation"]


def test_a_town_of_the_island_is_the_city_of_its_address() -> None:
    loaded = load(KEY, FILE)
    assert [loaded.named(name).addresses[0].raw for name in ("Café Exemple", "Épicerie Échantillon")] == [
        "102-120 avenue de l'Exemple E, Montréal, QC, CA",
        "120 avenue de l'Exemple E, Westmount, QC, CA",
    ]


@pytest.mark.parametrize("years", [(2023, 2025), (2025, 2023)])
def test_of_premises_in_two_surveys_the_later_one_stands(years: tuple[int, int]) -> None:
    loaded = load(KEY, *(FOLDER / f"occupation-commerciale-{year}.csv" for year in years))
    names = {entry.legal_name for entry in loaded.entries}
    assert "Exemple déménagé" in names
    assert "Exemple d'avant" not in names
    assert (loaded.report.merged, loaded.report.as_of) == (1, date(2025, 6, 1))


def test_rows_that_cannot_be_read_are_rejected() -> None:
    assert load(KEY, FILE).report.reasons == {"ID is empty": 1, "'hier' is not a date": 1}


def test_a_renamed_column_refuses_the_file(tmp_path: Path) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_bytes(FILE.read_bytes().replace(b"NOM_ETAB", b"ENSEIGNE"))
    with pytest.raises(ParseFailed, match="missing columns: NOM_ETAB; unknown columns: ENSEIGNE"):
        load(KEY, changed)
