"""Registrations of one business: found by numbers, home numbers, and equal names with a stated home; never against a number."""

from typing import TypedDict, Unpack

import pytest

from bonafide.matching.entries.related_registrations import find_related_registrations
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import Relation

BN, OTHER_BN = "123456782", "990000010"
LABELS = {"FED": "Corporation Number", "ON": "Ontario Corporation Number", "AB": "Corporate Access Number", "YT": "Registry Number"}
HOME, AWAY, SAME = Relation.HOME_REGISTRATION, Relation.EXTRA_PROVINCIAL_REGISTRATION, Relation.SAME_BUSINESS


class HomeRegistration(TypedDict, total=False):
    """What a register states of a business's home."""

    home_jurisdiction: str
    home_number: str


def entry(
    register: str,
    number: str,
    name: str = "Acme Widgets Inc.",
    *,
    bn: str | None = None,
    numbers: tuple[RegistrationNumber, ...] = (),
    status_code: StatusCode = StatusCode.ACTIVE,
    **home: Unpack[HomeRegistration],
) -> RegistryEntry:
    own = RegistrationNumber(label=LABELS.get(register, "Registration Number"), value=number)
    business_numbers = (RegistrationNumber(label="Business Number (BN)", value=bn),) if bn else ()
    return RegistryEntry(
        entry_id=number,
        jurisdiction=Jurisdiction(register),
        legal_name=name,
        registration_numbers=(own, *business_numbers, *numbers),
        status_code=status_code,
        **home,
    )


def found(*entries: RegistryEntry) -> list[list[tuple[int, Relation]]]:
    return [[(related.place, related.relation) for related in own] for own in find_related_registrations(entries)]


NOTHING: list[list[tuple[int, Relation]]] = [[], []]


def test_a_federal_corporation_and_its_provincial_registration_share_a_business_number() -> None:
    federal, provincial = entry("FED", "4261607", bn=BN), entry("ON", "1000025", bn=f"{BN}RC0001")
    assert found(federal, provincial) == [[(1, AWAY)], [(0, HOME)]]
    assert find_related_registrations([federal, provincial])[0][0].evidence == "Both registers state the business number 123456782."


def test_two_provinces_with_one_business_number_are_one_business_whose_home_is_not_known() -> None:
    assert found(entry("ON", "1", bn=BN), entry("AB", "2", bn=BN)) == [[(1, SAME)], [(0, SAME)]]


def test_what_the_register_states_as_home_decides_which_of_them_it_is() -> None:
    assert found(entry("ON", "1", bn=BN), entry("AB", "2", bn=BN, home_jurisdiction="ON")) == [[(1, AWAY)], [(0, HOME)]]


def test_a_trade_name_of_a_federal_corporation_is_not_its_registration_elsewhere() -> None:
    assert found(entry("FED", "4261607", bn=BN), entry("ON", "1", "The Widget Shop", bn=BN)) == [[(1, SAME)], [(0, SAME)]]


def test_a_corporation_that_became_federal_was_at_home_where_it_came_from() -> None:
    left = entry("ON", "1", bn=BN, status_code=StatusCode.CONTINUED_OUT)
    assert found(entry("FED", "4261607", bn=BN), left) == [[(1, SAME)], [(0, SAME)]]


def test_a_shared_lei_is_one_business() -> None:
    lei = (RegistrationNumber(label="LEI", value="5493000IBP32UQZ0KL24"),)
    assert found(entry("ON", "1", numbers=lei), entry("AB", "2", "Another Name Ltd.", numbers=lei)) == [[(1, SAME)], [(0, SAME)]]


@pytest.mark.parametrize("home_number", ["426160-7", "4261607", "0426160-7", "Corp. no. 426160-7"])
def test_a_home_number_leads_home_however_it_was_typed(home_number: str) -> None:
    away = entry("YT", "530561", "Acme Widgets (Yukon) Inc.", home_jurisdiction="FED", home_number=home_number)
    assert found(entry("FED", "4261607"), away) == [[(1, AWAY)], [(0, HOME)]]
    assert find_related_registrations([away, entry("FED", "4261607")])[0][0].evidence == (
        f"The register of Yukon states the number {home_number} in the home jurisdiction (Canada), "
        "which is the number of this registration."
    )


def test_two_registrations_away_from_one_home_number_are_one_business() -> None:
    away = (
        entry("YT", "1", home_jurisdiction="Delaware", home_number="55-1"),
        entry("AB", "2", home_jurisdiction="DELAWARE", home_number="551"),
    )
    assert found(*away) == [[(1, SAME)], [(0, SAME)]]


def test_equal_names_and_a_stated_home_are_one_business() -> None:
    home, away = entry("ON", "1", "Acme Widgets Incorporated"), entry("YT", "2", "ACME WIDGETS INC.", home_jurisdiction="ON")
    assert found(home, away) == [[(1, AWAY)], [(0, HOME)]]
    assert find_related_registrations([home, away])[1][0].evidence == (
        "The names are equal, and the register of Yukon states the home jurisdiction Ontario."
    )


def test_all_registrations_of_a_business_are_linked_with_each_other() -> None:
    home = entry("FED", "4261607", bn=BN)
    away = [entry(register, number, bn=BN, home_jurisdiction="FED") for register, number in (("ON", "1"), ("YT", "2"))]
    assert found(home, *away) == [[(1, AWAY), (2, AWAY)], [(0, HOME), (2, SAME)], [(0, HOME), (1, SAME)]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (entry("ON", "1"), entry("AB", "2")),  # two equal names and nothing else
        (entry("ON", "1"), entry("YT", "2", home_jurisdiction="AB")),  # from elsewhere
        (entry("ON", "1"), entry("YT", "2", "Acme Widgets Ltd.", home_jurisdiction="ON")),  # another legal form
        (entry("ON", "1", home_jurisdiction="FED"), entry("YT", "2", home_jurisdiction="ON")),  # itself from elsewhere
        (entry("ON", "1", bn=BN), entry("YT", "2", bn=OTHER_BN, home_jurisdiction="ON")),  # two business numbers
        (entry("ON", "1"), entry("YT", "2", home_jurisdiction="ON", home_number="7")),  # another home number
        (entry("ON", "1", home_jurisdiction="Delaware"), entry("ON", "2", home_jurisdiction="Delaware")),  # one register
        (entry("ON", "1", bn="123456789"), entry("AB", "2", bn="123456789")),  # a number that fails its check
    ],
)
def test_what_does_not_tell_that_two_are_one_leaves_them_apart(one: RegistryEntry, other: RegistryEntry) -> None:
    assert found(one, other) == NOTHING
    assert found(other, one) == NOTHING


def test_an_ontario_firms_number_is_not_the_business_number_that_looks_like_it() -> None:
    firm = entry("ON", "1", numbers=(RegistrationNumber(label="Business Identification Number", value=BN),))
    assert found(entry("FED", "4261607", bn=BN), firm) == NOTHING


def test_an_equal_name_that_could_be_of_two_is_nobodys() -> None:
    away = entry("YT", "3", home_jurisdiction="ON")
    assert found(entry("ON", "1"), entry("ON", "2"), away) == [[], [], []]


def test_a_number_decides_where_names_cannot() -> None:
    away = entry("YT", "3", home_jurisdiction="ON", bn=BN)
    assert found(entry("ON", "1"), entry("ON", "2", bn=BN), away) == [[], [(2, AWAY)], [(1, HOME)]]


def test_no_entries_have_no_relations() -> None:
    assert find_related_registrations([]) == []
