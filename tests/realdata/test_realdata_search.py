"""Searches in real lists, with names as people write them: the business that is meant comes first, and nobody made up is found."""

from random import Random

import pytest

from tests.support.realdata.corruptions import Kind
from tests.support.realdata.files import REAL_SOURCES, RealData
from tests.support.realdata.name_list import plain_words
from tests.support.realdata.outcome_tables import SURE, Report, first_share, table
from tests.support.realdata.search_outcomes import Outcome, search
from tests.support.sampling import WHOLE

pytestmark = [pytest.mark.realdata, pytest.mark.slow]

MIN_QUERIES = 300
MIN_FIRST, MIN_FIRST_OF_A_KIND = 0.97, 0.90 if WHOLE else 0.80
"""Of one kind a sample has no more than eighty queries, and one way of writing is right nine times in ten."""
CERTAIN = 0.95
MADE_UP_NAMES = 50
SYLLABLES = ("zor", "vik", "qua", "lum", "dref", "oxi", "pyth", "wem", "jub", "krel", "yss", "fomb", "thra", "ewn", "gliv", "upto")
GENERIC_WORDS = ("Holdings", "Construction", "Services", "Yukon", "Enterprises", "Consulting", "Mining", "Northern", "Transport")
FORMS = ("Ltd.", "Inc.", "Corp.", "Limited", "")


def misses(outcomes: list[Outcome]) -> str:
    """The queries whose answer begins with another entry, a line each."""
    return "\n".join(str(outcome) for outcome in outcomes if outcome.place != 0)


def test_names_as_people_write_them_bring_the_business_first(outcomes: list[Outcome], report: Report) -> None:
    report(table(outcomes))
    assert len(outcomes) >= MIN_QUERIES
    assert {outcome.query.source for outcome in outcomes} == {source.key for source in REAL_SOURCES}
    assert first_share(outcomes) >= MIN_FIRST, misses(outcomes)


@pytest.mark.parametrize("kind", Kind)
def test_no_way_of_writing_a_name_is_left_behind(outcomes: list[Outcome], kind: Kind) -> None:
    own = [outcome for outcome in outcomes if outcome.query.kind is kind]
    assert first_share(own) >= MIN_FIRST_OF_A_KIND, misses(own)


@pytest.mark.anyio
async def test_a_made_up_name_is_nobody(real: RealData, report: Report) -> None:
    best = {name: await best_score(real, name) for name in made_up_names(real)}
    likely = sorted(((score, name) for name, score in best.items() if score >= SURE), reverse=True)
    report(f"{len(best)} made-up names: {len(likely)} match a register's entry with {SURE} or more {likely or ''}".rstrip())
    assert [name for name, score in best.items() if score >= CERTAIN] == []


async def best_score(real: RealData, name: str) -> float:
    """The score of the best match of all registers; 0 without any."""
    businesses = (await search(real, name)).businesses
    assert businesses is not None
    return max((match.legal_name.match_score for match in businesses), default=0.0)


def made_up_names(real: RealData) -> list[str]:
    """Words that no list holds, with words that every register holds."""
    known = {
        word for own in real.entries.values() for entry in own for name in entry.list_search_names() for word in plain_words(name)
    }
    chance = Random("nobody")  # noqa: S311 - a sample, not a secret
    names: set[str] = set()
    while len(names) < MADE_UP_NAMES:
        invented = "".join(chance.sample(SYLLABLES, chance.choice((2, 3)))).title()
        generic = chance.sample(GENERIC_WORDS, chance.choice((1, 2)))
        assert invented.casefold() not in known
        names.add(" ".join([invented, *generic, chance.choice(FORMS)]).strip())
    return sorted(names)
