"""Screening held against the real lists: every listed name finds its party, spoilt ones nearly all, and few businesses anybody.

The figures are printed at the end of the run. The names are read from the raw files (`sanctions_lists`); none is in the repository.
"""

import csv
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter

import pytest

from bonafide.matching.screening.name_parsing import list_compared_words, parse_organization_name, parse_subject
from bonafide.matching.screening.party_matching import (
    ListedNameComparator,
    ParsedListedEntity,
    parse_listed_entity,
    rank_parties,
    score_party,
)
from bonafide.matching.screening.screening_index import ScreeningIndex, build_indexed_party
from bonafide.model.query import ScreeningSubject
from bonafide_bench.real_names.listed_pairs import ListedPair, create_listed_pairs, reordered, slipped
from bonafide_bench.real_names.sanctions_lists import read_all
from tests.support.realdata.outcome_tables import Report
from tests.support.sampling import WHOLE

pytestmark = [pytest.mark.realdata, pytest.mark.slow]
SAME, VARIANT = 0.95, 0.85
LEAST_SPOILT = 0.96
"""A slip that makes another common name, or another syllable of a Chinese or Korean one, is another person."""
EVERY, SPOILT = (1, 5000) if WHOLE else (12, 800)
"""Of the lists' names and of Yukon's businesses one in so many is screened, and so many names are spoilt: all take minutes."""
UNREADABLE = 0.0005
"""Of the printed names: broken pieces of a line, such as half a passport number."""
MOST_ALARMS = {0.7: 0.005, 0.8: 0.001}
"""Of all names of businesses that nobody has listed, the share that may find anybody."""
LEAST_PRECISION, LEAST_F1 = 0.98, 0.94
"""Of all labelled pairs at the default threshold."""
LEAST_RECALL = {"another list's name": 0.75, "one letter wrong": 0.95, "another order": 0.95, "a word left out": 0.95}
LEAST_OF_SHIPS = 0.5
"""Many are renamed, and only their former names are on the other list."""
MOST_FALSE = {"person": 0.03, "organization": 0.01, "vessel": 0.04}


class Lists:
    """All parties of all lists, and the roll of them."""

    def __init__(self, folder: Path) -> None:
        started = perf_counter()
        self.parties = read_all(folder / "sanctions")
        self.read_s = perf_counter() - started
        self.roll = ScreeningIndex(
            [build_indexed_party(one.entity_type, one.list_search_names(), one.list_search_numbers()) for one in self.parties]
        )
        self.built_s = perf_counter() - started - self.read_s

    def own_score(self, place: int, text: str, floor: float) -> float:
        """What a party scores for a text, if the roll proposes it at this floor; 0 if it doesn't."""
        return self.own_scores([place], text, floor)[0]

    def own_scores(self, places: Sequence[int], text: str, floor: float) -> list[float]:
        """The same for several parties that have the name."""
        subject = parse_subject(ScreeningSubject(text))
        proposed = {found.place for found in self.roll.find(subject, floor)}
        comparator = ListedNameComparator(subject)
        scores = []
        for place in places:
            party = ParsedListedEntity(self.parties[place], self.roll.parties[place].names)
            found = score_party(comparator, party, floor) if place in proposed else None
            scores.append(found.score if found is not None else 0.0)
        return scores

    def best(self, text: str, floor: float) -> tuple[float, str]:
        """The best score that any party has for a text, and its name."""
        subject = parse_subject(ScreeningSubject(text))
        near = (
            ParsedListedEntity(self.parties[one.place], self.roll.parties[one.place].names, one.likely)
            for one in self.roll.find(subject, floor)
        )
        ranked = rank_parties(ListedNameComparator(subject), near, floor=floor)
        return (ranked[0].score, ranked[0].matched_name) if ranked else (0.0, "")

    def strong_names(self) -> Iterator[tuple[int, str]]:
        """Every primary name and strong alias, with its party's place."""
        for place, party in enumerate(self.parties):
            for text in dict.fromkeys([party.name, *party.aliases]):
                yield place, text


@pytest.fixture(scope="module")
def lists(shared_data: Path) -> Lists:
    return Lists(shared_data)


def test_every_strong_name_finds_its_own_party(lists: Lists, report: Report) -> None:
    names = list(lists.strong_names())[::EVERY]
    owners: dict[str, list[int]] = defaultdict(list)
    for place, text in names:
        owners[text].append(place)
    missed = [text for text, places in owners.items() for score in lists.own_scores(places, text, SAME) if score < SAME]
    report(
        f"screening: {len(lists.parties):,} parties, {lists.roll.name_count:,} names, read in {lists.read_s:.1f} s,"
        f" in memory after {lists.built_s:.1f} s more\n"
        f"own name at {SAME} or more: {len(names) - len(missed):,} of {len(names):,}; not: {'; '.join(missed[:8])}"
    )
    assert len(missed) <= UNREADABLE * len(names), missed


@pytest.mark.parametrize("spoil", [slipped, reordered])
def test_a_spoilt_name_finds_its_own_party(lists: Lists, report: Report, spoil: Callable[[str, random.Random], str | None]) -> None:
    chance = random.Random(1867)  # noqa: S311 - a sample, not a secret
    names = chance.sample(list(lists.strong_names()), SPOILT)
    asked = [(place, text, spoilt) for place, text in names if (spoilt := spoil(text, chance)) is not None]
    missed = [f"{text} | {spoilt}" for place, text, spoilt in asked if lists.own_score(place, spoilt, VARIANT) < VARIANT]
    share = 1 - len(missed) / len(asked)
    report(f"{spoil.__name__} at {VARIANT} or more: {share:.2%} of {len(asked):,}; not: {'; '.join(missed[:8])}")
    assert share >= LEAST_SPOILT


def test_hardly_a_business_of_yukon_finds_anybody(lists: Lists, shared_data: Path, report: Report) -> None:
    with (shared_data / "registries/YT/corporate_entities_2023-01.csv").open(encoding="utf-8-sig", newline="") as rows:
        names = [row["name"] for row in csv.DictReader(rows)][::EVERY]
    listed = {tuple(sorted(list_compared_words(name.reading))) for party in lists.roll.parties for name in party.names}
    started = perf_counter()
    best = {text: lists.best(text, min(MOST_ALARMS)) for text in dict.fromkeys(names)}
    elapsed_s = perf_counter() - started
    really = {text for text in best if tuple(sorted(parse_organization_name(text).core)) in listed and best[text][0] > 0}
    each_ms = elapsed_s / len(best) * 1e3
    lines = [f"Yukon: {len(names):,} names, {len(best):,} different, {len(really)} really listed; {each_ms:.2f} ms a name"]
    for threshold, most in MOST_ALARMS.items():
        alarms = [text for text in names if text not in really and best[text][0] >= threshold]
        examples = [f"{text} | {best[text][1]} {best[text][0]}" for text in dict.fromkeys(alarms)][:5]
        lines.append(f"  false alarms at {threshold}: {len(alarms)} = {len(alarms) / len(names):.3%}; {'; '.join(examples)}")
        assert len(alarms) <= most * len(names), alarms
    report("\n".join(lines))


def test_listed_pairs_are_told_apart(lists: Lists, report: Report) -> None:
    pairs = create_listed_pairs(lists.parties)
    scores = [_score(pair) for pair in pairs]
    assert len(pairs) >= 1000
    lines = [f"{len(pairs):,} labelled pairs{'':27}{'pairs':>7}{'>= 0.7':>8}{'>= 0.8':>8}{'>= 0.85':>8}{'>= 0.95':>8}"]
    shares: dict[str, float] = {}
    for category in dict.fromkeys(pair.category for pair in pairs):
        own = [score for pair, score in zip(pairs, scores, strict=True) if pair.category == category]
        shares[category] = _share(own, VARIANT)
        lines.append(f"  {category:46}{len(own):>7}" + "".join(f"{_share(own, floor):>8.3f}" for floor in (0.7, 0.8, 0.85, 0.95)))
    for threshold in (0.7, 0.8, VARIANT, 0.9):
        lines += [f"  {name:46} at {threshold}: {_measures(group, threshold)}" for name, group in _groups(pairs, scores).items()]
    report("\n".join(lines))
    for category, share in shares.items():
        kind, _, what = category.partition(": ")
        if what in LEAST_RECALL:
            assert share >= (LEAST_OF_SHIPS if kind == "vessel" else LEAST_RECALL[what]), category
        elif what == "near name":
            assert share <= MOST_FALSE[kind], category
    precision, _, f1 = _precision(_groups(pairs, scores)["all"], VARIANT)
    assert precision >= LEAST_PRECISION
    assert f1 >= LEAST_F1


Scored = list[tuple[bool, float]]


def _score(pair: ListedPair) -> float:
    found = score_party(ListedNameComparator(parse_subject(ScreeningSubject(pair.name))), parse_listed_entity(pair.party), 0.0)
    return found.score if found is not None else 0.0


def _share(scores: list[float], floor: float) -> float:
    return sum(score >= floor for score in scores) / max(len(scores), 1)


def _groups(pairs: list[ListedPair], scores: list[float]) -> dict[str, Scored]:
    groups: dict[str, Scored] = defaultdict(list)
    for pair, score in zip(pairs, scores, strict=True):
        groups[pair.category.partition(":")[0]].append((pair.same, score))
        groups["all"].append((pair.same, score))
    return groups


def _precision(scored: Scored, floor: float) -> tuple[float, float, float]:
    called = [same for same, score in scored if score >= floor]
    right, same = sum(called), sum(same for same, _ in scored)
    return right / max(len(called), 1), right / max(same, 1), 2 * right / max(len(called) + same, 1)


def _measures(scored: Scored, floor: float) -> str:
    precision, recall, f1 = _precision(scored, floor)
    return f"precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}"
