"""The roll of all listed parties: whatever a comparison with every party would show, it finds."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.party_matching import ListedNameComparator, ParsedListedEntity, parse_listed_entity, rank_parties
from bonafide.matching.screening.screening_index import ScreeningIndex, build_indexed_party
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide_sandbox.generator.canadian_listings import create_listings
from tests.support.matching.ranked_listings import rank_listed
from tests.support.sampling import WHOLE

FLOOR = 0.7
_SCRIPTS = ("Зофия Квятек", "محمد بن حسن", "王晓明", "Общество с ограниченной ответственностью Зефирин")


def parties() -> list[ListedEntity]:
    """Invented parties of all kinds, some in another script, some with a number."""
    found = []
    for place, listing in enumerate(create_listings(7)[:900]):
        name = listing.entity or f"{listing.last_name}, {listing.given_name}"
        kind = EntityKind.VESSEL if listing.imo else EntityKind.ORGANIZATION if listing.entity else EntityKind.PERSON
        aliases = tuple(alias.strip() for alias in (listing.aliases or "").split(";") if any(map(str.isalnum, alias)))
        numbers = (RegistrationNumber(label="IMO number", value=listing.imo),) if listing.imo else ()
        found.append(ListedEntity(entry_id=str(place), entity_type=kind, name=name, aliases=aliases, identifiers=numbers))
    for text in _SCRIPTS:
        kind = EntityKind.ORGANIZATION if text.startswith("Общ") else EntityKind.PERSON
        found.append(ListedEntity(entry_id=text, entity_type=kind, name=text))
    return found


PARTIES = parties()
NEARBY = PARTIES[::9]
"""Few enough to compare every one of them with many names."""
ROLL = ScreeningIndex(
    [build_indexed_party(entry.entity_type, entry.list_search_names(), entry.list_search_numbers()) for entry in PARTIES]
)


def disturbed(name: str, chance: Random) -> Iterator[str]:
    """Ways in which somebody may write a name."""
    words = name.replace(",", "").split()
    long = [word for word in words if len(word) > 4]
    yield name
    yield " ".join(chance.sample(words, len(words)))
    if len(words) > 1:
        yield "".join(words[:2]) + " " + " ".join(words[2:])
        yield " ".join(words[1:])
        yield f"{words[0][0]}. {' '.join(words[1:])}"
    if long:
        word = chance.choice(long)
        place = chance.randrange(len(word))
        yield name.replace(word, word[:place] + word[place + 1 :], 1)
        yield name.replace(word, word[:place] + "x" + word[place:], 1)
        yield name.replace(word, f"{word[:3]} {word[3:]}", 1)
    yield f"{name} Trading Ltd."


def subjects() -> list[ScreeningSubject]:
    chance = Random(11)  # noqa: S311 - a sample, not a secret
    names = [text for entry in chance.sample(PARTIES, 14 if WHOLE else 5) for text in disturbed(entry.name, chance)]
    plain = [ScreeningSubject(text) for text in dict.fromkeys([*names, *_SCRIPTS, "Zofiya Kvyatek", "Mohammed bin Hassan"])]
    strict = [ScreeningSubject(subject.name, typo_tolerance=0, name_variants=False) for subject in plain[::9]]
    kinds = [ScreeningSubject(subject.name, entity_type=kind) for subject in plain[::13] for kind in EntityKind]
    return [*plain, *strict, *kinds]


@pytest.mark.slow
def test_it_finds_whatever_a_comparison_with_every_party_would_show() -> None:
    shown = 0
    for subject in subjects():
        read = parse_subject(subject)
        near = [ParsedListedEntity(PARTIES[one.place], ROLL.parties[one.place].names, one.likely) for one in ROLL.find(read, FLOOR)]
        wanted = rank_listed(subject, PARTIES, floor=FLOOR)
        assert rank_parties(ListedNameComparator(read), near, floor=FLOOR) == wanted, subject
        shown += len(wanted)
    assert shown > 50


def test_it_does_not_propose_many_more_than_are_shown() -> None:
    proposed = shown = 0
    for read in map(parse_subject, subjects()):
        near = [ParsedListedEntity(PARTIES[one.place], ROLL.parties[one.place].names, one.likely) for one in ROLL.find(read, FLOOR)]
        proposed, shown = proposed + len(near), shown + len(rank_parties(ListedNameComparator(read), near, floor=FLOOR))
    assert shown <= proposed < 3 * shown


def test_a_number_finds_its_party() -> None:
    numbered = next(entry for entry in PARTIES if entry.identifiers)
    (one,) = ROLL.find(parse_subject(ScreeningSubject(f"IMO {numbered.identifiers[0].value}")), 0.95)
    assert PARTIES[one.place] is numbered


@pytest.mark.parametrize(
    "text", ["?", "的", "Mr", "a", "The Company Ltd.", "x" * 300, "a b c d e f g h i j k l m n o p q r s t u v w x y z"]
)
def test_a_text_that_is_hardly_a_name_finds_nobody(text: str) -> None:
    assert ROLL.find(parse_subject(ScreeningSubject(text)), FLOOR) == []


def test_an_empty_roll_finds_nobody() -> None:
    assert ScreeningIndex([]).find(parse_subject(ScreeningSubject("Zofia Kwiatek")), FLOOR) == []


def test_words_that_registers_are_full_of_count_less() -> None:
    entry = ListedEntity(entry_id="1", entity_type=EntityKind.ORGANIZATION, name="Zephyrine Orlovska Kwiatek")
    roll = ScreeningIndex([build_indexed_party(entry.entity_type, [entry.name], [])])
    common = WordRarity(100_000, {"zephyrine": 50_000})
    asked = parse_subject(ScreeningSubject("Zephyrine Orlovska"))
    assert roll.find(asked, 0.5, common)[0].estimate < roll.find(asked, 0.5)[0].estimate


@pytest.mark.parametrize("floor", [0.7, 0.85])
def test_a_party_that_scores_enough_is_proposed(floor: float) -> None:
    shown = 0
    for subject in subjects()[::7]:
        places = {one.place for one in ROLL.find(parse_subject(subject), floor)}
        wanted = {party.entry.entry_id for party in rank_listed(subject, NEARBY, floor=floor)}
        assert wanted <= {PARTIES[place].entry_id for place in places}, subject
        shown += len(wanted)
    assert shown > 0


def test_searches_of_several_threads_do_not_disturb_each_other() -> None:
    read = [parse_subject(subject) for subject in subjects()]
    wanted = [ROLL.find(subject, FLOOR) for subject in read]
    with ThreadPoolExecutor(4) as pool:
        found = [list(pool.map(lambda subject: ROLL.find(subject, FLOOR), read)) for _ in range(3)]
    assert found == [wanted] * 3


def test_equal_names_are_compared_once() -> None:
    one = ListedEntity(entry_id="1", entity_type=EntityKind.PERSON, name="Zofia Kwiatek")
    comparator = ListedNameComparator(parse_subject(ScreeningSubject("Zofia Kwiatek")))
    ranked = rank_parties(comparator, map(parse_listed_entity, [one, one.model_copy(update={"entry_id": "2"})]), floor=FLOOR)
    assert [(found.entry.entry_id, found.score) for found in ranked] == [("1", 1.0), ("2", 1.0)]
    assert ranked[0].names[0].comparison is ranked[1].names[0].comparison


def test_a_name_reaches_a_score_exactly_if_its_comparison_does() -> None:
    reached = compared = 0
    for subject in subjects()[::4]:
        screened = parse_subject(subject)
        for party in (ROLL.parties[one.place] for one in ROLL.find(screened, FLOOR)):
            for name in party.names:
                comparison = ListedNameComparator(screened).compare(name, party.kind).comparison
                for floor in (FLOOR, 0.85, comparison.score):
                    comparator = ListedNameComparator(screened)
                    assert comparator.reaches(name, party.kind, floor) is (comparison.score >= floor)
                    assert comparator.compare(name, party.kind).comparison == comparison
                    reached, compared = reached + (comparison.score >= floor), compared + 1
    assert 0 < reached < compared
