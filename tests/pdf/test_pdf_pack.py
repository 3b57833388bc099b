"""What an examiner's pack says: its scope, the state of the audit log, and every item, in sections or in lines."""

from datetime import date
from typing import Any

import pytest

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.packs.manifest import PackedFile
from bonafide.model.packs.pack import PackAudit
from bonafide.pdf.print_packs import PrintedAuditEntry, PrintedPack, PrintedPackDetail, PrintedPackItem, PrintedPackSection
from bonafide.pdf.render import render
from tests.support.pdf.reports import DOCUMENT_ID, ISSUED_AT
from tests.support.pdf.sheets import text_of

DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
NOT_SHOWN = "#image(1) \u202e $x$"
INTACT = PackAudit(entries=1057, hash=DIGEST, disclosed=2, is_intact=True)
BROKEN = INTACT.model_copy(update={"is_intact": False, "problems": (Message("entry {entry} is missing", entry=7),)})


def build_item() -> PrintedPackItem:
    return PrintedPackItem(
        at=ISSUED_AT,
        by="ann@north.example",
        title=Message.untranslated(f"Sandbox Bakery {NOT_SHOWN}"),
        outcome="screeningOutcome.hits",
        details=(
            PrintedPackDetail(label="packDetail.openHits", text=Message.untranslated("3")),
            PrintedPackDetail(label="packDetail.selection", code="selection.needs_review"),
            PrintedPackDetail(label="packDetail.due", at=ISSUED_AT),
            PrintedPackDetail(label="packDetail.asOf", on=date(2026, 5, 1)),
        ),
        files=(PackedFile(name="screenings/one.json", size=10, sha256=DIGEST),),
    )


def printed(language: str = "en", **changed: Any) -> str:
    item = build_item()
    sheet = PrintedPack(
        language=Language(language),
        document_id=DOCUMENT_ID,
        issued_at=ISSUED_AT,
        organization="North",
        name="Sandbox Bakery Inc.",
        business_id=DOCUMENT_ID,
        period_from=None,
        period_to=None,
        period_last=None,
        requested_at=ISSUED_AT,
        requested_by="ann@north.example",
        version="1.0",
        is_detailed=True,
        sections=(PrintedPackSection(title="packSection.screenings", count=2, items=(item, item)),),
        audit=INTACT,
        entries=(PrintedAuditEntry(id=41, at=ISSUED_AT, actor="bob@north.example", field="caseDecision", hash=DIGEST),),
        files=(PackedFile(name="audit.jsonl", size=10, sha256=DIGEST),),
    )
    return text_of(render(sheet.model_copy(update=changed)))


def test_every_item_has_a_section_with_its_details_and_digests() -> None:
    text = printed()
    for shown in ("Sandbox Bakery Inc.", "Intact", "1,057", "Open hits", "No match has been selected yet", "screenings/one.json"):
        assert shown in text, shown
    for shown in ("ann@north.example", "bob@north.example", "caseDecision", "audit.jsonl", "#image(1) ⟨U+202E⟩ $x$"):
        assert shown in text, shown
    assert text.count("screenings/one.json") == 2
    assert text.count("1 May 2026") == 2


def test_a_large_pack_has_a_line_for_each_item() -> None:
    text = printed(is_detailed=False)
    assert text.count("screenings/one.json") == 2
    assert "No match has been selected yet" not in text


def test_a_section_of_which_the_first_items_are_printed_says_so() -> None:
    section = PrintedPackSection(title="packSection.searches", count=1234, items=(build_item(),))
    text = printed(is_detailed=False, sections=(section,))
    assert "The first 1 of 1,234 items" in text
    assert text.count("1,234") == 3


def test_what_the_service_did_itself_is_by_the_service() -> None:
    item = build_item().model_copy(update={"by": "system:monitoring"})
    text = printed(sections=(PrintedPackSection(title="packSection.screenings", count=1, items=(item,)),))
    assert "system:" not in text
    assert "the service" in text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_log_that_was_tampered_with_is_told_first(language: str) -> None:
    text = printed(language, audit=BROKEN, name=None, period_from=ISSUED_AT, period_to=ISSUED_AT, period_last=ISSUED_AT)
    assert "Intact" not in text
    assert DIGEST[:16] in text
