"""Whatever a register, or a person who has registered a name there, writes: it is printed, never obeyed."""

import os
import re
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonafide.pdf
from bonafide.i18n.language import Language
from bonafide.model.entity import Address, RegistrationNumber
from bonafide.pdf.print_models import PrintedDocument
from bonafide.pdf.render import render
from tests.support.pdf.sheets import DOCUMENT_ID, ISSUED_AT, bare_sheet, full_sheet, pages_of, person, text_of
from tests.support.sampling import examples

TEMPLATES = Path(bonafide.pdf.__path__[0]) / "templates"
MARKUP = (
    '#eval("1 + 1")',
    '#read("/etc/passwd")',
    '#import "@preview/cetz:0.3.0"',
    '#panic("out")',
    "$x^2$",
    "*bold* _italic_ `raw`",
    "= Heading",
    "- item",
    "@reference <label>",
    "// comment /* more */",
    "\\u{41} \\",
    "~--~...",
    "]}) #{ [ (",
    '{"a": "b"} {page}',
    "https://phish.example",
)


@pytest.mark.parametrize("name", MARKUP)
def test_markup_in_data_is_printed_as_it_stands(name: str) -> None:
    sheet = full_sheet(
        legal_name=name,
        alternate_names=(name,),
        registration_numbers=(RegistrationNumber(label=name, value=name),),
        status=name,
        people=(person(name, roles=(name,), addresses=(Address(raw=name),), status=name),),
        limits=(name,),
    )
    text = text_of(render(sheet))
    assert text.count(name) >= 10


def test_an_address_in_data_is_no_link_of_the_page() -> None:
    assert b"/URI" not in render(bare_sheet(legal_name="https://phish.example"))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("\u202edetcerid\u202c Ltd.", "⟨U+202E⟩detcerid⟨U+202C⟩ Ltd."),
        ("Zero\u200bwidth", "Zero⟨U+200B⟩width"),
        ("Soft\u00adhyphen", "Soft⟨U+00AD⟩hyphen"),
        ("Nul\x00l", "Nul⟨U+0000⟩l"),
        ("ᐃᓄᒃ Inc.", "⟨U+1403 U+14C4 U+1483⟩ Inc."),
        ("中文 Ltd.", "⟨U+4E2D U+6587⟩ Ltd."),
        ("Private \ue000", "Private ⟨U+E000⟩"),
        ("Party 🎉", "Party ⟨U+1F389⟩"),
        ("Pilz" + "\u0308" * 5, "⟨U+0308 U+0308⟩"),
        ("Line\nbreak\tand\u2028tab", "Line break and tab"),
    ],
)
def test_what_cannot_be_seen_is_written_by_code_points(name: str, printed: str) -> None:
    text = text_of(render(bare_sheet(legal_name=name)))
    assert printed in text
    assert ("shown as Unicode code points" in text) == ("⟨" in printed)


@pytest.mark.parametrize(
    "name", ["Société générale d’Été à l’œuvre ÇÀÉÈÊËÏÎÔÙÛÜŸ", "Рога и Копыта ООО", "Ωμέγα ΑΕ", "Ŵĳk Łódź Ğüneş", "№ 5 “x” – ½"]
)
def test_letters_of_europe_are_printed_and_can_be_copied(name: str) -> None:
    assert name in text_of(render(bare_sheet(legal_name=name)))


@pytest.mark.parametrize("name", ["X̱wemelch’stn", "Sḵwx̱wú7mesh", "hən̓q̓əmin̓əm̓", "x̱ʷməθkʷəy̓əm"])
def test_letters_of_the_west_coast_are_printed_with_their_marks(name: str) -> None:
    assert "⟨" not in text_of(render(bare_sheet(legal_name=name)))


def test_decomposed_accents_are_printed_as_one_letter() -> None:
    assert "Hélène" in text_of(render(bare_sheet(legal_name="He\u0301le\u0300ne")))


def test_a_word_wider_than_the_page_is_broken_and_stays_whole_when_copied() -> None:
    word = "".join(f"{number:03}" for number in range(200))
    text = text_of(render(bare_sheet(alternate_names=(word,))))
    assert text.replace(" ", "").count(word) == 1
    assert "\u200b" not in text


def test_a_very_long_name_is_shortened_in_the_running_header_only() -> None:
    name = "Compagnie générale de transport maritime, fluvial et aérien " * 5 + "Ltée"
    pages = pages_of(render(full_sheet(legal_name=name, people=tuple(person(f"P{number}") for number in range(60)))))
    assert name in pages[0]
    assert pages[1].startswith(name[:69] + "… Business report")


PILES = st.text(st.sampled_from("aé⟨ \u00a0שЯ→\u0301\u0323\u0331\u0361\u0489\u05bc"), min_size=1, max_size=40)


@pytest.mark.slow
@examples(50)
@given(st.lists(st.text(min_size=1, max_size=40) | PILES, min_size=1, max_size=12), st.sampled_from(Language))
def test_any_text_can_be_printed(texts: list[str], language: Language) -> None:
    sheet = full_sheet(
        legal_name=texts[0], language=language, alternate_names=tuple(texts), people=tuple(person(text) for text in texts)
    )
    assert render(sheet).startswith(b"%PDF-")


def test_a_template_outside_of_the_folder_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "foreign.typ").write_text("= Foreign")

    class Foreign(PrintedDocument):
        template: ClassVar[str] = os.path.relpath(tmp_path / "foreign", TEMPLATES)

    with pytest.raises(RuntimeError, match="must be contained in project root"):
        render(Foreign(language=Language.ENGLISH, document_id=DOCUMENT_ID, issued_at=ISSUED_AT))


def test_templates_evaluate_nothing_and_import_only_each_other() -> None:
    for path in TEMPLATES.glob("*.typ"):
        code = path.read_text(encoding="utf-8")
        assert re.findall(r"\b(eval|read|plugin|include)\(", code) == []
        imported = re.findall(r'#import "([^"]+)"', code)
        assert all((TEMPLATES / name).is_file() for name in imported)
