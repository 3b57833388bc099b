"""Single words of listed names: letters of other scripts, sounds, slips, numbers in a name, and the names in a name."""

import pytest

from bonafide.matching.names.listed_words import (
    compare_listed_words,
    get_listed_weight,
    parse_place,
    stem_adjective,
    strip_attached_form,
)
from bonafide.matching.people.name_part_similarity import compare_name_parts
from bonafide.matching.people.person_name_parsing import parse_listed_person_name
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance
from bonafide.matching.screening.name_parsing import (
    extract_identifiers,
    list_compared_words,
    parse_listed_name,
    parse_organization_name,
    parse_subject,
    split_listed_name,
)
from bonafide.matching.text.phonetics import build_consonant_skeleton, build_sound_key, is_consonantal
from bonafide.matching.text.transliteration import is_non_latin, transliterate
from bonafide.model.entry import EntityKind
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import WordDifference


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Зофия Щёголева", "Zofiya Shchegoleva"),
        ("Зеленьський", "Zelenskiy"),
        ("Παπαδόπουλος", "Papadopoulos"),
        ("عبدالرحمن السوري", "abd al rhmn al swry"),
        ("محمد بن علي", "mohammed bin ali"),
        ("مُحَمَّد", "mohammed"),
        ("اورلوفي", "orlwfy"),
        ("אברהם כהן", "avraham cohen"),
        ("王晓明", "Wang Xiao Ming"),
        ("김정", "Gim Jeong"),
        ("გიორგი", "giorgi"),
        ("Zofia Łukasz Müller", "Zofia Łukasz Müller"),
        ("Zofia Орлова 12", "Zofia Orlova 12"),
        ("", ""),
    ],
)
def test_other_scripts_are_read_in_latin_letters(text: str, read: str) -> None:
    assert transliterate(text) == read


def test_accents_are_no_other_script() -> None:
    assert not any(map(is_non_latin, ["Zofia", "Łukasz Müller", "Đặng Ngọc", "O’Brien™"]))
    assert all(map(is_non_latin, ["Орлова", "KIM 김", "Ζωή"]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("khaled", "halid"), ("zhukov", "joukov"), ("hussein", "khusain"), ("tchaikovi", "chaykovi"),
        ("gaddafi", "qadhafi"), ("yevgeni", "evgeny"), ("vladimir", "wladimir"), ("schmidt", "shmit"),
    ],
)  # fmt: skip
def test_words_that_sound_alike_have_one_key(one: str, other: str) -> None:
    assert build_sound_key(one) == build_sound_key(other)


def test_words_that_sound_differently_have_not() -> None:
    assert len({build_sound_key(word) for word in ("kwiatek", "orlova", "mohammed", "marta", "bertha")}) == 5


def test_what_a_script_without_vowels_leaves_of_a_word() -> None:
    assert build_consonant_skeleton("mhmd") == build_consonant_skeleton("mohamed") == build_consonant_skeleton("muhamed")
    assert build_consonant_skeleton("awrlwfy") == build_consonant_skeleton("orlofi")
    assert is_consonantal("rhmn")
    assert not is_consonantal("rahman")


@pytest.mark.parametrize(
    ("one", "other", "way"),
    [
        ("bob", "robert", WordDifference.NICKNAME),
        ("z", "zofia", WordDifference.INITIAL),
        ("zawahiri", "alzawahiri", WordDifference.JOINED),
        ("kwiatek", "kwiatik", WordDifference.SLIP),
        ("khalidov", "halidof", WordDifference.SOUND),
        ("maria", "marta", None),
        ("sara", "safa", None),
        ("a", "al", None),
        ("bush", "habbash", None),
    ],
)
def test_parts_of_names_of_people(one: str, other: str, way: WordDifference | None) -> None:
    there, back = compare_name_parts(one, other), compare_name_parts(other, one)
    assert there == back
    assert (there.difference if there is not None else None) is way


@pytest.mark.parametrize(
    ("one", "other", "way"),
    [
        ("iran", "iraq", None),
        ("iran", "iranian", WordDifference.EQUIVALENT),
        ("zavod", "plant", WordDifference.EQUIVALENT),
        ("ryazan", "ryazanskiy", WordDifference.EQUIVALENT),
        ("argument", "jscargument", WordDifference.JOINED),
        ("zephyrine", "zephirine", WordDifference.SLIP),
        ("mining", "dining", None),
        ("zephyrine", "safarin", None),
    ],
)
def test_words_of_organizations(one: str, other: str, way: WordDifference | None) -> None:
    there, back = compare_listed_words(one, other), compare_listed_words(other, one)
    assert (there is None) is (back is None)
    assert (there.difference if there is not None else None) is way


def test_a_word_out_of_another_script_may_be_spelt_by_ear() -> None:
    assert compare_listed_words("tsitadel", "citadell") is None
    assert compare_listed_words("tsitadel", "citadel", Tolerance(foreign=True)) is not None


@pytest.mark.parametrize(
    ("typos", "length", "slips"), [(0, 12, 0), (1, 4, 0), (1, 5, 1), (1, 9, 1), (1, 10, 2), (2, 6, 1), (2, 7, 2), (2, 12, 2)]
)
def test_how_many_letters_may_be_wrong(typos: int, length: int, slips: int) -> None:
    assert Tolerance(typos).count_allowed_typos(length) == slips


def test_the_usual_leeway_is_one_typo_and_all_variants() -> None:
    assert (DEFAULT_TOLERANCE.typos, DEFAULT_TOLERANCE.variants) == (1, True)


def test_what_lists_are_full_of_counts_little() -> None:
    assert get_listed_weight("movement") == get_listed_weight("zavod")
    assert get_listed_weight("tehran") == get_listed_weight("iranian")
    assert get_listed_weight("zephyrine") is None
    assert parse_place("iranian") == parse_place("iran") == "IR"
    assert (
        stem_adjective("ryazanskogo"),
        stem_adjective("zephyrine"),
        strip_attached_form("ojscargument"),
        strip_attached_form("oao"),
    ) == (
        "ryazan",
        "zephyrine",
        "argument",
        "oao",
    )


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("Joint Stock Company Zephyrine", "zephyrine"),
        ("Zephyrine Open Joint-Stock Company", "zephyrine"),
        ("LLC «Zephyrine»", "zephyrine"),
        ("OBSHCHESTVO S OGRANICHENNOI OTVETSTVENNOSTYU ZEPHYRINE", "zephyrine"),
        ("Zephyrine Jont Stock Company", "zephyrine"),
        ("MV Zephyrine", "zephyrine"),
        ("MV", "mv"),
        ("Joint Stock Company", "joint stock company"),
        ("The Zephyrine Centre", "zephyrine center"),
    ],
)
def test_legal_forms_are_no_words_wherever_they_stand(text: str, core: str) -> None:
    assert " ".join(parse_organization_name(text).core) == core


@pytest.mark.parametrize(
    ("text", "parts", "joined"),
    [
        ("Abd al-Rahman al-Orlovi", "abdul rahman al orlovi", "abdulrahman al orlovi"),
        ("Abdurrahman Orlovi", "abdul rahman orlovi", "abdurrahman orlovi"),
        ("ORLOVI, Abdel Aziz", "abdul aziz orlovi", "abdulaziz orlovi"),
        ("Abd Allah Orlovi", "abdullah orlovi", None),
        ("Abdallah Orlovi", "abdullah orlovi", "abdallah orlovi"),
        ("Saif ud-Din Orlovi", "saifuddin orlovi", None),
        ("Haji Zofia Kwiatek", "haji zofia kwiatek", None),
        ("Abdul", "abdul", None),
    ],
)
def test_compounds_of_arabic_names_are_read_in_one_way(text: str, parts: str, joined: str | None) -> None:
    name = parse_listed_person_name(text)
    assert " ".join(name.parts) == parts
    assert (" ".join(name.joined.parts) if name.joined is not None else None) == joined


@pytest.mark.parametrize(
    ("text", "keys", "rest"),
    [
        ("MV Zephyrine (IMO 9187629)", {"9187629"}, "MV Zephyrine"),
        ("IMO: 9187629", {"9187629"}, "IMO: 9187629"),
        ("9187629", {"9187629"}, "9187629"),
        ("INN 7712345678 Zephyrine", {"7712345678"}, "Zephyrine"),
        ("Passport No. AB 123456", {"AB123456"}, "Passport No. AB 123456"),
        ("5367541 Yukon Inc.", set(), "5367541 Yukon Inc."),
        ("Zephyrine 2010", set(), "Zephyrine 2010"),
        ("12345", set(), "12345"),
        ("Zephyrine", set(), "Zephyrine"),
    ],
)
def test_numbers_that_a_name_states(text: str, keys: set[str], rest: str) -> None:
    stated = extract_identifiers(text)
    assert (set(stated.keys), stated.rest) == (keys, rest)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Zephyrine Drilling (ZD)", ["Zephyrine Drilling"]),
        ("Zephyrine (Orlovska Trading)", ["Zephyrine", "Orlovska Trading"]),
        ("Zofia (a.k.a. Zosia) Kwiatek", ["Zofia Kwiatek"]),
        ("Zofia Kwiatek / Zosia Kwiatek", ["Zofia Kwiatek", "Zosia Kwiatek"]),
        ("KIM Orlov 김오를로", ["KIM Orlov"]),
        ("ZEPHYRINЕ Trading", []),  # the last letter of the first word is Cyrillic
        ("Zephyrine/Orlovska", []),
        ("Zephyrine", []),
    ],
)
def test_the_names_in_a_name(text: str, parts: list[str]) -> None:
    assert split_listed_name(text) == parts


def test_a_title_in_brackets_is_no_name() -> None:
    listed = [reading.reading for reading in parse_listed_name("Zofia Kwiatek (Major General)", EntityKind.PERSON)]
    subject = parse_subject(ScreeningSubject(name="Zuhra Orlovska (Major General)", entity_type=EntityKind.PERSON))
    titles = ("major", "general")
    assert titles not in [list_compared_words(reading) for reading in listed]
    assert titles not in [reading.name.parts for reading in subject.people]
    assert ("zuhra", "orlovska") in [reading.name.parts for reading in subject.people]
