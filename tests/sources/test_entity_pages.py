"""The search page that two registers share, whatever it shows: which question is put, when a second is, and what is no answer."""

import pytest

from bonafide.errors import InvalidInput, ParseFailed, SourceUnavailable
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.sources.framework.live import LiveContext, LiveQuery
from bonafide.sources.framework.metadata import SourceMetadata
from bonafide.sources.shared.entity_search import EntitySearchSite, search_entities, search_number
from tests.support.sources.entity_pages import NONE, TOO_MANY, Played, table, ycor_row

pytestmark = pytest.mark.anyio

SITE = EntitySearchSite(
    NumberType.YUKON_REGISTRY, "entity", "status-translated", by_name="name", by_number="name", others=(("go", ""),), page="page"
)
METADATA = SourceMetadata.model_validate(
    {
        "key": "sample",
        "kind": "registry",
        "title": "Sample Register",
        "publisher": {"name": "Sample", "url": "https://register.example/"},
        "licence": {"name": "None"},
        "page": "https://register.example/",
        "access": "live",
        "description": "A sample.",
        "live": {"base_url": "https://register.example/search", "rate_per_minute": 60, "timeout_s": 5},
    }
)


def row(name: str, number: str = "500001", former: str = "") -> str:
    return ycor_row(name, "Corporation", number, "Yukon", "In Compliance", former)


def link(number: int) -> str:
    return f'<a href="/search?name=x&amp;page={number}">{number}</a>'


def played(**pages: str | bytes) -> tuple[Played, LiveContext]:
    """Pages by the text that is asked for and the page's number, with an underscore between them and for a blank."""
    source = Played({"name={}&page={}".format(*key.replace("_", " ").rsplit(" ", 1)): shown for key, shown in pages.items()})
    return source, source.context(METADATA)


async def names(context: LiveContext, name: str | None, number: str | None = None) -> list[str]:
    return [line.name for line in await search_entities(LiveQuery(name, number), SITE, context)]


# ------------------------------------------------------------------------------------------------------------ questions


async def test_a_name_is_looked_for_without_its_legal_form_and_the_nearest_come_first() -> None:
    rows = [row("OLD NORTH SAMPLE LTD.", "500002"), row("NORTH SAMPLE TOURS INC.", "500003"), row("North Sample Limited", "500004")]
    source, context = played(North_Sample_1=table(*rows))
    assert await names(context, " North  Sample, Inc.") == [
        "North Sample Limited",
        "NORTH SAMPLE TOURS INC.",
        "OLD NORTH SAMPLE LTD.",
    ]
    assert source.asked == ["name=North Sample&page=1"]


async def test_too_many_of_a_name_are_asked_for_again_with_its_legal_form() -> None:
    source, context = played(North_1=TOO_MANY, North_Ltd_1=table(row("NORTH LTD.")))
    assert await names(context, "North Ltd") == ["NORTH LTD."]
    assert source.asked == ["name=North&page=1", "name=North Ltd&page=1"]


async def test_too_many_of_a_whole_name_are_an_error_that_asks_for_more() -> None:
    _, context = played(North_1=TOO_MANY, North_Ltd_1=TOO_MANY)
    with pytest.raises(InvalidInput, match="too many results for “North Ltd”"):
        await names(context, "North Ltd")


async def test_too_many_of_a_name_do_not_hide_what_the_number_has_found() -> None:
    _, context = played(**{"500001_1": table(row("NORTH SAMPLE LTD.")), "North_1": TOO_MANY})
    assert await names(context, "North", "500001") == ["NORTH SAMPLE LTD."]


async def test_further_pages_are_read_while_there_are_links_to_them() -> None:
    first = table(row("NORTH ONE", "500001")) + link(1) + link(2)
    second = table(row("NORTH TWO", "500002")) + link(1) + link(2)
    source, context = played(North_1=first, North_2=second)
    assert await names(context, "North") == ["NORTH ONE", "NORTH TWO"]
    assert len(source.asked) == 2


async def test_a_search_with_too_many_pages_is_too_wide() -> None:
    pages = {f"North_{number}": table(row("NORTH ONE")) + link(number + 1) for number in range(1, 4)}
    source, context = played(**pages)
    with pytest.raises(InvalidInput, match="too many results"):
        await names(context, "North")
    assert len(source.asked) == 3


async def test_a_number_comes_first_and_what_was_found_twice_stands_once() -> None:
    numbered = table(
        row("500001 YUKON INC.", "500009"), row("NORTH SAMPLE LTD."), row("EAST LTD.", "500010", former="500001 YUKON INC.")
    )
    _, context = played(**{"500001_1": numbered, "North_Sample_1": table(row("NORTH SAMPLE LTD."))})
    assert await names(context, "North Sample", "YT 500-001") == ["NORTH SAMPLE LTD.", "500001 YUKON INC.", "EAST LTD."]


@pytest.mark.parametrize("number", [None, "123456782", "BN 500001", "50001", "5000011"])
async def test_a_question_that_the_page_can_not_answer_is_not_put(number: str | None) -> None:
    source, context = played()
    with pytest.raises(InvalidInput, match="Sample Register can be queried by name or by Yukon registry number"):
        await search_entities(LiveQuery(None, number), SITE, context)
    assert source.asked == []


# ------------------------------------------------------------------------------------------------------------ answers


@pytest.mark.parametrize("said", [NONE, "<p>0 entities found.</p>", "<h3>No matching records were found</h3>", table()])
async def test_nothing_is_found_when_the_page_says_so(said: str) -> None:
    _, context = played(North_1=said, **{"500001_1": said})
    assert await names(context, "North") == []
    assert await search_number("500001", SITE, context) == []


async def test_a_table_may_say_so_in_a_row() -> None:
    _, context = played(North_1=table('<tr><td colspan="6">No results found</td></tr>'))
    assert await names(context, "North") == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("", "unexpected results page"),
        ("<p>When no entities found, call us.</p>", "unexpected results page"),
        ("<table><tbody><tr><td>NORTH SAMPLE LTD.</td></tr></tbody></table>", "unexpected results page"),
        (table("<tr><td>NORTH SAMPLE LTD.</td></tr>"), "a row has no entity-fileno"),
        (table(row("NORTH SAMPLE LTD.").replace("entity-jurisdiction", "entity-home")), "a row has no entity-jurisdiction"),
        (table(row("NORTH SAMPLE LTD.").replace("status-translated", "state")), "a row has no entity-status-translated"),
        (table(row("")), "a row has no number or no name"),
        (table(row("NORTH SAMPLE LTD.", "")), "a row has no number or no name"),
    ],
)
async def test_a_page_in_another_shape_is_an_error_and_never_empty(said: str, told: str) -> None:
    _, context = played(North_1=said)
    with pytest.raises(ParseFailed, match=f"sample: {told}"):
        await names(context, "North")


async def test_a_page_without_the_form_is_not_the_search() -> None:
    _, context = played(North_1=b"<html><body><h1>Back soon</h1></body></html>")
    with pytest.raises(SourceUnavailable, match="the site returned another page"):
        await names(context, "North")


async def test_a_page_that_does_not_look_for_the_number_is_an_error() -> None:
    _, context = played(**{"500001_1": table(row("NORTH SAMPLE LTD.", "500002"))})
    with pytest.raises(ParseFailed, match="the results for the number 500001 include 500002"):
        await search_number("500001", SITE, context)


async def test_too_many_of_one_number_are_an_error() -> None:
    _, context = played(**{"500001_1": TOO_MANY})
    with pytest.raises(ParseFailed, match="too many results for the number 500001"):
        await search_number("500001", SITE, context)
