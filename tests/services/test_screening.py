"""One name against every sanctions list that is loaded; a list that could not be screened is an error, never an empty match."""

import pytest

from bonafide.errors import SourceErrorCode
from bonafide.model.organization import World
from bonafide.runtime import Runtime
from bonafide.services.screening import screen

pytestmark = pytest.mark.anyio
LIST = "ca-sanctions-autonomous"


async def test_a_listed_name_is_found_with_its_list_and_each_names_score(runtime: Runtime) -> None:
    found = (await screen(runtime, World.SANDBOX, "Sandbox Sanctioned Trading Ltd.", 0.85)).screening
    best = found.matches[0]
    assert (best.legal_name.match_score, best.details.source, best.source) == (1.0, LIST, LIST)
    assert best.legal_name.name_scores[0].name == best.legal_name.matched_name
    assert len(best.legal_name.name_scores) == 1 + len(best.alternate_names)
    assert best.details.programs != ()


async def test_a_listed_alias_is_found_and_named(runtime: Runtime) -> None:
    listed = (await screen(runtime, World.SANDBOX, "Sandbox Sanctioned Trading Ltd.", 0.85)).screening.matches[0]
    alias = listed.alternate_names[0]
    best = (await screen(runtime, World.SANDBOX, alias, 0.85)).screening.matches[0]
    assert (best.legal_name.name, best.legal_name.matched_name) == (listed.legal_name.name, alias)


async def test_the_threshold_cuts_and_the_matches_are_sorted(runtime: Runtime) -> None:
    wide = (await screen(runtime, World.SANDBOX, "Sandbox Sanctionned Trading", 0.7)).screening
    narrow = (await screen(runtime, World.SANDBOX, "Sandbox Sanctionned Trading", 1.0)).screening
    scores = [match.legal_name.match_score for match in wide.matches]
    assert scores == sorted(scores, reverse=True)
    assert (len(scores) >= 1, narrow.matches) == (True, ())


async def test_the_answer_says_which_lists_were_screened(runtime: Runtime) -> None:
    found = (await screen(runtime, World.SANDBOX, "Nobody At All", 0.85)).screening
    assert (found.total_matches, [item.source for item in found.lists]) == (0, [LIST])
    assert found.lists[0].entries > 1000


async def test_no_list_loaded_is_an_error(empty_runtime: Runtime) -> None:
    found = await screen(empty_runtime, World.SANDBOX, "Nobody At All", 0.85)
    assert found.screening.lists == ()
    assert found.error is not None
    assert found.error.code is SourceErrorCode.UNAVAILABLE
