"""Countries by the names that lists give them."""

import pytest

from bonafide.matching.text.countries import parse_country_code, parse_country_codes
from bonafide.matching.text.tables import read_table

TABLE = read_table("countries")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Iran (Islamic Republic of)", "IR"),
        ("Iran (République islamique d')", "IR"),
        ("Korea, North", "KP"),
        ("Korea, Democratic People's Republic of", "KP"),
        ("Republic of Korea", "KR"),
        ("Congo, Democratic Republic of the", "CD"),
        ("Congo, Republic of the", "CG"),
        ("Bahamas, The", "BS"),
        ("Man, Isle of", "IM"),
        ("Virgin Islands, British", "VG"),
        ("North Macedonia, The Republic of", "MK"),
        ("Cote d Ivoire", "CI"),
        ("Côte d’Ivoire", "CI"),
        ("The Netherlands", "NL"),
        ("Hong Kong, China", "HK"),
        ("China", "CN"),
        ("Republic of China", "TW"),
        ("Arabie saoudite", "SA"),
        ("États-Unis d'Amérique", "US"),
        ("U.S.A.", "US"),
        ("Kosovo", "XK"),
        ("West Bank", "PS"),
        ("Norway", "NO"),
        ("Afghanistan (at time of listing)", "AF"),
        ("Region: Crimea", "UA"),
    ],
)
def test_a_country_is_known_by_its_usual_names(text: str, code: str) -> None:
    assert parse_country_code(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Iranian", "IR"),
        ("IRANIENNE", "IR"),
        ("russe", "RU"),
        ("Saudi Arabian", "SA"),
        ("Lebanon citizenship", "LB"),
        ("Somali", "SO"),
    ],
)
def test_a_nationality_is_read_as_its_country(text: str, code: str) -> None:
    assert parse_country_code(text) == code


@pytest.mark.parametrize(("text", "code"), [("IR", "IR"), (" IRN ", "IR"), ("NO", "NO"), ("GBR", "GB")])
def test_an_iso_code_is_itself(text: str, code: str) -> None:
    assert parse_country_code(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [("Zaire", "CD"), ("Burma", "MM"), ("East Germany", "DE"), ("Kazakh SSR", "KZ"), ("USSR", "SU"), ("former Yugoslavia", "YU")],
)
def test_a_former_state_is_its_one_successor_or_itself(text: str, code: str) -> None:
    assert parse_country_code(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "undetermined",
        "na",
        "Damascus",
        "Congolese",
        "Korean",
        "ir",
        "no",
        "Damascus, Syria, near Iraq, Iran",
        "Africa",
        "(",
        ",,,",
    ],
)
def test_what_is_no_country_or_may_be_two_has_no_code(text: str) -> None:
    assert parse_country_code(text) is None


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("(1) Tunisia (2) Morocco (3) Egypt", ("TN", "MA", "EG")),
        ("(1)-(2) Tunisia (3) Libya", ("TN", "LY")),
        ("a) Syrian Arab Republic b) State of Palestine", ("SY", "PS")),
        ("1) Uzbek 2) Afghan", ("UZ", "AF")),
        ("Sudan/South Sudan", ("SD", "SS")),
        ("Jordan; Syria", ("JO", "SY")),
        ("Iran and Iraq", ("IR", "IQ")),
        ("Bosnia and Herzegovina", ("BA",)),
        ("Iran; Iranian", ("IR",)),
        ("Iran / unknown", ("IR", "unknown")),
        ("Kuwaiti citizenship withdrawn in 2002", ("Kuwaiti citizenship withdrawn in 2002",)),
        ("", ()),
    ],
)
def test_several_countries_in_one_text(text: str, codes: tuple[str, ...]) -> None:
    assert parse_country_codes(text) == codes


class TestTable:
    def test_no_name_and_no_code_is_of_two_countries(self) -> None:
        spelt = [(name.casefold(), code) for code, names in TABLE["countries"].items() for name in {*map(str.casefold, names)}]
        assert len({name for name, _ in spelt}) == len(spelt)

    def test_every_row_is_a_code_of_two_letters_one_of_three_and_names(self) -> None:
        for code, names in TABLE["countries"].items():
            assert len(code) == 2
            assert len(names[0]) == 3
            assert all(isinstance(name, str) for name in names)
            assert len(names) > 1

    def test_every_name_is_found(self) -> None:
        assert all(parse_country_code(name) == code for code, names in TABLE["countries"].items() for name in names)

    def test_all_countries_and_territories_are_in_it(self) -> None:
        assert len(set(TABLE["countries"]) - {"AN", "CS", "SU", "XK", "YU"}) == 249
