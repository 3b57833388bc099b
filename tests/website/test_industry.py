"""The industry of a site by the sandbox's small classification: its code, its words as evidence, and none rather than a guess."""

from dataclasses import replace
from pathlib import Path

import pytest

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.language import Language
from bonafide.model.search.website import Industry
from bonafide.website.industry.classifier import MIN_CONFIDENCE, IndustryClassifier, build_unclassified
from bonafide.website.industry.index_building import build_index
from bonafide.website.industry.naics_index import read_index, write_index
from bonafide.website.industry.naics_tables import NaicsEdition, build_editions, read_naics_table
from bonafide.website.industry.site_texts import SiteText, SiteWords, TextPosition, collect_site_texts
from bonafide.website.page_content.markup import SitePage
from bonafide_sandbox.sites.catalog import SiteCatalog
from bonafide_sandbox.sites.site import SandboxSite
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.writers.naics import write_naics
from tests.support.website.industry_sites import OF_NO_TRADE, READ_AT, MadeSite

SITES = 60
ENGLISH, FRENCH = Language.ENGLISH, Language.FRENCH
BAKERY = MadeSite(
    ("311811",),
    "en",
    "Birch Street Bakery",
    "Bread and cakes",
    ("croissants", "birthday cakes"),
    "We bake bread and pastry all night.",
)
BOULANGERIE = MadeSite(
    ("311811",),
    "fr",
    "Boulangerie des Bouleaux",
    "Pains et gâteaux",
    ("croissants",),
    "Notre boulangerie cuit ses pains toute la nuit.",
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[NaicsEdition, ...]:
    folder = tmp_path_factory.mktemp("naics")
    return build_editions([read_naics_table(folder / target.path, target.resource) for target in write_naics(folder)])


@pytest.fixture(scope="module")
def industries(tables: tuple[NaicsEdition, ...]) -> IndustryClassifier:
    return IndustryClassifier(build_index(tables, {"edition": "made up"}))


@pytest.fixture(scope="module")
def english_only(tables: tuple[NaicsEdition, ...]) -> IndustryClassifier:
    return IndustryClassifier(build_index(tables[:1], {}))


def classified(industries: IndustryClassifier, site: MadeSite) -> Industry:
    return industries.classify(collect_site_texts([site.page]))


def test_a_bakery_is_a_bakery_and_the_reason_names_its_words(industries: IndustryClassifier) -> None:
    found = classified(industries, BAKERY)
    assert (found.naics_code, found.naics_code_name) == ("311811", "Bakeries with their own counter")
    assert found.confidence >= MIN_CONFIDENCE
    assert "“Bakery”" in found.reasoning
    assert found.reasoning.values["code"] == "311811"


def test_candidates_are_the_best_few_with_the_official_phrase_and_the_words_of_the_site(industries: IndustryClassifier) -> None:
    found = classified(industries, BAKERY)
    assert 1 <= len(found.candidates) <= 5
    scores = [candidate.score for candidate in found.candidates]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == found.confidence
    assert "; on the website: “" in found.candidates[0].evidence


def test_a_french_site_is_classified_by_the_french_tables(industries: IndustryClassifier) -> None:
    found = classified(industries, BOULANGERIE)
    assert (found.naics_code, found.naics_code_name) == ("311811", "Bakeries with their own counter")
    assert industries.get_title("311811", FRENCH) == "Boulangeries de quartier"
    assert "built-in word list" not in found.reasoning


def test_without_french_tables_a_french_site_is_read_through_our_own_words_and_that_is_said(
    english_only: IndustryClassifier,
) -> None:
    found = classified(english_only, BOULANGERIE)
    assert found.naics_code == "311811"
    assert "“Boulangerie”" in found.reasoning, "the site's own word is the evidence, not its translation"
    assert "built-in word list" in found.reasoning


def test_a_title_that_is_not_loaded_in_a_language_is_given_in_english(english_only: IndustryClassifier) -> None:
    assert english_only.get_title("311811", FRENCH) == "Bakeries with their own counter"
    assert english_only.get_title("000000", FRENCH) is None


@pytest.mark.parametrize("site", OF_NO_TRADE, ids=lambda site: site.title)
def test_a_site_of_no_trade_gets_no_code_and_is_told_why(industries: IndustryClassifier, site: MadeSite) -> None:
    found = classified(industries, site)
    assert found.naics_code is found.naics_code_name is None
    assert found.confidence < MIN_CONFIDENCE
    assert found.reasoning.startswith("No code: ")


def test_a_site_without_a_word_has_no_candidate(industries: IndustryClassifier) -> None:
    found = industries.classify(SiteWords(()))
    assert (found.naics_code, found.candidates, found.confidence) == (None, (), 0)
    assert "contains no words of an industry" in found.reasoning


def test_unknown_words_alone_find_nothing(industries: IndustryClassifier) -> None:
    words = SiteWords((SiteText(TextPosition.PARAGRAPH, "Xqzvw jjkkq 12345"),))
    assert industries.classify(words).candidates == ()


def test_where_nothing_is_loaded_that_is_the_reason() -> None:
    assert "not loaded" in build_unclassified().reasoning


def test_a_phrase_that_is_held_out_is_found_by_the_others_of_its_class(tables: tuple[NaicsEdition, ...]) -> None:
    held = "interior house painting"
    index = build_index([tables[0].without(frozenset({held}))], {})
    assert all(held not in phrases for phrases in index.phrases)
    found = IndustryClassifier(index).classify(SiteWords((SiteText(TextPosition.ACTIVITY, held),)))
    assert found.candidates[0].naics_code == "238320"


def test_the_same_tables_make_the_same_index(tables: tuple[NaicsEdition, ...], industries: IndustryClassifier) -> None:
    again = build_index(tables, {"edition": "made up"})
    assert (again.postings.weights == industries.index.postings.weights).all()


def test_an_index_is_read_as_it_was_written(industries: IndustryClassifier, tmp_path: Path) -> None:
    path = tmp_path / "index.npz"
    write_index(industries.index, path)
    read = IndustryClassifier.load(path)
    assert read.index.about == {"edition": "made up"}
    assert (read.index.codes, read.index.titles, read.index.phrases) == (
        industries.index.codes,
        industries.index.titles,
        industries.index.phrases,
    )
    assert classified(read, BAKERY).naics_code == "311811"


def test_a_damaged_index_is_said_to_be_damaged(industries: IndustryClassifier, tmp_path: Path) -> None:
    path = tmp_path / "index.npz"
    write_index(industries.index, path)
    whole = path.read_bytes()
    for broken in (whole[: len(whole) // 2], b"", b"not an archive"):
        path.write_bytes(broken)
        with pytest.raises(SegmentCorrupt, match=r"index\.npz is damaged"):
            read_index(path)


def test_an_index_of_other_features_is_not_read(
    industries: IndustryClassifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bonafide.website.industry.naics_index.VERSION", 0)
    write_index(replace(industries.index), tmp_path / "old.npz")
    monkeypatch.undo()
    with pytest.raises(SegmentCorrupt, match="has version 0"):
        read_index(tmp_path / "old.npz")


def test_the_sandbox_s_sites_get_the_class_that_was_planted(industries: IndustryClassifier) -> None:
    town = SiteCatalog(DEFAULT_SEED)
    sites = [site for host in town.hosts[:SITES] if (site := town.site(host)) is not None]
    found = [(classified_site(industries, site), site.facts.naics) for site in sites]
    assert {code for code, planted in found if code is not None and code != planted} == set()
    assert sum(code is not None for code, _ in found) >= 0.9 * len(found)


def classified_site(industries: IndustryClassifier, site: SandboxSite) -> str | None:
    sent = [(leaf.path, site.page(leaf.path)) for leaf in site.all_pages]
    pages = [
        SitePage(f"https://site.example{path}", page.body.decode("utf-8", "replace"), READ_AT)
        for path, page in sent
        if page is not None
    ]
    return industries.classify(collect_site_texts(pages)).naics_code
