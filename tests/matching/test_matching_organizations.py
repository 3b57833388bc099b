"""Organizations: what lists, registers and customers write in different ways, and what makes another entity."""

import pytest

from bonafide.matching.names.best_name_match import compare_name_texts
from bonafide.matching.names.name_alignment import FIELD_WIDTHS
from bonafide.matching.names.name_parts import PartKind, split_name_parts
from bonafide.matching.names.phrases import unify_phrases
from bonafide.matching.scoring.word_similarity import compare_words, is_scanned_alike
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.party_matching import compare_listed_name_texts
from bonafide.matching.screening.screening_index import ScreeningIndex, build_indexed_party
from bonafide.matching.text.word_classes import is_frequent, is_listed
from bonafide.model.entry import EntityKind
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import WordDifference

REVIEW, ALERT = 0.8, 0.85


def screened(requested: str, listed: str, kind: EntityKind = EntityKind.ORGANIZATION) -> float:
    return compare_listed_name_texts(requested, listed, kind).score


@pytest.mark.parametrize(
    ("requested", "listed"),
    [
        ("NII Zefirin JSC", "JOINT STOCK COMPANY SCIENTIFIC RESEARCH INSTITUTE ZEFIRIN"),
        ("NPO Zefirin", "Joint Stock Company Scientific and Production Association Zefirin"),
        ("Orlovsky Radiozavod, PAO", "Public Joint Stock Company Orlovsky Radio Plant"),
        ("АО НИИ Зефирин", "Zefirin Research Institute JSC"),
        ("ZefirinAG", "Zefirin AG"),
        ("Zefirin Aktiengeselschaft", "Zefirin AG"),
        ("Zefirin Publicly Traded Company", "PUBLIC JOINT-STOCK COMPANY ZEFIRIN"),
        ("3 Zefirins", "Three Zefirins"),
        ("Zefirin Orlovska Servis OOO", "Zefirin Orlovska Service LLC"),
        ("Zefirin Ministry of Defense", "Zefirin Ministry of Defence"),
        ("National Olympic Committee of Orlovia", "National Olympic Committee of Orlovia"),
    ],
)
def test_one_organization_in_two_spellings_alerts(requested: str, listed: str) -> None:
    assert screened(requested, listed) >= ALERT


@pytest.mark.parametrize(
    ("requested", "listed"),
    [
        ("Bank of Zefirin (Hong Kong) Limited", "Bank of Zefirin (Australia) Limited"),
        ("National Olympic Committee of Iran", "National Olympic Committee of Syria"),
        ("Korean Committee for Space Technology", "Korean Committee for Trade"),
        ("Interior Works Ltd.", "Exterior Works Ltd."),
        ("Orlovsky Optical Plant", "Kwiatek Optical Plant"),
    ],
)
def test_another_organization_stays_below_every_threshold(requested: str, listed: str) -> None:
    assert screened(requested, listed) < 0.7


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("Zephyrine LP", "Zephyrine Inc.", "a corporation is not a partnership"),
        ("Zephyrine Inc.", "Zephyrine LLP", "a partnership is not a corporation"),
        ("Zephyrine GP Inc.", "Zephyrine LP", "a limited partnership is not its general partner"),
        ("Zephyrine Orlovska Holdings Inc.", "Zephyrine Orlovska Inc.", "a holding company is not its operating company"),
        ("Zephyrine Orlovska", "Gestion Zephyrine Orlovska", "a holding company is not its operating company"),
    ],
)
def test_another_kind_of_entity_is_capped_and_said(one: str, other: str, said: str) -> None:
    for compared in (compare_name_texts(one, other), compare_listed_name_texts(one, other, EntityKind.ORGANIZATION)):
        assert compared.score < ALERT
        assert said in str(compared.reason)


@pytest.mark.parametrize(("one", "other"), [("Zephyrine", "Zephyrine LLP"), ("Zephyrine Ltd.", "Zephyrine Inc.")])
def test_a_missing_form_or_another_form_of_one_kind_is_no_other_entity(one: str, other: str) -> None:
    assert compare_name_texts(one, other).score >= ALERT


def test_initials_are_worth_a_look_only() -> None:
    for one, other in (("ZHT", "Zephyrine Harbour Trust"), ("Zephyrine Harbour Trust Orlovska Kwiatek", "ZHT Orlovska Kwiatek")):
        found = compare_name_texts(one, other)
        assert 0.7 <= found.score < REVIEW
        assert "initials" in str(found.reason)
        assert screened(one, other) < REVIEW


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CRA", "Agence du revenu du Canada"),
        ("Royal Canadian Mounted Police", "Gendarmerie royale du Canada"),
        ("Department of Forests", "Ministère des Forêts"),
        ("Zephyrine Public Health Agency", "Agence de la santé publique de Zephyrine"),
    ],
)
def test_english_and_french_names_of_one_body(one: str, other: str) -> None:
    assert compare_name_texts(one, other).score >= ALERT
    assert compare_name_texts(other, one).score == compare_name_texts(one, other).score


@pytest.mark.parametrize("width", sorted(FIELD_WIDTHS))
def test_a_name_that_a_field_cut_off_in_a_word_is_a_beginning(width: int) -> None:
    whole = f"Zephyrin{'e' * (width - 19)} Constructions Ltd."
    cut = whole[:width]
    assert cut.endswith(" Constructi")
    assert compare_name_texts(cut, whole).score >= 0.95
    assert compare_name_texts(whole, cut).score >= 0.95


def test_a_name_of_another_length_or_with_its_last_word_whole_is_not_cut_off() -> None:
    assert compare_name_texts("Zephyrine Interco", "Zephyrine Intercontinental Navigation").score < ALERT
    assert compare_name_texts("Zephyrine Orlovska Kwiatek", "Zephyrine Orlovska Kwiatek Navigation").score < 0.9


def test_screening_finds_a_name_by_its_initials_and_by_its_beginning() -> None:
    name = "Zefirin Harbour Intercontinental Navigation Workers"
    index = ScreeningIndex([build_indexed_party(EntityKind.ORGANIZATION, [name], [])])
    for requested in ("ZHINW", "Zefirin Harbour Intercontinental Na"):
        assert [found.place for found in index.find(parse_subject(ScreeningSubject(requested)), 0.7)] == [0], requested
    assert index.find(parse_subject(ScreeningSubject("ZHX")), 0.7) == []


@pytest.mark.parametrize(
    ("text", "legal", "trading"),
    [
        ("1234567 Ontario Inc. (Orla's Pizza)", "1234567 Ontario Inc.", "Orla's Pizza"),
        ("1234567 Ontario Inc. (Orla's Pizza", "1234567 Ontario Inc.", "Orla's Pizza"),
        ("1234567 B.C. Ltd. - Orla's Pizza", "1234567 B.C. Ltd.", "Orla's Pizza"),
        ("Orla's Pizza (9123-4567 Québec inc.)", "9123-4567 Québec inc.", "Orla's Pizza"),
        ("1234567 Canada Inc. c.o.b. Orla's Pizza", "1234567 Canada Inc.", "Orla's Pizza"),
        ("1234567 Canada inc. s/n Orla", "1234567 Canada inc.", "Orla"),
        ("1234567 Canada inc. faisant affaire sous Orla", "1234567 Canada inc.", "Orla"),
    ],
)
def test_a_name_beside_a_numbered_company_is_a_name_of_its_own(text: str, legal: str, trading: str) -> None:
    parts = {part.kind: part.text for part in split_name_parts(text)[1:]}
    assert parts == {PartKind.LEGAL: legal, PartKind.TRADING: trading}


@pytest.mark.parametrize(
    "text", ["Zephyrine (Canada) Inc.", "1234567 Ontario (Inc.)", "Highway 400 - Self Storage", "Zephyrine No. 1234567"]
)
def test_other_names_with_numbers_and_brackets_have_no_parts(text: str) -> None:
    assert len(split_name_parts(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Zephyrine inc. NEQ 1160000017",
        "Zephyrine inc. (NEQ : 1160000017)",
        "Zephyrine inc., BN 123456789 RC0001",
        "Zephyrine inc. corporation no. 1234567",
    ],
)
def test_a_number_of_the_business_inside_its_name_is_no_part_of_the_name(text: str) -> None:
    assert compare_name_texts(text, "Zephyrine inc.").score >= 0.95


def test_a_city_behind_the_name_costs_little_and_another_word_more() -> None:
    assert compare_name_texts("Zephyrine Halifax", "Zephyrine").score >= ALERT
    assert compare_name_texts("Zephyrine Kwiatek", "Zephyrine").score < ALERT
    assert compare_name_texts("Zephyrine Halifax", "Zephyrine Toronto").score < 0.7


@pytest.mark.parametrize(
    ("one", "other"), [("interior", "exterior"), ("boat", "boot"), ("nations", "national"), ("marble", "marbles")]
)
def test_two_frequent_words_are_not_a_word_and_its_misspelling(one: str, other: str) -> None:
    found = compare_words(one, other)
    assert found is None or found.difference is not WordDifference.SLIP


def test_a_word_is_frequent_in_english_or_french() -> None:
    assert all(map(is_frequent, ["boat", "boots", "forets", "bakery"]))
    assert not any(map(is_frequent, ["zephyrine", "orlovska", "bakry"]))
    assert not is_listed("boot")


@pytest.mark.parametrize(
    ("one", "other"),
    [("zephyr1ne", "zephyrine"), ("b0ral", "boral"), ("or1ovska", "orlovska"), ("kvviatek", "kwiatek"), ("bamaby", "barnaby")],
)
def test_characters_that_scanners_confuse_cost_little(one: str, other: str) -> None:
    found = compare_words(one, other)
    assert found is not None
    assert found.score >= 0.95
    assert found == compare_words(other, one)


def test_numbers_and_frequent_words_are_not_misread() -> None:
    assert not is_scanned_alike("1005", "loos")
    assert not is_scanned_alike("8055", "boss")
    assert not is_scanned_alike("clear", "dear")


def test_a_unified_phrase_is_in_the_breakdown_once() -> None:
    found = compare_listed_name_texts(
        "NPO of Zefirin JSC", "Scientific and Production Association Kwiatek", EntityKind.ORGANIZATION
    )
    breakdown = found.comparison.breakdown()
    assert [pair.found for pair in breakdown.matched] == ["research", "production", "association"]
    assert [one.word for one in breakdown.missing] == ["zefirin", "of", "jsc"]
    assert [one.word for one in breakdown.added] == ["kwiatek"]


def test_phrases_are_unified_and_other_words_kept() -> None:
    assert unify_phrases(("gosnii", "zefirin")) == ("state", "research", "institute", "zefirin")
    assert unify_phrases(("scientific", "and", "production", "plant", "and")) == ("research", "production", "plant", "and")
    assert unify_phrases(("aviazavod",)) == ("avia", "plant")
    assert unify_phrases(("zavod", "zefirin")) == ("zavod", "zefirin")
