"""People: what each role may, which spellings of an address are one person's, and what may be one at all."""

import pytest
from pydantic import ValidationError

from bonafide.model.accounts.users import PERMISSIONS, Permission, Role, UserRequest, is_email, normalize_email


def test_each_role_may_all_that_the_one_below_it_may() -> None:
    assert PERMISSIONS[Role.VIEWER] == {Permission.READ}
    assert PERMISSIONS[Role.ANALYST] == {Permission.READ, Permission.WORK}
    assert PERMISSIONS[Role.OWNER] == set(Permission)
    assert PERMISSIONS.keys() == set(Role)


@pytest.mark.parametrize("spelling", ["ann@north.example", "Ann@North.Example", " ANN@NORTH.EXAMPLE\n"])
def test_capitals_and_spaces_around_an_address_do_not_count(spelling: str) -> None:
    assert normalize_email(spelling) == "ann@north.example"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("groß@north.example", "gross@north.example"),
        ("\N{KELVIN SIGN}im@north.example", "kim@north.example"),
        ("D\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}@north.example", "di@north.example"),
        ("é@north.example", "e\N{COMBINING ACUTE ACCENT}@north.example"),
        ("\N{FULLWIDTH LATIN SMALL LETTER A}nn@north.example", "ann@north.example"),
    ],
)
def test_letters_that_only_look_alike_are_two_people_s(one: str, other: str) -> None:
    assert normalize_email(one) != normalize_email(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ann@north.example", True),
        ("zoë@école.example", True),
        ("", False),
        ("ann", False),
        ("@north.example", False),
        ("ann@", False),
        ("ann @north.example", False),
        ("ann@north.example\x00", False),
        ("\ud800@north.example", False),
        (f"{'x' * 5000}@north.example", False),
    ],
)
def test_an_address_has_two_parts_and_nothing_that_can_not_be_printed(text: str, expected: object) -> None:
    assert is_email(text) is expected


@pytest.mark.parametrize(
    "changes", [{"email": "ann"}, {"organization": " "}, {"role": "king"}, {"name": "x\x00"}, {"world": "moon"}]
)
def test_a_user_is_asked_for_in_full(changes: dict[str, str]) -> None:
    request = {"email": "ann@north.example", "organization": "north"}
    assert UserRequest.model_validate(request).role is Role.ANALYST
    with pytest.raises(ValidationError):
        UserRequest.model_validate(request | changes)
