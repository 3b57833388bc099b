"""What a load becomes: nothing new, a delta on the segments in use, or a base; and that what is found doesn't depend on it."""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from bonafide.index import FacetFilter, Facets, GenerationStore, IndexDocument, create_business_query
from bonafide.index.build.delta import DocumentChanges
from bonafide.index.generations.writer import CompactionPolicy
from tests.support.index.generations import (
    KEY,
    Generations,
    entry,
    live_payloads,
    load,
    load_entries,
    loaded,
    names_in,
    names_of,
    opened,
    segments,
)
from tests.support.index.registers import DocumentChange, document, made_up_names

TEN = [f"Number {word}" for word in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")]


@pytest.fixture
def store(tmp_path: Path) -> Generations:
    return opened(tmp_path)


def sizes(store: Generations) -> list[int]:
    return [len(live.segment) for live in loaded(store).index.segments]


# -------------------------------------------------------------------------------------------------------------- what is written


def test_the_first_load_is_a_base(store: Generations) -> None:
    stored = load(store, TEN)
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(10, 0, 0), 1, 10)


def test_a_load_that_changes_nothing_writes_no_segment(store: Generations) -> None:
    load(store, TEN)
    stored = load(store, TEN)
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(0, 0, 0), 1, 0)
    assert segments(store) == ["00000001"]
    assert loaded(store).id == "00000002"
    assert names_in(store) == TEN


def test_another_order_of_the_same_documents_changes_nothing(store: Generations) -> None:
    load(store, TEN)
    assert not load(store, TEN[::-1]).changes


def test_new_documents_go_to_a_delta(store: Generations) -> None:
    load(store, TEN)
    stored = load(store, [*TEN, "Eleven"])
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(1, 0, 0), 2, 1)
    assert sizes(store) == [10, 1]
    assert names_in(store) == [*TEN, "Eleven"]


def test_documents_that_have_gone_are_dead_and_need_no_segment(store: Generations) -> None:
    load(store, TEN)
    stored = load(store, TEN[1:-1])
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(0, 0, 2), 1, 0)
    assert segments(store) == ["00000001"]
    assert names_in(store) == TEN[1:-1]
    assert names_in(opened(store.root)) == TEN[1:-1]


def test_a_document_that_has_changed_is_dead_where_it_was_and_lives_in_the_delta(store: Generations) -> None:
    load_entries(store, [entry(name) for name in TEN])
    stored = load_entries(store, [entry(name) for name in TEN[1:]] + [entry(TEN[0], "moved")])
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(0, 1, 0), 2, 1)
    index = loaded(store).index
    assert [index.payload(hit.document) for hit in index.search(create_business_query(TEN[0]), 1)] == [b"moved"]
    assert len(index) == 10


@pytest.mark.parametrize(
    "change",
    [
        {"payload": b"other"},
        {"active": False},
        {"numbers": ("12",)},
        {"people": ("Ann Other",)},
        {"addresses": ("1 Main St",)},
        {"names": (TEN[0], "Other")},
        {"facets": Facets(status="dissolved")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_a_document_says_is_compared(store: Generations, change: DocumentChange) -> None:
    documents = [entry(name) for name in TEN]
    load_entries(store, documents)
    assert load_entries(store, [documents[0]._replace(**change), *documents[1:]]).changes == DocumentChanges(0, 1, 0)


# -------------------------------------------------------------------------------------------------------------- how many segments


@pytest.mark.slow
def test_a_small_delta_is_written_again_with_the_next_and_a_large_one_is_left_alone(store: Generations) -> None:
    names = list(TEN)
    load(store, names)
    seen = []
    for number in range(9):
        names.append(f"Letter {chr(ord('a') + number) * 4}")
        load(store, names)
        assert names_in(store) == names
        seen.append(sizes(store))
    assert seen[:4] == [[10, 1], [10, 2], [10, 2, 1], [10, 2, 2]]
    assert seen[-3:] == [[10, 2, 2, 2, 1], [10, 2, 2, 2, 2], [19]]


def test_what_goes_from_a_small_delta_is_left_out_of_the_next(store: Generations) -> None:
    load(store, TEN)
    load(store, [*TEN, "Eleven"])
    stored = load(store, [*TEN[1:], "Twelve"])
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(1, 0, 2), 2, 1)
    assert sizes(store) == [10, 1]
    assert names_in(store) == [*TEN[1:], "Twelve"]


def test_what_outgrows_its_share_of_the_base_becomes_a_base(store: Generations) -> None:
    load(store, TEN)
    more = [f"Letter {letter * 4}" for letter in "abcdefghi"]
    stored = load(store, [*TEN, *more])
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(9, 0, 0), 1, 19)
    assert names_in(store) == [*TEN, *more]


def test_dead_documents_count_towards_the_share_too(store: Generations) -> None:
    load(store, TEN)
    stored = load(store, ["Another", *TEN[8:]])
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(1, 0, 8), 1, 3)
    assert names_in(store) == ["Another", *TEN[8:]]


def test_a_small_base_is_built_anew_unless_nothing_has_changed(tmp_path: Path) -> None:
    store = GenerationStore(tmp_path, dict, CompactionPolicy(share=0.8, smallest_base=11))
    load(store, TEN)
    assert load(store, TEN).written == 0
    stored = load(store, [*TEN, "Eleven"])
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(1, 0, 0), 1, 11)
    assert load(store, [*TEN, "Eleven", "Twelve"]).segments == 2


def test_a_base_can_be_asked_for(store: Generations) -> None:
    load(store, TEN)
    load(store, [*TEN, "Eleven"])
    stored = load(store, [*TEN, "Eleven"], whole=True)
    assert (stored.changes, stored.segments, stored.written) == (DocumentChanges(0, 0, 0), 1, 11)


def test_documents_are_read_again_only_when_a_delta_has_outgrown_its_share(store: Generations) -> None:
    started = []

    def read(names: Sequence[str]) -> Iterator[IndexDocument]:
        started.append(len(names))
        yield from map(entry, names)

    for names in (TEN, [*TEN, "Eleven"], [*TEN, *(f"Letter {letter * 4}" for letter in "abcdefghi")]):
        draft = store.begin(KEY)
        draft.write(partial(read, names))
        draft.commit({"names": names})
    assert started == [10, 11, 19, 19]


def test_all_may_go(store: Generations) -> None:
    load(store, TEN)
    load(store, [])
    assert names_in(store) == []
    load(store, ["Another"])
    assert names_in(store) == ["Another"]


# -------------------------------------------------------------------------------------------------------------- keys that repeat


def same_key(*texts: str) -> list[IndexDocument]:
    return [entry("Twin", text) for text in texts]


def test_documents_with_one_key_are_all_kept(store: Generations) -> None:
    others = [entry(name) for name in TEN]
    load_entries(store, [*others, *same_key("a", "b")])
    assert not load_entries(store, [*same_key("b"), *others, *same_key("a")]).changes
    stored = load_entries(store, [*others, *same_key("a", "c", "d")])
    assert stored.changes == DocumentChanges(1, 1, 0)
    assert sorted(live_payloads(loaded(store)))[-3:] == ["a", "c", "d"]


def test_documents_that_are_alike_in_everything_are_counted(store: Generations) -> None:
    others = [entry(name) for name in TEN]
    for copies, changes in (
        (2, DocumentChanges(12, 0, 0)),
        (2, DocumentChanges(0, 0, 0)),
        (3, DocumentChanges(1, 0, 0)),
        (1, DocumentChanges(0, 0, 2)),
        (1, DocumentChanges(0, 0, 0)),
    ):
        assert load_entries(store, [*others, *same_key(*["same"] * copies)]).changes == changes
        assert live_payloads(loaded(store)).count("same") == copies


# -------------------------------------------------------------------------------------------------------------- what is found


def test_equals_are_found_by_activity_then_base_before_delta(store: Generations) -> None:
    documents = [document("Maple Bakery", payload=b"inactive in the base", active=False), *map(entry, TEN)]
    load_entries(store, documents)
    late = [document("Maple Bakery", payload=text, active=active) for text, active in ((b"late, inactive", False), (b"late", True))]
    load_entries(store, [*documents, *late])
    index = loaded(store).index
    found = [index.payload(hit.document) for hit in index.search(create_business_query("Maple Bakery"), 3)]
    assert found == [b"late", b"inactive in the base", b"late, inactive"]
    assert index.payload(index.search(create_business_query("Maple Bakery"), 1)[0].document) == b"late"


def test_filters_and_limits_hold_across_segments(store: Generations) -> None:
    documents = [entry(f"Maple {name}")._replace(facets=Facets(status="active")) for name in TEN]
    load_entries(store, documents)
    documents = [documents[0]._replace(facets=Facets(status="dissolved")), *documents[1:], entry("Maple")]
    load_entries(store, documents)
    index = loaded(store).index
    assert [index.payload(hit.document) for hit in index.search(create_business_query("Maple"), 1)] == [b"Maple"]
    dissolved = index.search(create_business_query(f"Maple {TEN[0]}"), 20, FacetFilter(statuses=frozenset({"dissolved"})))
    assert [index.payload(hit.document).decode() for hit in dissolved] == [f"Maple {TEN[0]}"]


def test_numbers_and_prefixes_are_found_in_live_documents_only(store: Generations) -> None:
    documents = [document(name, numbers=["4711"], payload=name.encode()) for name in TEN]
    load_entries(store, documents)
    load_entries(store, [document("Number zero", numbers=["4711"], payload=b"Number zero"), *documents[2:]])
    index = loaded(store).index
    expected = ["Number zero", *TEN[2:]]
    assert sorted(index.payload(number).decode() for number in index.lookup("4711")) == sorted(expected)
    assert sorted(index.payload(hit.document).decode() for hit in index.complete("numb", 20)) == sorted(expected)
    with pytest.raises(IndexError):
        index.payload(11)


@pytest.mark.slow
def test_random_loads_one_after_the_other_hold_exactly_what_was_loaded(tmp_path: Path) -> None:
    chance = random.Random(5)  # noqa: S311  # made-up data wants a seed, not secrecy
    store = opened(tmp_path)
    pool = [entry(name, text) for name in made_up_names(40) for text in (name, f"{name} moved")]
    current = chance.sample(pool, 30)
    for _ in range(60):
        load_entries(store, current)
        assert sorted(live_payloads(loaded(store))) == sorted(one.payload.decode() for one in current)
        kept = [one for one in current if chance.random() < chance.choice((0.7, 0.95, 1.0))]
        current = [*kept, *chance.choices(pool, k=chance.randint(0, 4))]
        chance.shuffle(current)


@pytest.mark.slow
def test_a_load_in_deltas_scores_as_the_base_does(store: Generations) -> None:
    names = made_up_names(300)
    load(store, names)
    load(store, [*names, "Zwanenburg Bakery Inc."])
    index = loaded(store).index
    assert [live.dead for live in index.segments] == [None, None]
    hits = index.search(create_business_query("Zwanenburg Bakery"), 2)
    assert (index.payload(hits[0].document), hits[0].score) == (b"Zwanenburg Bakery Inc.", 1.0)
    assert names_of(loaded(store))[-1] == "Zwanenburg Bakery Inc."
