"""Passwords: which are refused and why, that they are kept as argon2id, and that the same words match from every keyboard."""

import unicodedata
from importlib.resources import files

import pytest

from bonafide.errors import ValidationFailed
from bonafide.runtime import Runtime
from bonafide.services.accounts import common_passwords, passwords
from bonafide.settings import Settings
from tests.support.services.accounts import PASSWORD, with_settings

pytestmark = pytest.mark.anyio
KNOWN = ("ann@north.example", ["North Credit Union"])


@pytest.mark.parametrize("password", [PASSWORD, "twelve chars", "🍁🍁🍁🍁🍁🍁 🍁🍁🍁🍁🍁", "x" * 1023 + "y", "éèêë àâä îï ôö"])
def test_length_is_all_that_is_asked_for(password: str) -> None:
    passwords.check_password(password, *KNOWN)


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("eleven char", "at least 12"),
        # Twelve code points as some keyboards send them, eleven letters.
        (unicodedata.normalize("NFD", "eleven châr"), "at least 12"),
        ("", "at least 12"),
        ("x" * 1025, "at most 1024"),
        ("password1234", "too common"),
        ("Pass-Word 1234", "too common"),
        # Of the list, as it is and in the disguises that people think of.
        ("yourpassword", "too common"),
        ("1qazxsw23edc", "too common"),
        ("Sunshine-2026!", "too common"),
        ("20262026monkey", "too common"),
        ("dragondragon", "too common"),
        ("************", "too common"),
        ("Ann@North.example", "can’t be your email address"),
        ("north credit union", "can’t be your email address"),
        ("North-Credit-Union!", "can’t be your email address"),
    ],
)
def test_what_is_easily_guessed_is_refused_with_the_reason(password: str, reason: str) -> None:
    with pytest.raises(ValidationFailed, match=reason) as refusal:
        passwords.check_password(password, *KNOWN)
    assert [problem.path for problem in refusal.value.details] == ["password"]


def test_the_list_has_more_than_a_hundred_thousand_passwords_and_finds_few_others() -> None:
    content = (files(common_passwords.__package__) / common_passwords.FILTER).read_bytes()
    assert len(content) * 8 // common_passwords.BITS_PER_PASSWORD > 100_000
    share = sum(byte.bit_count() for byte in content) / (len(content) * 8)
    assert 0.4 < share < 0.55
    assert share**common_passwords.HASHES < 1e-4


def test_every_password_of_our_own_list_is_in_it() -> None:
    own = (files(common_passwords.__package__) / common_passwords.OWN_LIST).read_text("utf-8").splitlines()
    assert [password for password in own if not common_passwords.is_common(password)] == []


@pytest.mark.slow
def test_the_filter_is_made_of_the_most_frequent_and_of_all_long_enough() -> None:
    ranked = [f"word{number}" for number in range(common_passwords.MOST_FREQUENT)] + ["rare", "A Rare-Passphrase", "!!!"]
    chosen = common_passwords.select_passwords(ranked, ["Our own"])
    assert chosen - {f"word{number}" for number in range(common_passwords.MOST_FREQUENT)} == {"ararepassphrase", "ourown"}
    assert len(common_passwords.build_filter(["a", "b"])) == 2 * common_passwords.BITS_PER_PASSWORD // 8


async def test_a_password_is_kept_as_argon2id_with_a_salt_of_its_own(installation: Runtime) -> None:
    first, second = [await passwords.hash_password(installation, PASSWORD) for _ in range(2)]
    assert first.startswith("$argon2id$v=19$m=8,t=1,p=1$")
    assert first != second
    assert PASSWORD not in first


def test_by_default_a_hash_takes_what_the_standard_advises() -> None:
    settings = Settings()
    assert (settings.password_memory_kib, settings.password_passes, settings.password_lanes) == (65536, 3, 4)


async def test_only_the_same_words_match(installation: Runtime) -> None:
    kept = await passwords.hash_password(installation, PASSWORD)
    assert await passwords.verify_password(installation, kept, PASSWORD)
    for other in (PASSWORD.upper(), f"{PASSWORD} ", "", PASSWORD[:-1], PASSWORD * 100):
        assert not await passwords.verify_password(installation, kept, other)


async def test_a_letter_may_be_typed_as_one_character_or_as_two(installation: Runtime) -> None:
    kept = await passwords.hash_password(installation, "dix-sept loutres étonnées")
    assert await passwords.verify_password(installation, kept, unicodedata.normalize("NFD", "dix-sept loutres étonnées"))


@pytest.mark.parametrize("kept", [None, "", "no hash at all", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA"])
async def test_where_there_is_nothing_to_compare_with_nothing_matches(installation: Runtime, kept: str | None) -> None:
    assert not await passwords.verify_password(installation, kept, PASSWORD)


async def test_a_hash_of_other_parameters_is_out_of_date(installation: Runtime) -> None:
    kept = await passwords.hash_password(installation, PASSWORD)
    assert not passwords.is_outdated(installation.settings, kept)
    dearer = with_settings(installation, password_passes=2)
    assert passwords.is_outdated(dearer.settings, kept)
    assert await passwords.verify_password(dearer, kept, PASSWORD)
