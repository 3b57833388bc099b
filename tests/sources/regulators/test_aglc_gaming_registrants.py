"""Gaming registrants of Alberta: articles of web pages, brands and sites in one paragraph, pages up to the one that has nobody."""

import re
from html import unescape
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ParseFailed, SourceNotFound, UpstreamFailed
from bonafide.model.entity import StatusCode
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    FixedResponseFault,
    GarbageFault,
    PublisherFault,
    ReplacedFileFault,
    StatusFault,
)
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, read_manifest
from tests.support.sources.changed_files import write_changed
from tests.support.sources.regulator_files import Loaded, assert_golden, load
from tests.support.sources.served_publisher import fetched, parsed

KEY = "aglcGamingRegistrants"
SAVED = Path(__file__).parent / KEY / "registrants.html"


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(KEY, SAVED)


def test_the_page_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, SAVED.with_name("registrants.golden.json"))


def test_a_business_is_one_entry_in_all_its_classes(loaded: Loaded) -> None:
    entry = loaded.named("Example Gaming (Alberta) Ltd.")
    assert entry.entry_id == "example gaming (alberta) ltd."
    assert entry.alternate_names == ("Lucky Loon", "Loon & Daughters")
    assert entry.details["classesOfRegistration"] == ["iGaming - Operator", "iGaming - Goods or Services"]
    assert entry.details["websites"] == ["luckyloon.example", "play.luckyloon.example", "loon-sports.example"]
    assert loaded.report.merged == 1


def test_the_list_gives_neither_number_nor_address_and_a_status_is_derived(loaded: Loaded) -> None:
    entry = loaded.named("Sample Slots Inc.")
    assert (entry.registration_number, entry.addresses, entry.join_numbers) == (None, (), ())
    assert (entry.status, entry.status_code, entry.details["statusDerived"]) == ("Active", StatusCode.ACTIVE, True)


def test_people_who_work_in_gaming_are_passed_over(loaded: Loaded) -> None:
    assert loaded.report.notes == ["1 row skipped: people who work in gaming"]
    assert "Jane Invented" not in {name for entry in loaded.entries for name in entry.list_search_names()}


def test_a_registrant_may_lack_a_class_but_no_name(loaded: Loaded) -> None:
    entry = loaded.named("Classless Casino Corp.")
    assert (entry.details["brands"], "classesOfRegistration" in entry.details) == (["Sample Casino & Hotel"], False)
    assert [(rejection.line, rejection.reason) for rejection in loaded.report.rejections] == [(6, "the registrant has no name")]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Gaming Registrants", "Something Else", "not a page of the list"),
        ('role="article"', "", None),
        ("data-history-node-id", "data-node", "the page is empty"),
        ("h2>", "h3>", "missing columns: name"),
        ('class="stream"', 'class="river"', "missing columns: class"),
    ],
    ids=["heading", "a detail", "articles", "names", "classes"],
)
def test_a_page_in_another_markup_is_refused(tmp_path: Path, old: str, new: str, told: str | None) -> None:
    path = write_changed(SAVED, tmp_path, old, new)
    if told is None:
        assert load(KEY, path).entries
        return
    with pytest.raises(ParseFailed, match=told):
        load(KEY, path)


@pytest.mark.anyio
async def test_all_pages_are_fetched_and_read_whole(live_world: Path, tmp_path: Path) -> None:
    manifest = read_manifest(live_world)
    assert manifest is not None
    pages = [file for file in manifest.files if file.source == KEY and file.route is DeliveryRoute.DOWNLOAD]
    resources = await fetched(KEY, live_world, tmp_path)
    assert [resource.name for resource in resources] == [page.resource for page in pages]
    assert len(pages) > 1
    entries, report = parsed(KEY, resources)
    texts = [unescape((live_world / page.path).read_text(encoding="utf-8")) for page in pages]
    names = {name for text in texts for name in re.findall(r"<h2> <span>(.+?)</span>", text)}
    articles = sum(text.count("<article") for text in texts)
    workers = sum(text.count("Gaming Worker") for text in texts)
    assert (report.rows, report.rejected, dict(report.unknown_terms)) == (articles - workers, 0, {})
    assert {entry.legal_name for entry in entries} <= {name.partition(" o/a ")[0] for name in names}
    people = {person.name for business in create_businesses(manifest.seed, 0, manifest.size) for person in business.people}
    assert not people & {entry.legal_name for entry in entries}


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("page", ["registrants_1", "registrants_2"])
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (StatusFault(404), SourceNotFound),
        (StatusFault(503), UpstreamFailed),
        (ChallengePageFault(), ParseFailed),
        (GarbageFault(), ParseFailed),
        (ReplacedFileFault(b""), ParseFailed),
    ],
    ids=["moved", "down", "a page for people", "garbage", "empty"],
)
async def test_what_is_wrong_with_a_page_is_told(
    live_world: Path, tmp_path: Path, page: str, fault: PublisherFault, error: type[BonafideError]
) -> None:
    with pytest.raises(error):
        await fetched(KEY, live_world, tmp_path, {page: fault})


@pytest.mark.anyio
async def test_a_site_that_gives_one_page_over_and_over_is_told(live_world: Path, tmp_path: Path) -> None:
    first = FixedResponseFault((live_world / KEY / "registrants_1.html").read_bytes(), "text/html")
    with pytest.raises(ParseFailed, match="identical to the one before it"):
        await fetched(KEY, live_world, tmp_path, {"registrants_2": first})


@pytest.mark.anyio
async def test_a_list_without_anybody_is_told(live_world: Path, tmp_path: Path) -> None:
    nobody = max((live_world / KEY).glob("*.html"), key=lambda path: int(path.stem.rpartition("_")[2]))
    with pytest.raises(ParseFailed, match="the first page is empty"):
        await fetched(KEY, live_world, tmp_path, {"registrants_1": FixedResponseFault(nobody.read_bytes(), "text/html")})
