"""Look-alike letters: folded in words of mixed script, in index and query alike; words in one script stay as they are."""

import unicodedata

import pytest

from bonafide.matching.entries.index_terms import build_business_terms, build_person_terms
from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.confusables import find_mixed_words, list_disguised_readings, unify_scripts
from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.transliteration import is_non_latin, transliterate
from tests.support.matching.confusables_table import read_lookalikes, render_table

DISGUISED = (
    "Sandboх",  # Cyrillic х
    "Ѕandbox",  # Cyrillic Ѕ
    "ЅАNDВОХ",  # four Cyrillic letters
    "Saոdbox",  # Armenian ո
    "Sandbοx",  # Greek ο
    "Sandᏼox",  # Cherokee
    "ꜱᴀɴᴅʙᴏx",  # small capitals
    "🅂🄰🄽🄳🄱🄾🅇",  # squared letters
    "🅢🅐🅝🅓🅑🅞🅧",  # negative circled letters
    "Ｓａｎｄｂｏｘ",  # full width
    "𝐒𝐚𝐧𝐝𝐛𝐨𝐱",  # mathematical
    "Sandbo\u200bх",  # the Cyrillic letter behind a zero-width space
    "Sɑndbox",  # Latin alpha
)


@pytest.mark.parametrize("name", DISGUISED)
def test_a_disguised_name_is_the_name(name: str) -> None:
    assert fold(name) == "sandbox"
    assert normalise(f"{name} Trading Ltd.")[1:] == normalise("Sandbox Trading Ltd.")[1:]


@pytest.mark.parametrize("name", DISGUISED)
def test_the_index_has_the_words_of_the_name(name: str) -> None:
    [plain, disguised] = build_business_terms(["Sandbox Trading Ltd.", f"{name} Trading Ltd."]).words
    assert disguised == plain
    [plain, disguised] = build_person_terms(["Jane Sandbox", f"Jane {name}"]).words
    assert disguised == plain


@pytest.mark.parametrize(
    "name", ["РАО", "Сбербанк", "ТАТА", "Αλφα", "Հայաստան", "ᐃᓄᒃᑎᑐᑦ", "Ελληνική Εταιρεία", "ООО Ромашка", "中信银行"]
)
def test_a_word_in_one_script_stays_as_it_is(name: str) -> None:
    assert unify_scripts(name) == unicodedata.normalize("NFC", name)
    assert find_mixed_words(name) == []
    assert is_non_latin(name)


@pytest.mark.parametrize(
    "name",
    [
        "Boulangerie d’Été",
        "L’Épicerie",
        "Ø Æ Œ",
        "B2B",
        "1st Choice",
        "LINE株式会社",
        "Yahoo!ジャパン",
        "IT-компания",
        "Ltd. ООО",
        "L'Αθηνα",
        "d’Ромашка",
    ],
)
def test_scripts_side_by_side_are_no_mixed_words(name: str) -> None:
    assert find_mixed_words(name) == []
    assert unify_scripts(name) == name


def test_a_latin_letter_in_a_word_of_another_script_is_folded_the_other_way() -> None:
    assert unify_scripts("Газпрoм") == "Газпром"
    assert transliterate("Газпрoм") == transliterate("Газпром")


def test_the_letters_of_a_word_that_fits_no_script_are_folded_as_far_as_possible() -> None:
    assert find_mixed_words("Gаzпром Bank") == ["Gаzпром"]
    assert unify_scripts("Gаzпром").startswith("Gaz")


def test_a_letter_behind_an_apostrophe_or_a_period_belongs_to_the_word() -> None:
    assert normalise("Sandbo'х Ltd.").core == ("sandbox",)
    assert normalise("A.В.C. Ltd.").core == ("abc",)


def test_mixed_words_are_listed_once_and_in_order() -> None:
    assert find_mixed_words("Sandboх and Вank of Sandboх") == ["Sandboх", "Вank"]


@pytest.mark.parametrize(
    ("name", "readings"),
    [
        ("ТАТА Steel", ["TATA Steel"]),
        ("S4ndb0x Trading", ["Sandbox Trading"]),
        ("$andbox", ["sandbox"]),
        ("B1ue W1ng", ["Biue Wing", "Blue Wlng"]),
        ("Sandbox", []),
        # Ordinary names with digits have no other reading, or one that resembles no name.
        *[(name, []) for name in ("B2B", "1st", "3M", "K9", "A1 Taxi", "U2", "4261607 Canada Inc.", "24/7", "H2O", "9187629")],
        ("4Refuel", ["aRefuel"]),
    ],
)
def test_digits_in_place_of_letters_are_further_readings(name: str, readings: list[str]) -> None:
    assert sorted(list_disguised_readings(name)) == readings


def test_the_index_keeps_digits_in_words() -> None:
    assert [words for (words,) in (build_business_terms([name]).words for name in ("B2B", "4Refuel", "Farm2Fork"))] == [
        ("b2b",),
        ("4refuel",),
        ("farm2fork",),
    ]


def test_the_table_is_generated_from_the_standard() -> None:
    lines = [
        "# Version: 17.0.0",
        "0430 ;\t0061 ;\tMA\t# ( а → a ) CYRILLIC SMALL LETTER A → LATIN SMALL LETTER A\t#",
        "0412 ;\t0042 ;\tMA\t# ( В → B ) CYRILLIC CAPITAL LETTER VE → LATIN CAPITAL LETTER B\t#",
        "0399 ;\t006C ;\tMA\t# ( Ι → l ) GREEK CAPITAL LETTER IOTA → LATIN SMALL LETTER L\t#",
        "043A ;\t0138 ;\tMA\t# ( к → ĸ ) CYRILLIC SMALL LETTER KA → LATIN SMALL LETTER KRA\t#",
        "0417 ;\t0033 ;\tMA\t# ( З → 3 ) CYRILLIC CAPITAL LETTER ZE → DIGIT THREE\t#",
        "05D5 ;\t006C ;\tMA\t# ( ו → l ) HEBREW LETTER VAV → LATIN SMALL LETTER L\t#",
        "FF21 ;\t0041 ;\tMA\t# ( Ａ → A ) FULLWIDTH LATIN CAPITAL LETTER A → LATIN CAPITAL LETTER A\t#",
    ]
    assert read_lookalikes(lines) == {"а": "a", "В": "B", "в": "b", "Ι": "I", "к": "k"}
    assert render_table(lines).endswith('"B": "В"\n"I": "Ι"\n"a": "а"\n"b": "в"\n"k": "к"\n')


def test_the_table_has_letters_that_look_like_one_ascii_letter() -> None:
    table = read_table("confusables")
    assert all(len(letter) == 1 and letter.isascii() and letter.isalpha() for letter in table)
    sources = "".join(table.values())
    assert len(set(sources)) == len(sources)
    assert all(source.isalpha() and not source.isascii() for source in sources)
    assert {"а", "е", "о", "р", "с", "х", "у", "ο", "ո", "һ"} <= set(sources)
