"""What makes two people, addresses, phone numbers and websites equal, and what does not."""

import pytest

from bonafide.matching.connections.connection_keys import SharedTrait, list_address_keys, list_record_traits
from bonafide.model.entity import Address
from bonafide.model.records.business_record import CallerFields, MainAddress, RecordAddress, RecordPerson
from bonafide.model.records.connections import AddressLevel, ConnectionKind

SUITE = MainAddress(street="100 King Street West", unit="200", city="Toronto", province="ON", postal_code="M5X 1A9")


def traits(**fields: object) -> list[SharedTrait]:
    return list_record_traits(CallerFields.model_validate(fields))


def keys(kind: ConnectionKind, **fields: object) -> frozenset[str]:
    return frozenset(key for trait in traits(**fields) if trait.kind is kind for key in trait.keys)


def at(level: AddressLevel) -> frozenset[str]:
    return next(trait.keys for trait in traits(address=SUITE) if trait.level is level)


def test_a_record_without_anything_has_nothing_to_share() -> None:
    assert traits(name="Acme Inc.") == []


@pytest.mark.parametrize(
    "address",
    [
        Address(street="200-100 King Street West", city="Toronto", province="ON", postal_code="M5X 1A9"),
        Address(street="100 King St. W., Suite 200", city="TORONTO", province="Ontario", postal_code="m5x1a9"),
        Address(raw="100 KING ST W, UNIT 200, TORONTO ON M5X 1A9"),
        Address(street="100 King St W Suite 200", city="Toronto", province="ON"),
    ],
    ids=lambda address: address.raw or address.street,
)
def test_one_suite_in_several_spellings(address: Address) -> None:
    found = list_address_keys([address])
    assert not found.isdisjoint(at(AddressLevel.UNIT))
    assert not found.isdisjoint(at(AddressLevel.BUILDING))


@pytest.mark.parametrize("street", ["100 King Street West", "100 King St W, Suite 201"])
def test_another_suite_is_the_same_building(street: str) -> None:
    found = list_address_keys([Address(street=street, city="Toronto", province="ON", postal_code="M5X 1A9")])
    assert found.isdisjoint(at(AddressLevel.UNIT))
    assert not found.isdisjoint(at(AddressLevel.BUILDING))


@pytest.mark.parametrize(
    "address",
    [
        Address(street="102 King Street West", city="Toronto", province="ON", postal_code="M5X 1A9"),
        Address(street="100 Queen Street West", city="Toronto", province="ON", postal_code="M5X 1A9"),
        Address(street="100 King Street West", city="Hamilton", province="ON"),
        Address(street="100 King Street East", city="Toronto", province="ON"),
        Address(street="100 King Street West", city="Toronto"),
        Address(city="Toronto", province="ON", postal_code="M5X 1A9"),
        Address(raw="Toronto"),
        Address(),
    ],
)
def test_another_building_or_no_building(address: Address) -> None:
    assert list_address_keys([address]).isdisjoint(at(AddressLevel.UNIT) | at(AddressLevel.BUILDING))


def test_numbered_streets_of_one_city_differ_by_type_and_direction() -> None:
    lines = ("100 5 Ave SW", "100 5 St SW", "100 5 Ave SE")
    found = [list_address_keys([Address(street=line, city="Calgary", province="AB")]) for line in lines]
    assert all(found)
    assert frozenset.intersection(*found) == frozenset()
    assert found[0].isdisjoint(found[1] | found[2])


def test_a_post_office_box_is_a_unit_without_a_building() -> None:
    box = RecordAddress(street="PO Box 118", city="Guelph", province="ON", postal_code="N1H 6J6")
    (trait,) = traits(addresses=(box,))
    assert (trait.kind, trait.level) == (ConnectionKind.ADDRESS, AddressLevel.UNIT)
    assert not trait.keys.isdisjoint(list_address_keys([Address(raw="Box 118, Guelph ON N1H 6J6")]))
    assert trait.keys.isdisjoint(list_address_keys([Address(raw="Box 119, Guelph ON N1H 6J6")]))


def test_the_unit_of_a_further_address_counts() -> None:
    further = RecordAddress(street="100 King Street West", unit="200", city="Toronto", province="ON", postal_code="M5X 1A9")
    assert frozenset(key for trait in traits(addresses=(further,)) for key in trait.keys) == at(AddressLevel.UNIT) | at(
        AddressLevel.BUILDING
    )
    assert len(traits(address=SUITE, addresses=(further,))) == 2


@pytest.mark.parametrize(
    "address",
    [
        RecordAddress(raw="100 King Street West, Toronto ON M5X 1A9", unit="200"),
        RecordAddress(raw="100 King Street West, Toronto ON M5X 1A9", unit="Suite 200"),
        RecordAddress(raw="200-100 King Street West, Toronto ON M5X 1A9", unit="200", country="Canada"),
        RecordAddress(raw="100 King Street West", unit="200", city="Toronto", province="ON", postal_code="M5X 1A9"),
        RecordAddress(raw="200-100 King Street West, Toronto ON M5X 1A9", city="Toronto"),
        RecordAddress(raw="100 King Street West, Toronto ON M5X 1A9", street="100 King Street West", unit="200"),
    ],
    ids=str,
)
def test_a_further_address_in_one_line_with_some_of_its_parts(address: RecordAddress) -> None:
    found = keys(ConnectionKind.ADDRESS, addresses=(address,))
    assert found == at(AddressLevel.UNIT) | at(AddressLevel.BUILDING)


def test_an_address_that_only_earlier_releases_accepted_has_keys() -> None:
    accepted = MainAddress(street="100 King\u200b Street West", unit="200", city="Toronto", province="ON", postal_code="M5X 1A9")
    assert not keys(ConnectionKind.ADDRESS, address=accepted).isdisjoint(at(AddressLevel.UNIT))
    assert traits(address=MainAddress(street="", unit="", city="Toronto", province="ON")) == []


def test_a_box_in_a_building_is_its_unit() -> None:
    box = {"city": "Guelph", "province": "ON"}
    unit, building = traits(address=MainAddress(street="123 Main St, PO Box 45", **box))
    assert (unit.level, building.level) == (AddressLevel.UNIT, AddressLevel.BUILDING)
    other = list_address_keys([Address(street="123 Main Street, PO Box 46", **box)])
    assert unit.keys.isdisjoint(other)
    assert building.keys <= other
    suite = list_address_keys([Address(street="123 Main Street, Suite 4, PO Box 45", **box)])
    assert unit.keys.isdisjoint(suite)


def test_two_spellings_of_a_building_are_one_trait() -> None:
    by_code = RecordAddress(street="100 King Street West", unit="300", postal_code="M5X 1A9")
    by_city = RecordAddress(street="100 King Street West", unit="400", city="Toronto", province="ON")
    buildings = [trait for trait in traits(address=SUITE, addresses=(by_code, by_city)) if trait.level is AddressLevel.BUILDING]
    assert [trait.keys for trait in buildings] == [at(AddressLevel.BUILDING)]
    assert len(buildings[0].queries) == 3


def test_only_the_parts_of_an_address_are_searched() -> None:
    street = "c/o Smith & Wong Law LLP, Attention: Accounts Payable Department, 100 King Street West, Suite 200"
    _, building = traits(address=MainAddress(street=street, city="Toronto", province="ON", postal_code="M5X 1A9"))
    (query,) = building.queries
    assert query == traits(address=SUITE)[0].queries[0]
    assert query.number == "100"
    assert query.lines == ("100 King Street West, 200, M5X 1A9", "100 King Street West, 200, Toronto")


@pytest.mark.parametrize("name", ["Margaret Okafor", "OKAFOR, Margaret", "Ms. Margaret  Okafor"])
def test_a_person_of_equal_name(name: str) -> None:
    one = keys(ConnectionKind.DIRECTOR, people=(RecordPerson(name="Margaret Okafor"),))
    assert len(one) == 1
    assert keys(ConnectionKind.DIRECTOR, people=(RecordPerson(name=name),)) == one


@pytest.mark.parametrize("name", ["M. Okafor", "Margaret B. Okafor", "Margaret Okafour"])
def test_a_similar_name_is_not_equal(name: str) -> None:
    one = keys(ConnectionKind.DIRECTOR, people=(RecordPerson(name="Margaret Okafor"),))
    assert keys(ConnectionKind.DIRECTOR, people=(RecordPerson(name=name),)).isdisjoint(one)


def test_a_father_and_his_son_are_two_people() -> None:
    names = ("John Smith", "John Smith Jr.", "John Smith Sr.")
    found = [keys(ConnectionKind.DIRECTOR, people=(RecordPerson(name=name),)) for name in names]
    assert len(frozenset().union(*found)) == 3
    assert keys(ConnectionKind.DIRECTOR, people=(RecordPerson(name="Smith, John, Junior"),)) == found[1]


def test_a_single_name_says_too_little() -> None:
    assert keys(ConnectionKind.DIRECTOR, people=(RecordPerson(name="Bo"),)) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "416-555-0123",
        "+1 (416) 555.0123",
        "tel:+1-416-555-0123;ext=45",
        "1 416 555 0123 ext. 4",
        "(416) 555-0123 poste 12",
        "416-555-0123x45",
        "416-555-0123ext45",
        "416-555-0123 (ext. 45)",
        "416-555-0123, local 45",
        "416-555-0123 #45",
        "011 1 416 555 0123",
    ],
)
def test_a_phone_number_in_several_spellings(text: str) -> None:
    one = keys(ConnectionKind.PHONE, phone_number="4165550123")
    assert len(one) == 1
    assert keys(ConnectionKind.PHONE, phone_number=text) == one


def test_a_foreign_number_with_a_plus_sign_or_as_it_is_dialled() -> None:
    one = keys(ConnectionKind.PHONE, phone_number="+44 20 7946 0123")
    assert len(one) == 1
    assert keys(ConnectionKind.PHONE, phone_number="011 44 20 7946 0123 ext. 4") == one
    assert keys(ConnectionKind.PHONE, phone_number="011 44 20 7946 0124").isdisjoint(one)


@pytest.mark.parametrize("text", ["416-555-0124", "555-0123", "unknown", "+44 20 7946 0123", "12"])
def test_another_phone_number_or_none(text: str) -> None:
    assert keys(ConnectionKind.PHONE, phone_number=text).isdisjoint(keys(ConnectionKind.PHONE, phone_number="4165550123"))


@pytest.mark.parametrize(
    "text", ["https://www.bakery.example/about?x=1", "bakery.example", "HTTP://Bakery.Example:80/", "bakery.example/?u=http://x"]
)
def test_a_website_in_several_spellings(text: str) -> None:
    one = keys(ConnectionKind.WEBSITE, website="https://bakery.example")
    assert len(one) == 1
    assert keys(ConnectionKind.WEBSITE, additional_websites=(text,)) == one


def test_a_host_of_many_businesses_is_shared_with_its_path_only() -> None:
    one = keys(ConnectionKind.WEBSITE, website="https://www.facebook.com/Bakery/")
    assert one == keys(ConnectionKind.WEBSITE, website="facebook.com/bakery")
    assert one.isdisjoint(keys(ConnectionKind.WEBSITE, website="https://facebook.com/birch"))
    assert keys(ConnectionKind.WEBSITE, website="https://facebook.com/") == frozenset()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("facebook.com/profile.php?id=1", "facebook.com/profile.php?id=2"),
        ("fr-ca.facebook.com/bakery", "fr-ca.facebook.com/birch"),
        ("g.page/bakery", "g.page/birch"),
        ("https://www.google.com/maps/place/Bakery", "https://www.google.com/maps/place/Birch"),
        ("https://maps.google.com/?cid=1", "https://maps.google.com/?cid=2"),
        ("https://www.yellowpages.ca/bus/1.html", "https://www.yellowpages.ca/bus/2.html"),
        ("bakery.etsy.com", "birch.etsy.com"),
    ],
)
def test_pages_of_a_shared_host_differ(one: str, other: str) -> None:
    found = [keys(ConnectionKind.WEBSITE, website=text) for text in (one, other)]
    assert list(map(len, found)) == [1, 1]
    assert found[0].isdisjoint(found[1])


def test_one_page_of_a_shared_domain_in_two_languages() -> None:
    one = keys(ConnectionKind.WEBSITE, website="facebook.com/profile.php?id=1")
    assert keys(ConnectionKind.WEBSITE, website="https://fr-ca.facebook.com/profile.php?locale=fr_CA&id=1&utm_source=x") == one


@pytest.mark.parametrize("text", ["https://", "//", "localhost", "https://[::1", "\ud800"])
def test_what_is_no_website_has_no_key(text: str) -> None:
    assert keys(ConnectionKind.WEBSITE, website=text) == frozenset()


def test_kinds_never_share_a_key() -> None:
    found = [trait.keys for trait in traits(phone_number="4165550123", website="4165550123.example", address=SUITE)]
    assert sum(map(len, found)) == len(frozenset().union(*found))
