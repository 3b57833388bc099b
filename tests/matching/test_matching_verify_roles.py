"""Words for what people are to a business, folded to the common categories in both languages."""

import pytest

from bonafide.matching.entries.register_codes import classify_role, has_role
from bonafide.model.entity import Person, RoleCategory

DIRECTOR, OFFICER = RoleCategory.DIRECTOR, RoleCategory.OFFICER


@pytest.mark.parametrize(
    ("role", "categories"),
    [
        ("Director", {DIRECTOR}),
        ("DIRECTOR / PRESIDENT", {DIRECTOR, OFFICER}),
        ("Managing Director", {DIRECTOR}),
        ("Executive Vice-President, Sales", {OFFICER}),
        ("Secretary-Treasurer", {OFFICER}),
        ("Administratrice", {DIRECTOR}),
        ("Président du conseil", {DIRECTOR}),
        ("Présidente", {OFFICER}),
        ("Directeur général", {OFFICER}),
        ("Director General", {OFFICER}),
        ("Vice-présidente", {OFFICER}),
        ("Actionnaire majoritaire", {RoleCategory.SHAREHOLDER}),
        ("Sole Proprietor", {RoleCategory.OWNER}),
        ("General Partner", {RoleCategory.PARTNER}),
        ("Commanditaire", {RoleCategory.PARTNER}),
        ("Agent for Service", {RoleCategory.AGENT}),
        ("Fondé de pouvoir", {RoleCategory.AGENT}),
        ("Court jester", set()),
        ("", set()),
    ],
)
def test_a_role_names_categories(role: str, categories: set[RoleCategory]) -> None:
    assert classify_role(role) == categories


def test_a_role_in_no_known_word_is_the_same_by_its_letters_alone() -> None:
    jester = Person(name="Yorick", roles=("Court Jester",))
    assert has_role(jester, "court jester")
    assert not has_role(jester, "Court musician")
