"""The rules by which queries are disturbed: each does what it is called, the same for the same chance, and knows what is left."""

from random import Random

import pytest
from rapidfuzz.distance import OSA

from bonafide_bench.datasets.corruptions import RULES, SHARES, CorruptionKind, corrupt_name

ENGLISH = "Maple Ridge Construction & Roofing Ltd."
FRENCH = "Boulangerie Générale du Nord Ltée"
NUMBERED = "9123-4567 Québec inc."
NAMES = (ENGLISH, FRENCH, NUMBERED, ENGLISH.upper(), "Zed", "Smith Dental Limited Liability Partnership", "A & B")
CHANCES = range(30)


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - a sample, not a secret


def all_of(name: str, kind: CorruptionKind) -> set[str]:
    return {found.text for seed in CHANCES if (found := corrupt_name(name, kind, chance(seed))) is not None}


@pytest.mark.parametrize("kind", CorruptionKind)
def test_the_same_chance_disturbs_in_the_same_way(kind: CorruptionKind) -> None:
    for name in NAMES:
        assert [corrupt_name(name, kind, chance(seed)) for seed in CHANCES] == [
            corrupt_name(name, kind, chance(seed)) for seed in CHANCES
        ]


@pytest.mark.parametrize("kind", [kind for kind in CorruptionKind if kind is not CorruptionKind.EXACT])
def test_a_disturbed_name_differs_from_the_name_and_is_not_empty(kind: CorruptionKind) -> None:
    for name in NAMES:
        for text in all_of(name, kind):
            assert text.strip()
            assert text != name


def test_every_way_has_a_rule_and_a_share() -> None:
    assert set(RULES) == set(SHARES) == set(CorruptionKind)


def test_a_slip_is_one_edit_in_one_word() -> None:
    for name in (ENGLISH, FRENCH):
        found = all_of(name, CorruptionKind.SLIP)
        assert len(found) > 10
        assert {OSA.distance(name.casefold(), text.casefold()) for text in found} == {1}


def test_two_slips_in_a_word_leave_the_other_words_alone() -> None:
    for text in all_of(ENGLISH, CorruptionKind.TWO_SLIPS):
        changed = [(one, other) for one, other in zip(ENGLISH.split(), text.split(), strict=True) if one != other]
        assert len(changed) == 1
        assert OSA.distance(*map(str.casefold, changed[0])) == 2


def test_slips_in_two_words_are_one_edit_in_each() -> None:
    for text in all_of(ENGLISH, CorruptionKind.SLIPS_IN_TWO):
        pairs = zip(ENGLISH.casefold().split(), text.casefold().split(), strict=True)
        distances = [OSA.distance(one, other) for one, other in pairs]
        assert sorted(distances)[-3:] == [0, 1, 1]


def test_a_legal_form_is_exchanged_dropped_or_added() -> None:
    found = all_of(FRENCH, CorruptionKind.FORM)
    assert "Boulangerie Générale du Nord" in found
    assert all(text.startswith("Boulangerie Générale du Nord") for text in found)
    assert len(found) > 3
    assert {text.split()[0] for text in all_of("Zed", CorruptionKind.FORM)} == {"Zed"}
    assert {text.rpartition(" ")[2] for text in all_of(ENGLISH.upper(), CorruptionKind.FORM)} <= {
        *("ROOFING", "LIMITED", "LTÉE", "LIMITÉE", "INC.", "CORP.", "LTD"),
    }


def test_words_are_dropped_added_and_swapped_within_the_name() -> None:
    assert all(len(text.split()) == len(ENGLISH.split()) - 1 for text in all_of(ENGLISH, CorruptionKind.DROPPED))
    assert all(len(text.split()) == len(ENGLISH.split()) + 1 for text in all_of(ENGLISH, CorruptionKind.ADDED))
    assert all(sorted(text.split()) == sorted(ENGLISH.split()) for text in all_of(ENGLISH, CorruptionKind.SWAPPED))
    assert all(text.endswith("Ltd.") for text in all_of(ENGLISH, CorruptionKind.DROPPED) | all_of(ENGLISH, CorruptionKind.SWAPPED))


def test_added_words_speak_the_language_of_the_name() -> None:
    assert any("Groupe" in text for text in all_of(FRENCH, CorruptionKind.ADDED))
    assert not any("Groupe" in text for text in all_of(ENGLISH, CorruptionKind.ADDED))


def test_accents_are_lost_where_there_are_any() -> None:
    assert all_of(FRENCH, CorruptionKind.ACCENTS) == {"Boulangerie Generale du Nord Ltee"}
    assert all_of(ENGLISH, CorruptionKind.ACCENTS) == set()


def test_words_are_joined_and_split_letter_for_letter() -> None:
    for kind in (CorruptionKind.JOINED, CorruptionKind.SPLIT):
        for text in all_of(ENGLISH, kind):
            assert text.replace(" ", "").casefold() == ENGLISH.replace(" ", "").casefold()
            assert abs(len(text.split()) - len(ENGLISH.split())) == 1


def test_a_number_is_grouped_otherwise_or_has_one_slip() -> None:
    assert all_of(NUMBERED, CorruptionKind.NUMBER) == {"91234567 Québec inc.", "91,234,567 Québec inc.", "91 234 567 Québec inc."}
    assert all(OSA.distance(text, NUMBERED) == 1 for text in all_of(NUMBERED, CorruptionKind.DIGIT))
    assert all_of("12 Elm Street", CorruptionKind.DIGIT) == set()


def test_the_word_and_is_written_otherwise() -> None:
    assert all_of(ENGLISH, CorruptionKind.AND) == {ENGLISH.replace("&", "and"), ENGLISH.replace("&", "et")}
    assert all_of("Frères et Filles", CorruptionKind.AND) == {"Frères & Filles"}


def test_words_are_abbreviated_as_people_do_or_cut_short() -> None:
    found = all_of(ENGLISH, CorruptionKind.SHORTENED)
    assert "Maple Ridge Const. & Roofing Ltd." in found
    assert any(OSA.distance(text, ENGLISH) > 1 and "Const." not in text for text in found)


def test_what_is_left_of_the_name_is_remembered() -> None:
    for kind in (
        CorruptionKind.SLIP,
        CorruptionKind.TWO_SLIPS,
        CorruptionKind.SLIPS_IN_TWO,
        CorruptionKind.JOINED,
        CorruptionKind.SPLIT,
        CorruptionKind.ADDED,
    ):
        meant = {found.meant for seed in CHANCES if (found := corrupt_name(ENGLISH, kind, chance(seed))) is not None}
        assert meant == {ENGLISH}
    for seed in CHANCES:
        dropped = corrupt_name(ENGLISH, CorruptionKind.DROPPED, chance(seed))
        assert dropped is not None
        assert dropped.meant == dropped.text
        cut = corrupt_name("Boulangerie du Nord", CorruptionKind.SHORTENED, chance(seed))
        assert cut is not None
        assert cut.meant == "du Nord"


def test_combinations_are_of_several_ways() -> None:
    assert len(all_of(ENGLISH, CorruptionKind.COMBINED)) > len(CHANCES) / 2
    assert all_of("", CorruptionKind.COMBINED) == set()
