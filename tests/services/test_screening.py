"""One subject against every sanctions list that is loaded; a list that could not be screened is an error, never an empty match."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from bonafide.errors import SourceErrorCode
from bonafide.matching.scoring.word_rarity import STATIC_RARITY
from bonafide.model.accounts.organizations import World
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity, SourceKind
from bonafide.model.query import ScreeningSubject
from bonafide.runtime import Runtime, build_generation_stores
from bonafide.services.screening.list_cache import OFFICIAL, open_lists
from bonafide.services.screening.subject_screening import MAX_MATCHES, screen_against, screen_subject
from tests.support.services.loading import put

pytestmark = pytest.mark.anyio
LIST, OTHER = "ca-sanctions-autonomous", "un-sanctions-consolidated"
TRADING = "Sandbox Sanctioned Trading Ltd."


def listed(number: int, name: str, kind: EntityKind = EntityKind.PERSON, **fields: object) -> ListedEntity:
    return ListedEntity.model_validate({"entry_id": str(number), "entity_type": kind, "name": name, **fields})


async def names(
    runtime: Runtime, subject: ScreeningSubject | str, threshold: float = 0.7, keys: Sequence[str] | None = None
) -> list[str]:
    sources = None if keys is None else [runtime.sources[key] for key in keys]
    found = await screen_subject(runtime, World.LIVE, subject, threshold, sources)
    return [match.legal_name.name for match in found.screening.matches]


# ------------------------------------------------------------------------------------------------------- the made-up lists


async def test_a_listed_name_is_found_with_its_list_and_each_names_score(runtime: Runtime) -> None:
    found = (await screen_subject(runtime, World.SANDBOX, TRADING, 0.85)).screening
    best = found.matches[0]
    assert (best.legal_name.match_score, best.details.source, best.source) == (1.0, LIST, LIST)
    assert best.legal_name.name_scores[0].name == best.legal_name.matched_name
    assert len(best.legal_name.name_scores) == 1 + len(best.alternate_names)
    assert best.details.programs != ()
    assert (best.entry_id is not None, best.digest is not None) == (True, True)


async def test_a_listed_alias_is_found_and_named(runtime: Runtime) -> None:
    party = (await screen_subject(runtime, World.SANDBOX, TRADING, 0.85)).screening.matches[0]
    alias = party.alternate_names[0]
    best = (await screen_subject(runtime, World.SANDBOX, alias, 0.85)).screening.matches[0]
    assert (best.legal_name.name, best.legal_name.matched_name) == (party.legal_name.name, alias)


async def test_the_threshold_cuts_and_the_matches_are_sorted(runtime: Runtime) -> None:
    wide = (await screen_subject(runtime, World.SANDBOX, "Sandbox Sanctionned Trading", 0.7)).screening
    narrow = (await screen_subject(runtime, World.SANDBOX, "Sandbox Sanctionned Trading", 1.0)).screening
    scores = [match.legal_name.match_score for match in wide.matches]
    assert scores == sorted(scores, reverse=True)
    assert (len(scores) >= 1, narrow.matches) == (True, ())


async def test_the_answer_says_which_lists_were_screened(runtime: Runtime) -> None:
    found = (await screen_subject(runtime, World.SANDBOX, "Nobody At All", 0.85)).screening
    lists = {item.source: item for item in found.lists}
    assert (found.total_matches, LIST in lists) == (0, True)
    assert lists[LIST].entries > 1000
    assert {item.source for item in found.lists_not_screened}.isdisjoint(lists)


async def test_every_match_says_what_lowered_it(runtime: Runtime) -> None:
    best = (await screen_subject(runtime, World.SANDBOX, "Sandbox Sanctionned Trading", 0.7)).screening.matches[0]
    changes = [change.change for change in (*best.match.penalties, *best.match.lifts)]
    assert best.match.score == best.legal_name.match_score == pytest.approx(1 + sum(changes), abs=2e-4)
    assert best.match.reasons[0] == best.match.fields[0].reason != ""


async def test_no_list_loaded_is_an_error(empty_runtime: Runtime) -> None:
    found = await screen_subject(empty_runtime, World.SANDBOX, "Nobody At All", 0.85)
    assert found.screening.lists == ()
    assert found.error is not None
    assert found.error.code is SourceErrorCode.UNAVAILABLE


# ------------------------------------------------------------------------------------------------------ lists of the test's


async def test_all_that_is_known_of_the_subject_counts(empty_runtime: Runtime) -> None:
    number = RegistrationNumber(label="IMO number", value="9187629")
    put(empty_runtime, LIST, [
        listed(1, "KWIATEK, Zofia", birth_dates=("1960-05-12",), countries=("SY",)),
        listed(2, "Zofia Kwiatek", EntityKind.VESSEL, identifiers=(number,)),
    ])  # fmt: skip
    assert await names(empty_runtime, "Zofia Kwiatek") == ["KWIATEK, Zofia", "Zofia Kwiatek"]
    assert await names(empty_runtime, ScreeningSubject("Zofia Kwiatek", entity_type=EntityKind.VESSEL)) == ["Zofia Kwiatek"]
    born = ScreeningSubject("Zofia Kwiatek", entity_type=EntityKind.PERSON, date_of_birth="1990")
    assert await names(empty_runtime, born) == ["KWIATEK, Zofia"]
    assert await names(empty_runtime, born, threshold=0.85) == []
    assert await names(empty_runtime, "IMO 9187629", threshold=1.0) == ["Zofia Kwiatek"]
    assert await names(empty_runtime, ScreeningSubject("Zofia Kwiatexk", typo_tolerance=0)) == []
    assert await names(empty_runtime, ScreeningSubject("Z. Kwiatek", name_variants=False)) == []


async def test_evidence_may_lift_a_name_over_the_threshold(empty_runtime: Runtime) -> None:
    put(empty_runtime, LIST, [listed(1, "Zofia Maria Berta Kwiatek", birth_dates=("1960-05-12",))])
    assert await names(empty_runtime, "Zofia Kwiatek", threshold=0.92) == []
    known = ScreeningSubject("Zofia Kwiatek", date_of_birth="1960-05-12")
    assert await names(empty_runtime, known, threshold=0.92) == ["Zofia Maria Berta Kwiatek"]


async def test_only_the_lists_that_are_wanted_are_screened(empty_runtime: Runtime) -> None:
    put(empty_runtime, LIST, [listed(1, "Zofia Kwiatek")])
    put(empty_runtime, OTHER, [listed(1, "KWIATEK, Zofia")])
    assert sorted(await names(empty_runtime, "Zofia Kwiatek")) == ["KWIATEK, Zofia", "Zofia Kwiatek"]
    assert await names(empty_runtime, "Zofia Kwiatek", keys=[OTHER]) == ["KWIATEK, Zofia"]
    found = await screen_subject(empty_runtime, World.LIVE, "Zofia Kwiatek", 0.7, [empty_runtime.sources[OTHER]])
    assert [lookup.source.key for lookup in found.results] == [OTHER]
    assert dict(found.counts) == {OTHER: 1}


async def test_a_list_that_changes_is_screened_as_it_is_now(empty_runtime: Runtime) -> None:
    put(empty_runtime, LIST, [listed(1, "Zofia Kwiatek")])
    put(empty_runtime, OTHER, [listed(1, "Marta Orlovska")])
    assert await names(empty_runtime, "Zofia Kwiatek") == ["Zofia Kwiatek"]
    before = empty_runtime.screening_indexes[World.LIVE, OFFICIAL]
    put(empty_runtime, LIST, [listed(2, "Berta Kwiatek")])
    assert await names(empty_runtime, "Zofia Kwiatek") == []
    assert await names(empty_runtime, "Berta Kwiatek") == ["Berta Kwiatek"]
    after = empty_runtime.screening_indexes[World.LIVE, OFFICIAL]
    # What has not changed is not read again.
    assert after.lists[OTHER] is before.lists[OTHER]


async def test_a_list_that_cannot_be_read_is_an_error_beside_the_others_matches(empty_runtime: Runtime) -> None:
    put(empty_runtime, LIST, [listed(1, "Zofia Kwiatek")])
    put(empty_runtime, OTHER, [listed(1, "Zofia Kwiatek")])
    folder = empty_runtime.generations[World.LIVE].root / OTHER
    damage(folder)
    forgetful = fresh(empty_runtime)
    found = await screen_subject(forgetful, World.LIVE, "Zofia Kwiatek", 0.7)
    assert [match.source for match in found.screening.matches] == [LIST]
    assert OTHER in [item.source for item in found.screening.lists_not_screened]
    assert found.error is not None


async def test_more_matches_than_are_sent_are_counted(empty_runtime: Runtime) -> None:
    put(empty_runtime, LIST, [listed(number, "Zofia Kwiatek") for number in range(MAX_MATCHES + 20)])
    found = await screen_subject(empty_runtime, World.LIVE, "Zofia Kwiatek", 0.85)
    assert (len(found.screening.matches), found.screening.total_matches) == (MAX_MATCHES, MAX_MATCHES + 20)
    assert found.counts[LIST] == MAX_MATCHES + 20


async def test_open_lists_can_be_screened_against_from_any_thread(empty_runtime: Runtime) -> None:
    put(empty_runtime, LIST, [listed(1, "Zofia Kwiatek"), listed(2, "Marta Orlovska")])
    lists = open_lists(empty_runtime, World.LIVE, [empty_runtime.sources[LIST]])
    found: list[str] = []

    def work(name: str) -> None:
        for _ in range(50):
            screened = screen_against(lists, ScreeningSubject(name), 0.85, STATIC_RARITY)
            found.extend(match.legal_name.name for match in screened.screening.matches)

    threads = [Thread(target=work, args=[name]) for name in ("Zofia Kwiatek", "Marta Orlovska")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == ["Marta Orlovska"] * 50 + ["Zofia Kwiatek"] * 50


async def test_every_list_of_the_product_is_screened(runtime: Runtime) -> None:
    found = await screen_subject(runtime, World.SANDBOX, "Nobody At All", 0.85)
    known = {source.key for source in runtime.sources.values() if source.metadata.kind is SourceKind.SANCTIONS}
    assert {lookup.source.key for lookup in found.results} == known


def damage(folder: Path) -> None:
    """Spoil every file of a list's index."""
    for path in [path for path in folder.rglob("*") if path.is_file() and path.name not in {"current", "manifest.json"}]:
        path.write_bytes(b"spoilt")


def fresh(runtime: Runtime) -> Runtime:
    """The same installation as another process sees it."""
    return replace(runtime, generations=build_generation_stores(runtime.settings.data_dir), screening_indexes={})
