"""What the file is: archivable, accessible, whole, and the same for the same data."""

import base64
import hashlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError
from pypdf import PdfReader
from pypdf.generic import BooleanObject, DictionaryObject

from bonafide.i18n.language import Language
from bonafide.model.accounts.branding import Branding
from bonafide.pdf.print_models import PrintedBusinessReport
from bonafide.pdf.render import is_logo_drawable, render
from tests.support.pdf.sheets import bare_sheet, full_sheet, metadata_of, object_at, person, root_object, structure_of, text_of

ONE_RED_PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
PRINT_FROM_STDIN = """
import hashlib, sys
from bonafide.pdf.print_models import PrintedBusinessReport
from bonafide.pdf.render import render
print(hashlib.sha256(render(PrintedBusinessReport.model_validate_json(sys.stdin.read()))).hexdigest())
"""


def test_the_file_says_that_it_is_for_archives_and_for_screen_readers() -> None:
    described = metadata_of(render(full_sheet()))
    assert "<pdfaid:part>2</pdfaid:part>" in described
    assert "<pdfaid:conformance>B</pdfaid:conformance>" in described
    assert "<pdfuaid:part>1</pdfuaid:part>" in described


@pytest.mark.parametrize(("language", "tag", "kind"), [("en", "en-CA", "Business report"), ("fr", "fr-CA", "Rapport d’entreprise")])
def test_the_file_has_a_title_and_a_language(language: str, tag: str, kind: str) -> None:
    pdf = render(full_sheet(language=Language(language)))
    reader = PdfReader(BytesIO(pdf))
    assert str(root_object(pdf, "/Lang")) == tag
    assert reader.metadata is not None
    assert reader.metadata.title == f"Rye & Barley Bakery Inc. – {kind}"
    assert reader.metadata.author == "bonafide"
    assert root_object(pdf, "/ViewerPreferences", "/DisplayDocTitle") == BooleanObject(value=True)


@pytest.mark.parametrize(
    ("language", "retrieved", "issued"),
    [
        ("en", "20 November 2026, 09:32 EST", "20 November 2026, 09:33 EST (20 November 2026, 14:33 UTC)"),
        ("fr", "20 novembre 2026, 09 h 32 HNE", "20 novembre 2026, 09 h 33 HNE (20 novembre 2026, 14 h 33 UTC)"),
    ],
)
def test_times_are_those_of_the_time_zone_and_the_issue_is_also_in_utc(language: str, retrieved: str, issued: str) -> None:
    sheet = full_sheet(language=Language(language), legal_name="9999-12-31T23:59:59Z", alternate_names=("2026-13-01T00:00:00Z",))
    text = text_of(render(sheet, zone=ZoneInfo("America/Toronto"))).replace("\u00a0", " ")
    assert retrieved in text
    assert issued in text
    assert render(sheet, zone=ZoneInfo("UTC")) == render(sheet)


def test_headings_lists_and_tables_are_tagged_as_such() -> None:
    tags = list(structure_of(render(full_sheet())))
    assert tags.count("/H1") == 1
    assert tags.count("/H2") == 8
    assert tags.count("/Table") == 3
    assert tags.count("/TH") == 3 + 5 + 4
    assert {"/L", "/LI", "/Lbl", "/LBody", "/THead", "/TD", "/Link"} <= set(tags)


def test_every_font_is_in_the_file_and_none_is_of_the_system() -> None:
    reader = PdfReader(BytesIO(render(full_sheet(legal_name="Ωμέγα Рога שלום ✓ → ½ Ltée"))))
    names = set()
    for page in reader.pages:
        fonts = object_at(page, "/Resources", "/Font")
        assert isinstance(fonts, DictionaryObject)
        for font in fonts.values():
            (descendant,) = font.get_object()["/DescendantFonts"]
            descriptor = descendant.get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & set(descriptor)
            names.add(str(descriptor["/FontName"]).partition("+")[2].split("-")[0])
    assert names == {"LibertinusSerif", "DejaVuSansMono"}


def test_the_file_is_whole(tmp_path: Path) -> None:
    qpdf = shutil.which("qpdf")
    if qpdf is None:
        pytest.skip("qpdf is not installed")
    for sheet in (bare_sheet(), full_sheet(language=Language.FRENCH)):
        (tmp_path / "report.pdf").write_bytes(render(sheet))
        command = [qpdf, "--check", str(tmp_path / "report.pdf")]
        done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - a fixed command
        assert "No syntax or stream encoding errors found" in done.stdout


def test_the_same_sheet_gives_the_same_bytes() -> None:
    assert render(full_sheet()) == render(full_sheet())
    assert render(full_sheet()) != render(full_sheet(legal_name="Other Inc."))


def test_another_process_gives_the_same_bytes() -> None:
    sheet = full_sheet()
    command = [sys.executable, "-c", PRINT_FROM_STDIN]
    done = subprocess.run(command, input=sheet.to_json(), check=True, capture_output=True, text=True)  # noqa: S603 - a fixed command
    assert done.stdout.strip() == hashlib.sha256(render(sheet)).hexdigest()


@pytest.mark.slow
def test_threads_do_not_mix_their_documents() -> None:
    sheets = [full_sheet(legal_name=f"Number {number} Inc.", people=(person(f"P{number}"),)) for number in range(24)]
    alone = [render(sheet) for sheet in sheets]
    with ThreadPoolExecutor(max_workers=6) as threads:
        assert list(threads.map(render, sheets)) == alone


def test_a_sheet_survives_its_wire_form() -> None:
    sheet = full_sheet()
    assert PrintedBusinessReport.model_validate_json(sheet.to_json()) == sheet


def test_branding_puts_name_colours_and_logo_on_the_page() -> None:
    plain = render(bare_sheet(), Branding(name="Prairie Credit Union", primary="#7a1e3c"))
    assert "Prairie Credit Union" in text_of(plain)
    metadata = PdfReader(BytesIO(plain)).metadata
    assert metadata is not None
    assert metadata.author == "Prairie Credit Union"
    with_logo = render(bare_sheet(), Branding(name="Prairie Credit Union", logo=base64.b64encode(ONE_RED_PIXEL)))
    assert "/Figure" in set(structure_of(with_logo))
    assert "/Figure" not in set(structure_of(plain))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"primary": "#ffee00"}, "contrast"),
        ({"secondary": "red"}, "#rrggbb"),
        ({"logo": base64.b64encode(b"GIF89a")}, "PNG or JPEG"),
        ({"logo": base64.b64encode(ONE_RED_PIXEL[:20])}, "damaged"),
        ({"logo": base64.b64encode(b"\xff\xd8\xff\xe0\x00")}, "damaged"),
        ({"logo": base64.b64encode(ONE_RED_PIXEL[:16] + b"\x00\x00\xff\xff" * 2)}, "pixels"),
        ({"logo": base64.b64encode(b"\xff\xd8\xff\xe0\x00\x02\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03")}, "pixels"),
        ({"logo": base64.b64encode(bytes(300_000))}, "262144"),
    ],
)
def test_branding_that_could_not_be_read_is_refused(given: dict[str, object], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        Branding(**({"name": "Prairie"} | given))


def test_a_logo_that_is_cut_off_can_not_be_drawn() -> None:
    assert is_logo_drawable(ONE_RED_PIXEL)
    assert not is_logo_drawable(ONE_RED_PIXEL[:40])


def test_branding_survives_its_wire_form() -> None:
    branding = Branding(name="Prairie", logo=base64.b64encode(ONE_RED_PIXEL))
    assert Branding.model_validate_json(branding.to_json()) == branding
