"""Which notices are of one business: what a number settles, what a name settles, and what neither does."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.shared.notices.entries import ReadNotice, build_entries
from bonafide.sources.shared.notices.events import Notice, NoticeAddress, NoticeEvent, normalize_name
from bonafide.sources.shared.notices.grouping import AMBIGUOUS

ISSUE = Resource("issue", Path("issue"), "", datetime(2026, 11, 20, tzinfo=UTC), "", 0)


@pytest.fixture
def context() -> ParseContext:
    return ParseContext(get_source("ab").metadata)


def folded(context: ParseContext, *notices: Notice) -> dict[str, RegistryEntry]:
    def told() -> Iterator[ReadNotice]:
        for line, notice in enumerate(notices, start=1):
            context.row()
            yield ISSUE, line, notice

    found = list(build_entries(told(), context))
    report = context.report
    assert report.rows == len(found) + report.merged + report.rejected
    assert len({entry.entry_id for entry in found}) == len(found)
    return {entry.entry_id: entry for entry in found}


def day(number: int) -> date:
    return date(2026, 1, number)


def test_a_notice_survives_its_line() -> None:
    notice = Notice(
        NoticeEvent.RENAMED,
        day(3),
        "OLD",
        number="7",
        new_name="NEW",
        incorporated_on=day(1),
        place=NoticeAddress("1 A ST", "CALGARY", "AB"),
    )
    assert Notice.from_line(notice.to_line()) == notice


@pytest.mark.parametrize("other", ["Sample  Ltd", "SAMPLE LTD.", "sample, ltd."])
def test_names_that_differ_in_case_spaces_or_stops_are_the_same(other: str) -> None:
    assert normalize_name(other) == normalize_name("SAMPLE LTD.")


@pytest.mark.parametrize("other", ["SAMPLE LIMITED", "SAMPLES LTD.", "SÁMPLE LTD.", "SAMPLE-LTD"])
def test_no_other_difference_is_evened_out(other: str) -> None:
    assert normalize_name(other) != normalize_name("SAMPLE LTD.")


def test_a_name_alone_is_of_the_one_business_that_bears_it(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.REGISTERED, day(1), "SAMPLE LTD.", number="2010", incorporated_on=day(1)),
        Notice(NoticeEvent.LIABLE, day(2), "Sample Ltd"),
    )
    assert [(entry.status_code, entry.good_standing) for entry in found.values()] == [("pending_dissolution", False)]
    assert list(found) == ["2010"]


def test_a_name_that_two_bear_is_refused_and_not_guessed(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.REGISTERED, day(1), "SAMPLE LTD.", number="2010"),
        Notice(NoticeEvent.REGISTERED, day(1), "SAMPLE LTD.", number="2011"),
        Notice(NoticeEvent.STRUCK, day(2), "SAMPLE LTD."),
    )
    assert {entry.status_code for entry in found.values()} == {"active"}
    assert context.report.reasons == {AMBIGUOUS: 1}


def test_whoever_changed_its_name_bears_the_old_one_no_more(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.RENAMED, day(1), "OLD LTD.", number="2010", new_name="NEW LTD."),
        Notice(NoticeEvent.REGISTERED, day(2), "OLD LTD.", number="2011"),
        Notice(NoticeEvent.STRUCK, day(3), "OLD LTD."),
        Notice(NoticeEvent.LIABLE, day(4), "NEW LTD."),
    )
    assert {key: entry.status_code for key, entry in found.items()} == {"2010": "pending_dissolution", "2011": "dissolved"}
    assert [(item.name, item.end_date) for item in found["2010"].name_history] == [("OLD LTD.", day(1))]


def test_notices_by_name_belong_to_the_number_that_a_later_notice_of_an_old_business_gives(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.STRUCK, day(1), "SAMPLE LTD."),
        Notice(NoticeEvent.REVIVED, day(2), "SAMPLE LTD.", number="2010", incorporated_on=date(1999, 5, 4)),
    )
    assert [(key, entry.status_code, entry.good_standing) for key, entry in found.items()] == [("2010", "active", None)]
    assert context.report.merged == 1


def test_a_new_business_does_not_inherit_the_notices_of_an_old_one_of_its_name(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.STRUCK, day(1), "SAMPLE LTD."),
        Notice(NoticeEvent.REGISTERED, day(2), "SAMPLE LTD.", number="2010", incorporated_on=day(2)),
    )
    assert {key: entry.status_code for key, entry in found.items()} == {"SAMPLELTD": "dissolved", "2010": "active"}


def test_two_that_amalgamate_end_and_what_they_become_may_have_the_name_of_one(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.REGISTERED, day(1), "RIVER LTD.", number="2010"),
        Notice(NoticeEvent.AMALGAMATED, day(2), "RIVER LTD.", successor="2012"),
        Notice(NoticeEvent.AMALGAMATED, day(2), "LAKE LTD.", successor="2012"),
        Notice(NoticeEvent.REGISTERED, day(2), "RIVER LTD.", number="2012", incorporated_on=day(2)),
        Notice(NoticeEvent.LIABLE, day(3), "RIVER LTD."),
    )
    assert {key: entry.status_code for key, entry in found.items()} == {
        "2010": "amalgamated",
        "LAKELTD": "amalgamated",
        "2012": "pending_dissolution",
    }


def test_what_is_registered_before_the_amalgamation_is_printed_is_not_what_ended(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.REGISTERED, day(1), "RIVER LTD.", number="2010"),
        Notice(NoticeEvent.REGISTERED, day(2), "RIVER LTD.", number="2012", incorporated_on=day(2)),
        Notice(NoticeEvent.AMALGAMATED, day(2), "RIVER LTD.", successor="2012"),
    )
    assert {key: entry.status_code for key, entry in found.items()} == {"2010": "amalgamated", "2012": "active"}


def test_names_without_numbers_are_parted_by_their_days_of_registration(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.REGISTERED, day(1), "SAMPLE LTD.", incorporated_on=day(1)),
        Notice(NoticeEvent.DISSOLVED, day(2), "SAMPLE LTD."),
        Notice(NoticeEvent.REGISTERED, day(3), "SAMPLE LTD.", incorporated_on=day(3)),
    )
    assert list(found) == ["SAMPLELTD", "SAMPLELTD:2026-01-03"]


def test_a_listing_gives_its_own_word_to_the_business_registered_on_its_day(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.REGISTERED, day(1), "SAMPLE SOCIETY", number="5020", incorporated_on=day(1)),
        Notice(NoticeEvent.LISTED, day(9), "SAMPLE SOCIETY", incorporated_on=day(1), status="Inactive"),
        Notice(NoticeEvent.LISTED, day(9), "SAMPLE SOCIETY", incorporated_on=date(1950, 2, 1), status="Active"),
    )
    assert {key: entry.status for key, entry in found.items()} == {"5020": "Inactive", "SAMPLESOCIETY": "Active"}


def test_names_of_different_series_do_not_meet(context: ParseContext) -> None:
    found = folded(
        context,
        Notice(NoticeEvent.REGISTERED, day(1), "SAMPLE", series="Corporation"),
        Notice(NoticeEvent.STRUCK, day(2), "SAMPLE", series="Business Name"),
    )
    assert {key: entry.status_code for key, entry in found.items()} == {
        "SAMPLE:Corporation": "active",
        "SAMPLE:Business Name": "dissolved",
    }


def test_nothing_is_told_of_nothing(context: ParseContext) -> None:
    assert folded(context) == {}


@pytest.mark.parametrize("name", ["", " ", ".", ", ;"])
def test_a_notice_that_names_nobody_is_refused_with_its_line(context: ParseContext, name: str) -> None:
    amalgamated = Notice(NoticeEvent.AMALGAMATED, day(1), name, successor="7")
    renamed = Notice(NoticeEvent.RENAMED, day(2), "SAMPLE LTD.", number="8", new_name=name)
    assert list(folded(context, amalgamated, renamed, Notice(NoticeEvent.STRUCK, day(3), "OTHER LTD.", number="9"))) == ["9"]
    assert [(rejection.line, rejection.reason) for rejection in context.report.rejections] == [
        (1, "the notice has no name"),
        (2, "the notice has no name"),
    ]
