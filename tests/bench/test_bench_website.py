"""The measure of extraction counts a fact once it is the same fact, whatever its spelling, and an invention as one."""

from bonafide.model.entity import Address, RegistrationNumber
from bonafide.model.search.website import ContactInfo, Extracted, WebsitePerson
from bonafide_bench.measurements.extraction_accuracy import FactCounts, count_facts
from bonafide_sandbox.sites.content.ground_truth import PlantedAddress, SiteFacts

FACTS = SiteFacts(
    host="shop.sandbox.example",
    language="en",
    legal_name="FRASER'S PLUMBING LTD.",
    brand="Fraser's Plumbing",
    addresses=(PlantedAddress("12", "4", "Elm Street", "Guelph", "ON", "N1H 2B3"),),
    people=(("Jane Fraser", "Owner & Founder"),),
    registrations=(("gst", "990000010RT0001"),),
    emails=("info@shop.sandbox.example",),
    phones=("+15195550101",),
    fax="+15195550102",
    naics="238220",
)
ADDRESS = Address(street="Unit 4, 12 Elm St.", city="Guelph", province="ON", postal_code="N1H2B3")
WHOLE = Extracted(
    legal_name="Fraser’s Plumbing Ltd",
    addresses=(ADDRESS,),
    people=(WebsitePerson(name="Dr. Jane Fraser", roles=("Owner and Founder",)),),
    registrations=(RegistrationNumber(label="GST", value="990000010 RT0001"),),
    contact_info=ContactInfo(emails=("Info@shop.sandbox.example",), phone_numbers=("+15195550101", "+15195550102")),
)


def test_a_fact_is_the_same_in_another_spelling() -> None:
    for kind, tally in count_facts(FACTS, WHOLE).items():
        assert (tally.planted, tally.found, tally.invented) == (1, 1, []), kind


def test_what_is_not_found_is_missed() -> None:
    for kind, tally in count_facts(FACTS, Extracted()).items():
        if kind != "roles":  # of people whose name was not found nothing is asked
            assert (tally.found, tally.recall, tally.precision) == (0, 0.0, 1.0), kind
            assert len(tally.missed) == 1


def test_what_nobody_planted_is_invented() -> None:
    wrong = Extracted(
        legal_name="Fraser's Plumbing",
        addresses=(ADDRESS.model_copy(update={"street": "14 Elm Street"}), ADDRESS.model_copy(update={"postal_code": "N1H 2B4"})),
        people=(WebsitePerson(name="John Smith"),),
        registrations=(RegistrationNumber(label="GST", value="990000028"),),
        contact_info=ContactInfo(emails=("agency@mail.example",), phone_numbers=("+18005550199",)),
    )
    found = count_facts(FACTS, wrong)

    assert {kind: len(tally.invented) for kind, tally in found.items()} == {
        "legal name": 1,
        "addresses": 2,
        "people": 1,
        "roles": 0,
        "registrations": 1,
        "e-mails": 1,
        "phones": 1,
    }


def test_a_firm_without_another_name_may_be_called_by_its_brand() -> None:
    firm = SiteFacts(**{name: getattr(FACTS, name) for name in FACTS.__dataclass_fields__} | {"legal_name": None})
    [name, *_] = count_facts(firm, Extracted(legal_name="Fraser's Plumbing")).values()

    assert (name.planted, name.given, name.invented) == (0, 1, [])


def test_tallies_add_up() -> None:
    total = FactCounts()
    total.add(FactCounts(planted=3, found=2, given=4, missed=["a"], invented=["b", "c"]))
    total.add(FactCounts(planted=1, found=1, given=1))

    assert (total.recall, total.precision) == (0.75, 0.6)
