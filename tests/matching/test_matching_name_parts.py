"""Names inside names: taken apart where the text says so, and only there."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.entries.index_terms import build_business_terms, build_query_terms
from bonafide.matching.names.entry_names import parse_name
from bonafide.matching.names.name_parts import MAX_PARTS, NamePart, PartKind, split_name_parts
from bonafide.matching.text.tables import read_table

MARKERS = [(kind, phrase) for kind, phrases in read_table("name_markers").items() for phrase in phrases]


def parts_of(text: str) -> list[tuple[str, str]]:
    whole, *parts = split_name_parts(text)
    assert whole == NamePart(text, PartKind.WHOLE)
    return [(part.kind.value, part.text) for part in parts]


@pytest.mark.parametrize(("kind", "phrase"), MARKERS)
def test_every_marker_is_found_in_any_case_and_in_brackets(kind: str, phrase: str) -> None:
    before, behind = {
        "trading": ("legal", "trading"),
        "former": ("legal", "former"),
        "now": ("former", "legal"),
        "division": ("trading", "legal"),
    }[kind]
    expected = [(before, "Zephyrine Inc."), (behind, "Café Orlovska")]
    assert parts_of(f"Zephyrine Inc. {phrase} Café Orlovska") == expected
    assert parts_of(f"Zephyrine Inc., {phrase.upper()} Café Orlovska") == expected
    assert parts_of(f"Zephyrine Inc. ({phrase} Café Orlovska)") == expected
    assert parts_of(f"Zephyrine Inc. {phrase} “Café Orlovska”") == expected


@pytest.mark.parametrize(
    "between",
    [
        "O.A.",
        "o / a",
        "D.B.A.",
        "d. b. a.",
        "A.K.A.",
        "aka:",
        "C.O.B.",
        "c.o.b. as",
        "F.A.S.",
        "f.a.s.n.",
        "op. as",
        "doing business under the firm name and style of",
        "carrying on business under the name of",
        "operating under the trade name",
        "faisant affaires sous le nom de",
        "FAISANT ÉGALEMENT AFFAIRE SOUS LA RAISON SOCIALE DE",
        "exerçant sous le nom d'",
        "faisant affaires sous les noms et raison sociale de",
        "connue également sous le nom de",
        "sous la dénomination sociale",
    ],
)
def test_a_trading_name_stands_behind_many_spellings(between: str) -> None:
    text = f"1234567 Ontario Inc. {between} Orlovska".replace("' ", "'")
    assert parts_of(text) == [("legal", "1234567 Ontario Inc."), ("trading", "Orlovska")]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("9123-4567 Québec inc. / o/a Café Z", [("legal", "9123-4567 Québec inc."), ("trading", "Café Z")]),
        ("Z Inc. o/a Café and o/a Bistro", [("legal", "Z Inc."), ("trading", "Café"), ("trading", "Bistro")]),
        ("Zephyrine (formerly Orlovska) Ltd.", [("legal", "Zephyrine Ltd."), ("former", "Orlovska")]),
        ("Zephyrine (Canada) Inc. (o/a Orlovska (West))", [("legal", "Zephyrine (Canada) Inc."), ("trading", "Orlovska (West)")]),
        (
            "Zephyrine Inc. / Zéphyrine inc. o/a Orlovska",
            [
                ("legal", "Zephyrine Inc. / Zéphyrine inc."),
                ("language", "Zephyrine Inc."),
                ("language", "Zéphyrine inc."),
                ("trading", "Orlovska"),
            ],
        ),
    ],
)
def test_parts_may_be_many_and_stand_in_each_other(text: str, parts: list[tuple[str, str]]) -> None:
    assert parts_of(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Zephyrine Bakery / Boulangerie Zéphyrine",
        "Zephyrine Inc. - Zéphyrine inc.",
        "Zephyrine Company – Compagnie Zéphyrine",
        "Zephyrine Inc./Zéphyrine ltée",
        "Zephyrine Company Limited – Compagnie Zéphyrine limitée",
        "Zephyrine Ltd. (Zéphyrine ltée)",
    ],
)
def test_both_languages_of_a_name_are_parts(text: str) -> None:
    (first, one), (second, other) = parts_of(text)
    assert (first, second) == ("language", "language")
    assert one in text
    assert other in text


@pytest.mark.parametrize(
    "text",
    [
        "Zephyrine Inc.",
        "Zephyrine Inc./Ltée",
        "Aurora Tours - Yukon",
        "24 / 7 Store",
        "Heating A / C",
        "One / Two / Three",
        "Zephyrine (Canada) Inc.",
        "Zephyrine (1998) Ltd.",
        "OA Holdings Inc.",
        "AKA Consulting",
        "Zephyrine DBA",
        "Known as Zephyrine",
        "Clean as a Whistle",
        "Maison sous les Arbres",
        "Under the Bridge Ltd.",
        "Formerly Zephyrine",
        "L'Oie & Fils",
        "",
        " / ",
        "o/a",
        "Dba Operating As",
        "Zephyrine, a division",
        "Zephyrine Trading Company",
        "Division of Labour",
    ],
)
def test_other_names_are_one(text: str) -> None:
    assert parts_of(text) == []


@given(st.text() | st.lists(st.sampled_from(["o/a", "Z", "(", ")", " / ", "Inc.", "dba", "İ", "\n", "formerly"])).map(" ".join))
def test_parts_are_few_distinct_and_named(text: str) -> None:
    parts = split_name_parts(text)
    assert len(parts) <= MAX_PARTS
    assert len({part.text for part in parts}) == len(parts)
    assert all(any(map(str.isalnum, part.text)) for part in parts[1:])


def test_parts_are_found_by_their_own_words_and_the_whole_by_its_own() -> None:
    names = [
        "Orlovska",
        "1234567 Ontario Inc. o/a Café Zéphyrine",
        "Kwiatek / Kwiatek",
        "Z Inc./Zéphyrine ltée",
        "Brzoza d.b.a. Lipowa",
    ]
    found = build_business_terms(names)
    assert list(zip(found.places, found.words, strict=True)) == [
        (0, ("orlovska",)),
        (1, ("1234567", "ontario", "inc", "oa", "cafe", "zephyrine")),
        (1, ("1234567", "ontario")),
        (1, ("cafe", "zephyrine")),
        (2, ("kwiatek",)),
        (3, ("z", "inc", "zephyrine")),
        (3, ("z",)),
        (3, ("zephyrine",)),
        (4, ("brzoza", "dba", "lipowa")),
        (4, ("brzoza",)),
        (4, ("lipowa",)),
    ]
    assert found.typed[1:4] == ["1234567 ontario inc o a cafe zephyrine", "1234567 ontario inc", "cafe zephyrine"]


@pytest.mark.parametrize("between", [f" {phrase} " for _, phrase in MARKERS] + [" / ", " (d. b. a. ", "/", " C.O.B. "])
def test_every_part_of_a_name_is_searchable(between: str) -> None:
    name = f"Zephyrine Inc.{between}Orlovska Ltd."
    parts = [part.text for part in split_name_parts(name)]
    assert len(parts) > 1
    assert {words for part in parts for words in build_business_terms([part]).words} <= set(build_business_terms([name]).words)


@pytest.mark.parametrize(
    "name", ["Zephyrine Inc.{}Orlovska Ltd.", "Zephyrine{}Zephyrine", "1 234 567 Canada Inc. {} The Café & Co."]
)
def test_a_parsed_name_is_searched_for_by_the_words_of_its_text(name: str) -> None:
    for between in (*(phrase for _, phrase in MARKERS), " / ", "/", " - ", " & ", " "):
        text = name.format(between)
        # A query is looked up by its own word in place of acronyms of its words.
        assert build_query_terms(parse_name(text)) == replace(build_business_terms([text]), acronyms=[]), text


def test_a_name_without_words_is_searched_for_by_none() -> None:
    assert build_query_terms(parse_name("&")).words == build_business_terms(["&"]).words
