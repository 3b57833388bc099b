"""Entries ranked against a query: names, evidence, order and explanation."""

from itertools import permutations

import pytest

from bonafide.matching.entries.query import Query
from bonafide.matching.entries.ranking import RankedEntry, rank_entries
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.entity import Address, NameHistoryItem, RegistrationNumber, StatusCode
from bonafide.model.entry import EntityKind, ListedEntity, RegistryEntry, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import FieldMatch, FieldStatus
from tests.support.matching.ranked_listings import rank_listed

HOME = Address(street="12 rue Orlov", city="Orlov", province="QC", postal_code="G1R 1A1")
ELSEWHERE = Address(street="900 Main St", city="Kwiatek", province="ON", postal_code="M5V 2T6")


def entry(name: str, entry_id: str = "1", **fields: object) -> RegistryEntry:
    return RegistryEntry.model_validate({"entry_id": entry_id, "jurisdiction": Jurisdiction.ON, "legal_name": name, **fields})


def numbers(*values: str) -> tuple[RegistrationNumber, ...]:
    return tuple(RegistrationNumber(label="Corporation Number", value=value) for value in values)


def ranked(query: Query, *entries: RegistryEntry, floor: float = 0.0, limit: int | None = None) -> list[RankedEntry[RegistryEntry]]:
    return rank_entries(query, entries, floor=floor, limit=limit)


def only(query: Query, candidate: RegistryEntry) -> RankedEntry[RegistryEntry]:
    (match,) = ranked(query, candidate)
    return match


def field(match: RankedEntry[RegistryEntry], name: str) -> FieldMatch:
    return next(item for item in match.explain() if item.field == name)


def test_without_evidence_the_score_is_the_name_s() -> None:
    match = only(
        Query(name="Zephyrine Bakery"), entry("Zephyrine Bakery Inc.", registration_numbers=numbers("1000017"), addresses=(HOME,))
    )
    assert match.score == match.name_score == 0.99
    assert [(item.field, item.label, item.status, item.score) for item in match.explain()] == [
        ("legalName", "Legal name", FieldStatus.MATCHED, 0.99),
        ("registrationNumber", "Registration number", FieldStatus.NOT_PROVIDED, None),
        ("address", "Address", FieldStatus.NOT_PROVIDED, None),
    ]


def test_evidence_that_the_entry_does_not_publish_is_not_held_against_it() -> None:
    match = only(Query(name="Zephyrine", registration_number="1000017", address=HOME), entry("Zephyrine"))
    assert match.score == 1
    assert field(match, "registrationNumber").status is FieldStatus.NOT_PUBLISHED
    assert field(match, "address").status is FieldStatus.NOT_PUBLISHED
    assert field(match, "address").submitted == "12 rue Orlov, Orlov, QC, G1R 1A1"


@pytest.mark.parametrize(
    ("score", "status"), [("Zephyrine Bakery", "matched"), ("Zephyrine Holdings Bakery", "partial"), ("Orlovska", "mismatched")]
)
def test_the_status_of_the_name_follows_its_score(score: str, status: str) -> None:
    assert field(only(Query(name="Zephyrine Bakery"), entry(score)), "legalName").status == status


def test_the_best_of_an_entry_s_names_counts_and_is_said() -> None:
    candidate = entry("Orlovska Ltd.", alternate_names=("Kwiatek", "Zephyrine Bakery"))
    match = only(Query(name="Zephyrine Bakery"), candidate)
    assert (match.name_score, match.matched_name) == (1, "Zephyrine Bakery")
    assert field(match, "legalName").found == "Zephyrine Bakery"
    assert field(match, "legalName").reason == "alternate name: same name"


def test_a_former_name_is_worth_slightly_less() -> None:
    candidate = entry("Orlovska Ltd.", name_history=(NameHistoryItem(type="Former", name="Zephyrine Bakery Ltd."),))
    match = only(Query(name="Zephyrine Bakery Ltd."), candidate)
    assert match.name_score == 0.98
    assert field(match, "legalName").reason == "former name: same name"


def test_a_name_in_two_languages_is_found_by_either() -> None:
    match = only(Query(name="Boulangerie Zéphyrine Ltée"), entry("Zephyrine Bakery Ltd. / Boulangerie Zéphyrine Ltée"))
    assert match.name_score == 0.99
    assert field(match, "legalName").reason == "one language of a bilingual name: same name"


@pytest.mark.parametrize(
    ("asked", "found", "score", "reason"),
    [
        ("Orla's Pizza", "1234567 Ontario Inc. o/a Orla's Pizza", 0.98, "trading name: same name"),
        ("1234567 Ontario Inc.", "1234567 Ontario Inc. o/a Orla's Pizza", 0.99, "legal part of the name: same name"),
        ("1234567 Ontario Inc. o/a Orla's Pizza", "Orla's Pizza", 0.98, "trading name in the request: same name"),
        ("Zephyrine Foods", "Orlovska Foods Ltd. (formerly Zephyrine Foods)", 0.98, "former name: same name"),
    ],
)
def test_a_part_of_a_name_stands_for_it_and_says_which_it_is(asked: str, found: str, score: float, reason: str) -> None:
    match = only(Query(name=asked), entry(found))
    assert (match.name_score, match.matched_name) == (score, found)
    assert field(match, "legalName").reason == reason


def test_one_trading_name_does_not_make_two_companies_one() -> None:
    match = only(Query(name="1234567 Ontario Inc. o/a Orla's Pizza"), entry("7654321 Ontario Inc. o/a Orla's Pizza"))
    assert match.name_score < 0.7


def test_a_name_is_broken_down_to_its_words_with_what_each_counts() -> None:
    rarity = WordRarity(1_000_000, {"orlovska": 4_000})
    (match,) = rank_entries(
        Query(name="Orlovska Bakry Toronto"), [entry("Orlovska Bakery Kwiatek")], floor=0, limit=1, rarity=rarity
    )
    breakdown = field(match, "legalName").breakdown
    assert breakdown is not None
    assert [(pair.submitted, pair.found, pair.difference, pair.weight) for pair in breakdown.matched] == [
        ("orlovska", "orlovska", "equal", rarity.weight("orlovska")),
        ("bakry", "bakery", "slip", 0.5),
    ]
    assert [(word.word, word.weight) for word in breakdown.missing] == [("toronto", 0.35)]
    assert [(word.word, word.weight) for word in breakdown.added] == [("kwiatek", 1.0)]
    assert [step.feature for step in breakdown.factors] == ["words"]


@pytest.mark.parametrize(("name", "lowest"), [("Zephyrine Bakery", 1.0), ("Zephyrine Holdings", 0.97), ("Orlovska Kwiatek", 0.85)])
def test_an_equal_number_makes_the_business_certain(name: str, lowest: float) -> None:
    match = only(
        Query(name="Zephyrine Bakery", registration_number="100-0017"), entry(name, registration_numbers=numbers("1000017"))
    )
    assert match.score >= lowest
    number = field(match, "registrationNumber")
    assert (number.status, number.score, number.found) == (FieldStatus.MATCHED, 1, "1000017")
    assert "same number" in number.reason


def test_an_equal_number_is_certain_from_0_95_on_only_with_a_name_that_is_at_all_alike() -> None:
    query = Query(name="Zephyrine Bakery", registration_number="1000017")
    assert only(query, entry("Orlovska Kwiatek", registration_numbers=numbers("1000017"))).score < 0.95


def test_another_number_of_the_same_kind_lowers_the_score() -> None:
    match = only(
        Query(name="Zephyrine", registration_number="1000017"), entry("Zephyrine", registration_numbers=numbers("2345678"))
    )
    assert match.score == 0.9
    assert field(match, "registrationNumber").status is FieldStatus.MISMATCHED


def test_a_number_with_one_wrong_digit_says_so_and_costs_nothing() -> None:
    match = only(
        Query(name="Zephyrine", registration_number="1000018"), entry("Zephyrine", registration_numbers=numbers("1000017"))
    )
    assert match.score == 1
    assert field(match, "registrationNumber").status is FieldStatus.PARTIAL


def test_a_number_of_another_register_says_nothing() -> None:
    match = only(
        Query(name="Zephyrine", registration_number="1160000017"), entry("Zephyrine", registration_numbers=numbers("1000017"))
    )
    assert match.score == 1
    assert field(match, "registrationNumber").status is FieldStatus.NOT_PUBLISHED


def test_any_of_an_entry_s_numbers_may_agree() -> None:
    candidate = entry("Zephyrine", registration_numbers=numbers("1000017", "100000009"))
    assert field(only(Query(name="Zephyrine", registration_number="100000009RC0001"), candidate), "registrationNumber").score == 1


def test_an_address_moves_the_score_a_little() -> None:
    agreeing = Query(name="Zephyrine Holdings", address=HOME)
    near, far = entry("Zephyrine", addresses=(ELSEWHERE, HOME)), entry("Zephyrine", addresses=(ELSEWHERE,))
    plain = only(Query(name="Zephyrine Holdings"), near).score
    assert only(agreeing, near).score == pytest.approx(plain + 0.02)
    assert only(agreeing, far).score == pytest.approx(plain - 0.03)
    assert field(only(agreeing, near), "address").status is FieldStatus.MATCHED
    assert field(only(agreeing, near), "address").found == "12 rue Orlov, Orlov, QC, G1R 1A1"


def test_only_an_equal_name_is_1_whatever_the_address() -> None:
    assert only(Query(name="Zephyrine Inc.", address=HOME), entry("Zephyrine", addresses=(HOME,))).score == 0.99
    assert only(Query(name="Zephyrine", address=HOME), entry("Zephyrine", addresses=(HOME,))).score == 1


def test_an_address_never_makes_another_name_a_match() -> None:
    for other in ("Zephyrine Services", "Bank of the West", "Orlovska"):
        assert only(Query(name="Zephyrine Holdings", address=HOME), entry(other, addresses=(HOME,))).score < 0.7


def test_equal_scores_are_ordered_by_form_then_status_then_id_never_by_insertion() -> None:
    dissolved, active = {"status_code": StatusCode.DISSOLVED}, {"status_code": StatusCode.ACTIVE}
    query = Query(name="Zephyrine Bakery Ltd.", registration_number="1000017")
    number = {"registration_numbers": numbers("1000017")}
    entries = [
        entry("Zephyrine Bakery Limited", "a", **number, **active),
        entry("Zephyrine Bakery Limited", "b", **number, **active),
        entry("Zephyrine Bakery Limited", "0", **number, **dissolved),
    ]
    for order in permutations(entries):
        assert [match.entry.entry_id for match in ranked(query, *order)] == ["a", "b", "0"]


def test_the_floor_and_the_limit_hold() -> None:
    entries = [entry("Zephyrine", "1"), entry("Zephyrine Holdings", "2"), entry("Orlovska", "3")]
    assert [match.entry.entry_id for match in ranked(Query(name="Zephyrine"), *entries, floor=0.7)] == ["1", "2"]
    assert [match.entry.entry_id for match in ranked(Query(name="Zephyrine"), *entries, floor=0.7, limit=1)] == ["1"]


def test_regulatory_entries_are_ranked_by_the_same_rules() -> None:
    licence = RegulatoryEntry(entry_id="1", legal_name="Zephyrine", join_numbers=numbers("100000009"))
    (match,) = rank_entries(Query(name="Zefirine", registration_number="100000009"), [licence], floor=0.7, limit=None)
    assert match.score >= 0.85


ZOFIA = ScreeningSubject("Zofia Kwiatek")


def listed(name: str, entry_id: str = "1", **fields: object) -> ListedEntity:
    return ListedEntity.model_validate({"entry_id": entry_id, "entity_type": EntityKind.PERSON, "name": name, **fields})


def test_a_listing_says_which_of_its_names_matched_and_how_each_scored() -> None:
    (match,) = rank_listed(ZOFIA, [listed("ORLOVSKA, Marta", aliases=("KWIATEK, Zofia", "Zofia Kwiatkova"))], floor=0.7)
    assert (match.matched_name, match.score) == ("KWIATEK, Zofia", 1)
    assert match.name_scores[0].name == "KWIATEK, Zofia"
    assert len(match.name_scores) == 3
    assert match.name_scores == tuple(sorted(match.name_scores, key=lambda item: -item.score))
    assert match.fields[0].reason == "listed alias: same name"


def test_a_weak_alias_is_capped() -> None:
    (match,) = rank_listed(ZOFIA, [listed("ORLOVSKA, Marta", weak_aliases=("Zofia Kwiatek",))], floor=0.7)
    assert match.score == 0.9
    assert "weak" in match.fields[0].reason


def test_listings_below_the_floor_are_left_out_and_the_rest_is_in_order() -> None:
    entities = [
        listed("KWIATEK, Zofia", "b"),
        listed("KWIATEK, Zofia", "a"),
        listed("ORLOVSKA, Marta", "c"),
        listed("KWIATEK, Zofia M.", "0"),
    ]
    assert [match.entry.entry_id for match in rank_listed(ZOFIA, entities, floor=0.7)] == ["a", "b", "0"]


# ------------------------------------------------------------------------------------------------- the requested number first


TWIN = "Zephyrine Holdings Inc."


@pytest.mark.parametrize("other", [numbers("2345678"), numbers("1160000017"), numbers("1000018"), ()])
@pytest.mark.parametrize("name", ["Zephyrine Group Ltd.", "Orlovska Kwiatek"])
def test_an_entry_with_the_requested_number_ranks_above_an_equal_name(name: str, other: tuple[RegistrationNumber, ...]) -> None:
    query = Query(name=TWIN, registration_number="1000017")
    entries = [entry(TWIN, "1", registration_numbers=other), entry(name, "2", registration_numbers=numbers("1000017"))]
    first, second = rank_entries(query, entries, floor=0.5, limit=None)
    assert (first.entry.legal_name, second.entry.legal_name) == (name, TWIN)
    assert first.score > second.score >= 0.5
    assert "another match has the requested number" in field(second, "registrationNumber").reason
    assert "another match" not in field(first, "registrationNumber").reason


def test_without_an_entry_that_has_the_number_the_scores_stay() -> None:
    query = Query(name=TWIN, registration_number="1160000017")
    (match,) = rank_entries(query, [entry(TWIN, "1", registration_numbers=numbers("1000018"))], floor=0.5, limit=None)
    assert match.score == 1


def test_an_entry_with_another_number_stays_above_the_floor() -> None:
    query = Query(name=TWIN, registration_number="1000017")
    entries = [entry(TWIN, "1"), entry("Orlovska Kwiatek", "2", registration_numbers=numbers("1000017"))]
    first, second = rank_entries(query, entries, floor=0.85, limit=None)
    assert (first.entry.entry_id, second.entry.entry_id) == ("2", "1")
    assert first.score >= second.score >= 0.85
