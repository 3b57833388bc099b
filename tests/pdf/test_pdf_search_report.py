"""Search reports: every part of the result, and what could not be checked."""

import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from bonafide.errors import SourceErrorCode
from bonafide.model.accounts.branding import Branding
from bonafide.model.search.match import ScoredName
from bonafide.model.search.result import (
    CheckError,
    CheckErrors,
    Comparison,
    CoverageStatus,
    MatchSelection,
    SearchResult,
    SearchStatus,
    SelectionStatus,
)
from bonafide.model.search.website import WebsiteAnalysis, WebsiteStatus
from bonafide.sources.framework.discovery import list_regulator_keys
from bonafide_bench.datasets.sample_search import create_sample_search
from tests.support.pdf.reports import DOCUMENT_ID, SITE, printed, printed_search
from tests.support.pdf.sheets import metadata_of, pages_of, structure_of, text_of

NOTHING_LISTED = dict.fromkeys(list_regulator_keys(), ())
LONG = "Zwölfundzwanzigmilliardenbeteiligungsverwaltungsgesellschaft " * 3 + "X" * 110
HOSTILE = (
    '#import "@preview/a:1.0.0"',
    '#panic("out")',
    "$x^2$ \\",
    "*bold* `raw` @ref <label>",
    "\u202edetcerid\u202c",
    "a\x00b",
    "שלום Ltd.",
)


def unlooked(**parts: Any) -> SearchResult:
    """A search of which every source has failed."""
    result = create_sample_search(0)
    rows = tuple(row.model_copy(update={"status": CoverageStatus.FAILED, "route": None}) for row in result.meta.coverage)
    meta = result.meta.model_copy(update={"coverage": rows, "status": SearchStatus.ERROR})
    error = CheckError(code=SourceErrorCode.TIMEOUT, message="Corporations Canada did not answer within 10 s", retryable=True)
    errors = CheckErrors(business_registry=error, general=error)
    nothing = {"meta": meta, "businesses": None, "regulatory": NOTHING_LISTED, "sanctions": None, "errors": errors}
    return create_sample_search(0, **(nothing | parts))


def test_every_match_stands_with_its_score_and_the_reason_for_it() -> None:
    text = text_of(printed_search(3))
    assert "3. Maple Logistics North 3 Ltd. 0.95" in text
    assert text.count("'foundry' read as 'foundary' (1 letter)") >= 3
    assert "Not compared: Address (no address was given)." in text
    assert "Name score: 0.90" in text


def test_each_match_says_where_it_is_from_and_when() -> None:
    text = text_of(printed_search(1))
    assert "Alberta Corporate Registry. Data as of 1 November 2026, retrieved on 20 November 2026, 11:33 UTC." in text


@pytest.mark.slow
def test_all_regulators_are_listed_and_unavailable_ones_are_marked() -> None:
    text = text_of(printed_search())
    unlooked = {"calgaryBusinessLicences", "gleif"}
    looked = len(set(list_regulator_keys()) - unlooked)
    assert f"3 of {looked} regulators checked list this business or a similar one." in text
    assert "Legal Entity Identifiers (GLEIF) Unavailable —" in text
    assert "Commercial premises, Montréal None found 1 November 2026" in text


def test_unchecked_sources_are_on_the_first_page() -> None:
    first = pages_of(printed_search())[0]
    assert "Some sources weren’t checked" in first
    assert "Business registers (2): Saskatchewan, Federal." in first
    assert "No result from these sources isn’t a clear result." in first


@pytest.mark.slow
def test_the_reason_stands_for_each_source_that_was_not() -> None:
    text = text_of(printed_search())
    assert "No data is loaded. A person can look here:" in text
    assert "older than this source should be" in text


def test_unavailable_is_never_none_found() -> None:
    text = text_of(printed(unlooked()))
    assert "No register could be checked." in text
    assert "No regulator could be checked." in text
    assert "No sanctions list could be screened." in text
    assert "None found 1" not in text
    assert "No match" not in text
    assert "(TIMEOUT): Corporations Canada did not answer within 10 s. A retry may succeed." in text


def test_a_search_that_found_nothing_says_where_it_looked() -> None:
    text = text_of(printed(create_sample_search(0, regulatory=NOTHING_LISTED)))
    assert "12 of 14 registers were checked. No match in available sources." in text
    assert "None found 1" in text


def test_what_was_not_asked_for_is_told_from_what_found_nothing() -> None:
    result = create_sample_search(0)
    rows = tuple(row.model_copy(update={"status": CoverageStatus.NOT_REQUESTED, "route": None}) for row in result.meta.coverage)
    meta = result.meta.model_copy(update={"coverage": rows})
    text = text_of(printed(create_sample_search(0, meta=meta, businesses=None, regulatory=NOTHING_LISTED, sanctions=None)))
    assert "Registers weren’t checked in this search." in text
    assert "Sanctions weren’t screened in this search." in text
    assert "None found 1" not in text


def test_open_hits_come_before_dismissed_ones_which_say_who_decided() -> None:
    text = text_of(printed_search())
    assert text.index("MAPLE FOUNDRY TRADING LLC") < text.index("Dismissed by analyst@north.example on 20 November 2026")
    assert "A ship; our customer is a foundry." in text
    assert "−0.12" in text
    assert "uk-sanctions-list (UNAVAILABLE): No data is loaded." in text


def test_the_web_site_stands_with_its_evidence_industry_and_domain() -> None:
    text = text_of(printed_search(website=SITE))
    for words in (
        "A website states what its owner claims.",
        "maple.example, created on 1 May 2009",
        "hello@maple.example",
        "Where each value was found",
        "331511 Iron foundries (confidence 0.82)",
        "Anneliese Roggenbrot (Founder)",
        "The website compared with the register",
    ):
        assert words in text, words


def test_a_site_that_was_refused_says_why() -> None:
    site = WebsiteAnalysis(
        status=WebsiteStatus.REFUSED, url="http://10.0.0.1/", error="the address is not public", retrieved_at=SITE.retrieved_at
    )
    pages = pages_of(printed_search(website=site))
    assert "Website: Not allowed to be fetched: the address is not public" in pages[0]


@pytest.mark.slow
def test_a_site_that_could_not_be_analysed_differs_from_one_that_was_not_requested() -> None:
    error = CheckError(code=SourceErrorCode.UNAVAILABLE, message="Live lookups are disabled.", retryable=False)
    wanted = text_of(printed_search(errors=CheckErrors(website_analysis=error)))
    assert "Website: Live lookups are disabled." in wanted
    assert "The website could not be analysed." in wanted
    meta = create_sample_search(1).meta
    params = meta.submitted.params.model_copy(update={"website_analysis": False})
    meta = meta.model_copy(update={"submitted": meta.submitted.model_copy(update={"params": params})})
    assert "Not requested: website." in text_of(printed_search(meta=meta))


@pytest.mark.slow
def test_the_selected_match_is_the_one_that_is_described() -> None:
    result = create_sample_search(3)
    assert result.businesses is not None
    chosen = result.businesses[1].match_id
    selection = MatchSelection(status=SelectionStatus.SELECTED, selected_match_id=chosen, status_url="/", selection_url="/")
    text = text_of(printed(create_sample_search(3, match_selection=selection)))
    assert "A reviewer selected a match." in text
    assert "Selected match: Maple Foundry North 2 Ltd." in text
    none = selection.model_copy(update={"status": SelectionStatus.NO_SELECTION, "selected_match_id": None})
    assert "No register entry with people was found." in text_of(printed(create_sample_search(3, match_selection=none)))


def test_a_record_stands_beside_the_register() -> None:
    result = create_sample_search(1)
    assert result.businesses is not None
    comparison = Comparison(
        match_id=result.businesses[0].match_id,
        baseline="record",
        fields=result.businesses[0].match.fields,
        matched_count=4,
        discrepancy_count=2,
        not_checked_count=1,
    )
    text = text_of(printed(create_sample_search(1, comparison=comparison)))
    assert "4 fields match, 2 differ, 1 could not be compared." in text


def test_every_page_has_its_number_the_id_and_the_digest_of_the_data() -> None:
    pages = pages_of(printed_search())
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in page
        assert f"Document {DOCUMENT_ID}" in page
        assert "SHA-256 of the data" in page


def test_it_is_all_in_french() -> None:
    text = text_of(printed_search(2, "fr", website=SITE))
    for words in (
        "Rapport de recherche",
        "Certaines sources n’ont pas été consultées",
        "Organismes de bienfaisance (ARC)",
        "Colombie-Britannique",
        "Non disponible",
        "0,97",
        "1er novembre 2026",
    ):
        assert words in text, words
    for english in (
        "Unavailable",
        "clear result",
        "Director (",
    ):
        assert english not in text, english


def test_it_is_tagged_and_archivable_with_headings_in_order() -> None:
    pdf = printed_search(website=SITE)
    described = metadata_of(pdf)
    assert "<pdfaid:part>2</pdfaid:part>" in described
    assert "<pdfuaid:part>1</pdfuaid:part>" in described
    tags = list(structure_of(pdf))
    assert tags.count("/H1") == 1
    assert tags.count("/H2") == 11
    assert {"/H3", "/Table", "/TH", "/L", "/Link"} <= set(tags)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_file_is_whole(tmp_path: Path, language: str) -> None:
    qpdf = shutil.which("qpdf")
    if qpdf is None:
        pytest.skip("qpdf is not installed")
    path = tmp_path / "report.pdf"
    for pdf in (printed_search(12, language, website=SITE), printed(unlooked(), language)):
        path.write_bytes(pdf)
        done = subprocess.run([qpdf, "--check", str(path)], check=True, capture_output=True, text=True)  # noqa: S603 - a fixed command
        assert "No syntax or stream encoding errors found" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_what_anybody_has_called_themselves_is_printed_and_never_obeyed(name: str) -> None:
    result = create_sample_search(1)
    assert result.businesses is not None
    match = result.businesses[0].model_copy(
        update={"legal_name": ScoredName(name=name, match_score=0.9), "alternate_names": (name,)}
    )
    submitted = result.meta.submitted.model_copy(update={"name": name})
    meta = result.meta.model_copy(update={"submitted": submitted})
    text = text_of(printed(result.model_copy(update={"businesses": (match,), "meta": meta})))
    assert (
        text.count(name.replace("\u202e", "⟨U+202E⟩").replace("\u202c", "⟨U+202C⟩").replace("\x00", "⟨U+0000⟩").split()[0][-5:])
        >= 3
    )


@pytest.mark.slow
def test_long_names_stay_on_the_page() -> None:
    result = create_sample_search(1)
    assert result.businesses is not None
    match = result.businesses[0].model_copy(
        update={"legal_name": ScoredName(name=LONG, match_score=0.9), "alternate_names": (LONG,) * 20}
    )
    pdf = printed(result.model_copy(update={"businesses": (match,)}))
    widest = 0.0

    def visit(text: str, _cm: Any, tm: Any, _font: Any, _size: Any) -> None:
        nonlocal widest
        widest = max(widest, tm[4]) if text.strip() else widest

    for page in PdfReader(BytesIO(pdf)).pages:
        page.extract_text(visitor_text=visit)
    assert widest < 612
    assert "".join(text_of(pdf).split()).count("X" * 110) >= 20


def test_it_is_branded() -> None:
    pdf = printed(create_sample_search(1), branding=Branding(name="Prairie Credit Union", primary="#7a1e3c"))
    assert "Prairie Credit Union" in pages_of(pdf)[0]
