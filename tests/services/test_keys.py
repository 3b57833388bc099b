import re
from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.model.accounts.organizations import World
from bonafide.observability.log import redact
from bonafide.services.accounts import api_access


def test_a_key_says_which_world_it_is_for() -> None:
    assert re.fullmatch(r"bf_live_[0-9A-Za-z]{49}", api_access.generate_key(World.LIVE))
    assert re.fullmatch(r"bf_test_[0-9A-Za-z]{49}", api_access.generate_key(World.SANDBOX))


def test_no_two_keys_are_alike() -> None:
    assert len({api_access.generate_key(World.LIVE) for _ in range(1000)}) == 1000


def test_every_key_is_well_formed() -> None:
    assert all(api_access.is_well_formed(api_access.generate_key(world)) for world in World for _ in range(200))


def test_a_wrong_character_anywhere_is_told_without_a_database() -> None:
    key = api_access.generate_key(World.LIVE)
    wrong = [
        key[:place] + letter + key[place + 1 :]
        for place in range(len(key))
        for letter in api_access.ALPHABET
        if letter != key[place]
    ]
    assert not any(api_access.is_well_formed(text) for text in wrong)


def test_two_characters_that_changed_places_are_told() -> None:
    key = api_access.generate_key(World.SANDBOX)
    swapped = {key[:place] + key[place + 1] + key[place] + key[place + 2 :] for place in range(len(key) - 1)} - {key}
    assert not any(api_access.is_well_formed(text) for text in swapped)


def test_a_key_of_one_world_can_not_be_made_one_of_the_other() -> None:
    assert not api_access.is_well_formed(api_access.generate_key(World.LIVE).replace("live", "test"))


@pytest.mark.parametrize(
    "change", [str.upper, str.lower, lambda key: key[:-1], lambda key: key + "0", lambda key: f"{key}\n", str.title]
)
def test_a_key_that_was_copied_badly_is_told(change: Callable[[str], str]) -> None:
    assert not api_access.is_well_formed(change(api_access.generate_key(World.LIVE)))


@given(st.text())
def test_any_text_can_be_asked_about(text: str) -> None:
    assert not api_access.is_well_formed(text)
    assert not api_access.is_well_formed("bf_live_" + text)


def test_digits_of_other_scripts_are_no_digits() -> None:
    assert not api_access.is_well_formed("bf_live_" + "٣" * 49)


def test_only_the_digest_and_a_glimpse_are_kept() -> None:
    key = api_access.generate_key(World.LIVE)
    assert api_access.compute_key_digest(key) == sha256(key.encode()).hexdigest()
    assert api_access.get_visible_parts(key) == (key[:12], key[-4:])


def test_a_key_never_reaches_a_log_line() -> None:
    key = api_access.generate_key(World.LIVE)
    assert redact(None, "", {"event": f"refused {key}."}) == {"event": "refused bf_live_***."}
