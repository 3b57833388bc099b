"""Names with brackets, quotation marks and two scripts, taken apart where it is safe."""

import pytest

from bonafide.sources.shared.lists.party_fields import expand_bracket_forms, split_by_script, strip_quotes


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Global Example Fund (GEF)", [("Global Example Fund", False), ("GEF", True)]),
        ("Example Commercial Impex (ECI) Ltd", [("Example Commercial Impex Ltd", False), ("ECI", True)]),
        ("Jamaat ul Example (JuE)", [("Jamaat ul Example", False), ("JuE", True)]),
        ("The Tigers of Example (TTE)", [("The Tigers of Example", False), ("TTE", True)]),
        ("El Cartel del Ejemplo (CDE)", [("El Cartel del Ejemplo", False), ("CDE", True)]),
        ("Example in Yemen (EY)", [("Example in Yemen", False)]),
        ("Example Foundation (Pakistan)", []),
        ("Example Academy (KPE.018)", []),
        ("Golf Resort (City) Club", []),
        ("Example Ltd", []),
    ],
)
def test_an_abbreviation_in_brackets_is_another_form(name: str, forms: list[tuple[str, bool]]) -> None:
    assert list(expand_bracket_forms(name)) == forms


@pytest.mark.parametrize(
    ("text", "plain"),
    [("“The Red”", "The Red"), ('"RED"', "RED"), ("Al-Basha'ir", "Al-Basha'ir"), ("“General” Anna", "“General” Anna"), ("", "")],
)
def test_quotation_marks_around_the_whole_go(text: str, plain: str) -> None:
    assert strip_quotes(text) == plain


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Anna Example (Анна)", ["Anna Example", "Анна"]),
        ("Анна Анина Anna", ["Анна Анина", "Anna"]),
        ("Example 4 (IV)", ["Example 4 (IV)"]),
        ("764", ["764"]),
    ],
)
def test_two_scripts_are_two_names(text: str, names: list[str]) -> None:
    assert split_by_script(text) == names
