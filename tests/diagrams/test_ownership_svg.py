"""The ownership diagram: every party and interest in words, readable without colour, safe, and small enough to read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.etree import _Element as Element
from lxml.etree import fromstring

from bonafide.diagrams.drawn_ownership import MAX_LINES, MAX_PARTIES, select_drawn
from bonafide.diagrams.ownership_svg import DASHES, MAX_INTERESTS, draw_ownership
from bonafide.i18n.language import Language
from bonafide.model.invisible_characters import remove_invisible_characters
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.statement import Claimant
from bonafide.services.screening.owner_screening import ALL_UNKNOWN
from tests.support.ownership.answers import BUSINESS_ID, DAY, NOT_LOOKED_UP, Interest, build_answer, build_statement

SVG = "{http://www.w3.org/2000/svg}"
PARTIES = {"Bakery": "business", "Holding": "business", "Jane": "person", "Trust": "trust", "Crown": "government", "x": "unknown"}
INTERESTS: list[Interest] = [
    ("Holding", "Bakery", "shares", 0.5),
    ("x", "Bakery", "shares", {"max": 0.25, "exclusiveMax": True}),
    ("Jane", "Holding", "shares", {"min": 0.5, "max": 0.75}),
    ("Trust", "Holding", "shares", None),
    ("Crown", "Holding", "votes", 1 / 3),
    ("Jane", "Trust", "trustee", None),
]


def parse(answer: OwnershipAnswer, language: Language = Language.ENGLISH) -> Element:
    drawn: Element = fromstring(draw_ownership(answer, language).encode())
    return drawn


def texts(drawn: Element) -> list[str]:
    return [text.text or "" for text in drawn.iter(f"{SVG}text")]


def titles(drawn: Element) -> list[str]:
    """The names of the boxes."""
    return [group.findtext(f"{SVG}title") or "" for group in drawn.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]


def dashes(drawn: Element) -> set[str]:
    return {str(path.get("stroke-dasharray", "")) for path in drawn.iter(f"{SVG}path")}


def test_every_party_and_every_interest_is_in_words() -> None:
    drawn = parse(build_answer(build_statement(PARTIES, INTERESTS)))
    assert sorted(titles(drawn)) == sorted(["Bakery", "Holding", "Jane", "Trust", "Crown", "Unknown owner"])
    said = texts(drawn)
    for words in (
        "This business",
        "Person",
        "Government",
        "Shares 50%",
        "Shares less than 25%",
        "Shares 50% to 75%",
        "Votes 33.33%",
        "Trustee",
    ):
        assert words in said
    assert "Shares, share not stated" in said
    assert said.count("(declared)") == len(INTERESTS)


def test_it_describes_itself_to_screen_readers() -> None:
    drawn = parse(build_answer(build_statement(PARTIES, INTERESTS)))
    assert drawn.get("role") == "img"
    title, description = (
        next(element for element in drawn if element.get("id") == name) for name in str(drawn.get("aria-labelledby")).split()
    )
    assert title.text == "Ownership of Bakery"
    assert "Jane: 25% to 37.5%." in (description.text or "")


def test_kinds_and_claimants_differ_without_colour() -> None:
    other = build_statement(PARTIES, INTERESTS[:1], Claimant.REGISTRY)
    drawn = parse(build_answer(build_statement(PARTIES, INTERESTS), other))
    assert {DASHES[Claimant.DECLARED], DASHES[Claimant.REGISTRY]} <= dashes(drawn)
    assert len(set(DASHES.values())) == len(Claimant)
    colours = {element.get(name) for element in drawn.iter() for name in ("fill", "stroke")} - {None}
    assert colours == {"none", "currentColor"}
    rectangles = [rectangle.attrib for rectangle in drawn.iter(f"{SVG}rect")]
    assert {rectangle.get("rx") for rectangle in rectangles} == {None, "18", "6"}
    assert len(rectangles) == 6  # The government has two, and the trust is a path.


def test_control_has_a_hollow_arrowhead_and_a_legend() -> None:
    drawn = parse(build_answer(build_statement(PARTIES, INTERESTS)))
    heads = [path.get("fill") for path in drawn.iter(f"{SVG}path") if str(path.get("d")).endswith("Z")]
    assert heads.count(None) == 1 + 1 + 1  # The trustee, the legend, and the outline of the trust.
    assert "Hollow arrowhead: control, or a role without a share" in texts(drawn)


def test_a_party_with_interests_in_itself_says_so_in_its_box() -> None:
    drawn = parse(build_answer(build_statement(PARTIES, [*INTERESTS, ("Bakery", "Bakery", "shares", 0.02)])))
    assert "Holds of itself: Shares 2%" in " ".join(texts(drawn))


def test_parties_with_open_hits_are_marked_in_words() -> None:
    statement = build_statement(PARTIES, INTERESTS)
    assert "OPEN SANCTIONS HIT" in texts(parse(build_answer(statement, listed=["Jane"])))
    unlisted = texts(parse(build_answer(statement, listed=[])))
    assert "OPEN SANCTIONS HIT" not in unlisted
    assert "not screened" not in " ".join(unlisted)


def test_owners_who_were_not_screened_are_said_to_be_so() -> None:
    assert "The owners were not screened." in " ".join(texts(parse(build_answer(build_statement(PARTIES, INTERESTS)))))


def test_without_a_statement_there_is_nothing_but_the_unknown() -> None:
    nothing = OwnershipAnswer(
        business_id=BUSINESS_ID,
        party=None,
        as_of=DAY,
        statements=(),
        lei_lookup=NOT_LOOKED_UP,
        parties=(),
        interests=(),
        beneficial_owners=(),
        screened_parties=(),
        deemed_sanctioned=None,
        deemed_sanctioned_reason=None,
        unknown_share=ALL_UNKNOWN,
    )
    drawn = parse(nothing)
    assert drawn.findtext(f"{SVG}title") == "Nobody has stated who owns this business"
    assert "Share without an identified owner: 100%" in texts(drawn)


def test_a_cycle_is_drawn() -> None:
    drawn = parse(build_answer(build_statement(PARTIES, [*INTERESTS, ("Bakery", "Holding", "shares", 0.05)])))
    assert "Shares 5%" in texts(drawn)


def test_an_interest_that_has_ended_is_not_drawn() -> None:
    statement = build_statement(PARTIES, INTERESTS)
    ended = statement.interests[0].model_copy(update={"to": "2020"})
    answer = build_answer(statement.model_copy(update={"interests": (ended, *statement.interests[1:])}))
    assert "Shares 50%" not in texts(parse(answer))


def test_of_too_many_parties_those_of_large_owners_are_drawn_and_the_others_counted() -> None:
    small = {f"p{number}": "person" for number in range(MAX_PARTIES)}
    interests = [*INTERESTS[:3], *((name, "Bakery", "shares", 0.001) for name in small)]
    drawn = parse(build_answer(build_statement(PARTIES | small, interests)))
    assert sorted(titles(drawn)) == ["Bakery", "Holding", "Jane"]
    left_out = len(PARTIES) + MAX_PARTIES - 3
    assert f"{left_out} parties aren’t drawn." in " ".join(texts(drawn))


def test_of_too_many_lines_those_of_large_owners_are_drawn_and_the_others_counted() -> None:
    holdings = {f"h{number}": "business" for number in range(40)}
    owners = {f"p{number}": "person" for number in range(40)}
    interests: list[Interest] = [(holding, "Bakery", "shares", 0.001) for holding in holdings]
    interests += [(owner, holding, "shares", 0.001) for owner in owners for holding in holdings]
    interests += INTERESTS[:3]
    answer = build_answer(build_statement(PARTIES | holdings | owners, interests))
    drawn = select_drawn(answer)
    assert len(drawn.lines) == MAX_LINES
    assert {("Jane", "Holding"), ("Holding", "Bakery")} <= {(line.owner, line.owned) for line in drawn.lines}
    ends = {end for line in drawn.lines for end in (line.owner, line.owned)}
    # Trust and Crown have no interest, and stay as they are; a party that lost its lines is left out.
    assert {party.id for party in drawn.parties} == ends | {"Trust", "Crown"}
    assert drawn.left_out == len(answer.parties) - len(drawn.parties)
    left_out = len(interests) - MAX_LINES
    assert drawn.left_out_lines == left_out
    assert f"{left_out} lines aren’t drawn." in " ".join(texts(parse(answer)))


@pytest.mark.parametrize("owned", ["Bakery", "Jane’s Ltd."])
def test_a_label_and_a_box_name_some_interests_and_count_the_others(owned: str) -> None:
    count = MAX_INTERESTS + 12
    parties = {"Bakery": "business", "Jane’s Ltd.": "business"}
    interests: list[Interest] = [("Jane’s Ltd.", owned, "control", None)] * count
    said = texts(parse(build_answer(build_statement(parties, interests))))
    assert "and 12 more" in said
    assert sum("Control" in text for text in said) == MAX_INTERESTS


@given(st.text(max_size=80, alphabet=st.characters(exclude_categories=["Cc", "Cf", "Cs", "Cn"])))
def test_names_are_text_and_never_markup(name: str) -> None:
    statement = build_statement(PARTIES, INTERESTS)
    named = f"J{remove_invisible_characters(name)}J"
    parties = tuple(party.model_copy(update={"name": named}) if party.id == "Jane" else party for party in statement.parties)
    assert named in titles(parse(build_answer(statement.model_copy(update={"parties": parties}))))


def test_markup_in_a_name_is_escaped() -> None:
    statement = build_statement(PARTIES, INTERESTS)
    parties = tuple(
        party.model_copy(update={"name": '</text><script>alert(1)</script>"'}) if party.id == "Jane" else party
        for party in statement.parties
    )
    written = draw_ownership(build_answer(statement.model_copy(update={"parties": parties})), Language.ENGLISH)
    assert "<script" not in written
    assert re.search(r"\son\w+=", written) is None


def test_a_name_with_a_character_that_xml_forbids_is_drawn() -> None:
    statement = build_statement(PARTIES, INTERESTS)
    parties = tuple(party.model_copy(update={"name": "Jane\uffff"}) if party.id == "Jane" else party for party in statement.parties)
    assert "Jane\ufffd" in titles(parse(build_answer(statement.model_copy(update={"parties": parties}))))


def test_a_file_of_its_own_has_a_dark_and_a_light_look() -> None:
    answer = build_answer(build_statement(PARTIES, INTERESTS))
    assert "prefers-color-scheme" in draw_ownership(answer, Language.ENGLISH, has_own_colours=True)
    assert "<style" not in draw_ownership(answer, Language.ENGLISH)


@pytest.mark.parametrize("language", Language)
def test_it_is_in_the_language_of_the_reader_and_always_the_same(language: Language) -> None:
    answer = build_answer(build_statement(PARTIES, INTERESTS))
    assert parse(answer, language).get("lang") == language
    assert draw_ownership(answer, language) == draw_ownership(answer, language)
