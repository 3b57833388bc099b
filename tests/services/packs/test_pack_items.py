"""Every item of a pack is in `items.csv`, and the PDF lists no more than a limit."""

import csv
from io import BytesIO, StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.errors import PackTooLarge
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.packs.manifest import PackedFile
from bonafide.pdf.print_packs import PrintedPackDetail, PrintedPackItem
from bonafide.services.packs.item_list import MAX_DETAILED, MAX_PRINTED, PackItemList, compute_section_limit
from tests.support.pdf.reports import ISSUED_AT

FILES = tuple(PackedFile(name=f"searches/{name}.json", size=1, sha256="0" * 64) for name in ("one", "two"))
DETAIL = PrintedPackDetail(label="packDetail.note", text=Message.untranslated("a note"))


def build_items(count: int, name: str = "Larkspur Inc.") -> list[PrintedPackItem]:
    title = Message.untranslated(name)
    item = PrintedPackItem(at=ISSUED_AT, by=None, title=title, outcome="searchStatus.completed", details=(DETAIL,), files=FILES)
    return [item] * count


def read_rows(file: BytesIO, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(StringIO(file.getvalue().decode("utf-8-sig"), newline=""), delimiter=delimiter))


def test_a_small_pack_has_every_item_with_its_details() -> None:
    listed = PackItemList(BytesIO(), Language.ENGLISH, 10_000)
    listed.add("searches", build_items(MAX_DETAILED))
    (section,) = listed.build_sections()
    assert listed.is_detailed
    assert (section.title, section.count, len(section.items)) == ("packSection.searches", MAX_DETAILED, MAX_DETAILED)
    assert (section.items[-1].details, section.items[-1].files) == ((DETAIL,), FILES)


def test_a_large_pack_lists_the_decisions_beside_thousands_of_checks() -> None:
    file = BytesIO()
    listed = PackItemList(file, Language.ENGLISH, 10_000)
    for _ in range(90):
        listed.add("searches", build_items(50))
    listed.add("cases", build_items(30))
    sections = {section.title: section for section in listed.build_sections()}
    assert (listed.is_detailed, listed.count) == (False, 4530)
    assert (sections["packSection.cases"].count, len(sections["packSection.cases"].items)) == (30, 30)
    assert (sections["packSection.searches"].count, len(sections["packSection.searches"].items)) == (4500, MAX_PRINTED - 30)
    assert {(item.details, item.files) for section in sections.values() for item in section.items} == {((), FILES[:1])}
    assert len(read_rows(file)) == 1 + 4530


@pytest.mark.parametrize(("language", "delimiter"), [(Language.ENGLISH, ","), (Language.FRENCH, ";")])
def test_a_spreadsheet_reads_the_rows_and_evaluates_nothing(language: Language, delimiter: str) -> None:
    file = BytesIO()
    listed = PackItemList(file, language, 10)
    listed.add("searches", build_items(1, '=HYPERLINK("x";1), Ltée'))
    header, row = read_rows(file, delimiter)
    assert len(header) == len(row) == 6
    assert (row[1], row[3], row[5]) == ("2026-11-20T14:40:00.000Z", '\'=HYPERLINK("x";1), Ltée', "searches/one.json")


def test_a_pack_with_more_items_than_it_may_have_is_refused() -> None:
    listed = PackItemList(BytesIO(), Language.ENGLISH, 10)
    listed.add("searches", build_items(10))
    with pytest.raises(PackTooLarge):
        listed.add("cases", build_items(1))


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=11))
def test_the_sections_together_print_up_to_the_limit_and_leave_no_room(counts: list[int]) -> None:
    limit = compute_section_limit(counts, MAX_PRINTED)
    printed = sum(min(count, limit) for count in counts)
    assert printed == sum(counts) if sum(counts) <= MAX_PRINTED else MAX_PRINTED - len(counts) < printed <= MAX_PRINTED
