"""What the pages of a business report say, in both languages, with everything stated and with nothing."""

from datetime import date

import pytest

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.entity import Address, Part, StatusCode
from bonafide.pdf.print_models import GoodStandingStatus, PrintedEvidence, PrintedGoodStanding, PrintedProvenance
from bonafide.pdf.render import render
from bonafide.services.reports.printed_profile import STATED_STANDING
from tests.support.pdf.sheets import ISSUED_AT, SHA256, bare_sheet, former, full_sheet, pages_of, person, text_of

SAID_IN_ENGLISH = (
    "Business report",
    "Register: Ontario",
    "Rye & Barley Bakery Inc.",
    "The Golden Crust",
    "Home register New Brunswick (059123)",
    "1000017 (Ontario Corporation Number)",
    "Ontario Business Corporation (Corporation)",
    "2 March 2009",
    "Yes. The last annual return that was due is filed.",
    "12-480 Oven Street, Toronto, ON M5V 1A1, Canada",
    "P.O. Box 17, Station B, Ottawa",
    "People (2)",
    "Anneliese Roggenbrot Holds 33.5%",
    "President (Officer)",
    "Étienne Lévesque-Dubé Shares: 1,200 Class A",
    "Rye Bread Company Ltd. Former name 2 March 2009 30 June 2015",
    "Crumb Inc. Former name not stated 1 March 2009",
    "Dough Works Ltd. Former name 30 June 2015 not stated",
    "Loaf Ltd. Former name not stated not stated",
    "311811 Retail bakeries",
    "445291 no title available",
    "This register does not publish industry codes.",
    "Holdings come from the annual return.",
    "Ontario's register",
    "https://register.example/1000017",
    "Live query of the register",
    "1 November 2026",
    "20 November 2026, 14:32 UTC",
    "Profile of 1000017",
    "48,213 bytes",
    f"{SHA256[:32]} {SHA256[32:]}",
)
SAID_IN_FRENCH = (
    "Rapport d’entreprise",
    "Registre : Ontario",
    "Registre d’origine Nouveau-Brunswick (059123)",
    "Ontario Business Corporation (Société par actions)",
    "2 mars 2009",
    "Oui. The last annual return that was due is filed.",
    "Personnes (2)",
    "Anneliese Roggenbrot Détient 33,5 %",
    "Administrateur",
    "Étienne Lévesque-Dubé Actions : 1,200 Class A",
    "Crumb Inc. Nom antérieur non indiqué 1er mars 2009",
    "445291 aucun titre disponible",
    "Ce registre ne publie pas de codes d’activité.",
    "Consultation en direct du registre",
    "1er novembre 2026",
    "20 novembre 2026, 14 h 32 UTC",
    "48 213 octets",
)
ABSENT_IN_ENGLISH = (
    "Status Unknown",
    "Other names in use none listed in the register",
    "Registration numbers none listed in the register",
    "Entity type not stated by the register",
    "Incorporated not stated by the register",
    "not dated by the publisher",
    "Unknown. Annual returns are not published.",
    "The register lists no address for this business.",
    "The register lists no people for this business.",
    "The register lists no former names for this business.",
    "The register lists no industry code for this business.",
    "No limitations are recorded for this register.",
    "The register has no page for this business.",
    "No source responses were stored for this report.",
)
ABSENT_IN_FRENCH = (
    "Autres noms utilisés aucun au registre",
    "Constitution non indiquée par le registre",
    "Inconnu. Annual returns are not published.",
    "Le registre n’indique aucune adresse pour cette entreprise.",
    "Le registre n’indique aucune personne pour cette entreprise.",
    "Aucune réponse de source n’a été conservée pour ce rapport.",
)


@pytest.mark.parametrize(("language", "said"), [(Language.ENGLISH, SAID_IN_ENGLISH), (Language.FRENCH, SAID_IN_FRENCH)])
def test_a_report_says_everything_that_it_was_given(language: Language, said: tuple[str, ...]) -> None:
    text = text_of(render(full_sheet(language=language)))
    assert [words for words in said if words not in text] == []


@pytest.mark.parametrize(("language", "said"), [(Language.ENGLISH, ABSENT_IN_ENGLISH), (Language.FRENCH, ABSENT_IN_FRENCH)])
def test_what_is_absent_is_said_in_words(language: Language, said: tuple[str, ...]) -> None:
    text = text_of(render(bare_sheet(language=language)))
    assert [words for words in said if words not in text] == []


def test_what_a_register_never_publishes_is_not_called_absent() -> None:
    text = text_of(render(bare_sheet(unpublished=(Part.PEOPLE, Part.INCORPORATION_DATE))))
    assert "People This register does not publish directors, officers or owners." in text
    assert "Incorporated not published by this register" in text
    assert "The register lists no people" not in text


def test_a_bare_report_names_no_home_of_the_business() -> None:
    assert "Home register" not in text_of(render(bare_sheet()))


def test_a_home_outside_canada_stays_in_the_registers_words() -> None:
    assert "Home register Delaware" in text_of(render(bare_sheet(home_jurisdiction="Delaware")))


def test_every_page_has_its_number_the_document_and_the_digest_of_its_data() -> None:
    sheet = full_sheet(people=tuple(person(f"Director {number}", addresses=(Address(raw="Here"),)) for number in range(120)))
    pages = pages_of(render(sheet))
    assert len(pages) > 3
    for number, page in enumerate(pages, 1):
        assert f"Page {number} of {len(pages)}" in page
        assert str(sheet.document_id) in page
        assert f"SHA-256 of the data {sheet.digest}" in page


def test_the_names_of_table_columns_and_of_the_business_stand_on_each_page_that_a_table_runs_over() -> None:
    pages = pages_of(render(full_sheet(people=tuple(person(f"Director {number}") for number in range(120)))))
    assert all(page.startswith("Rye & Barley Bakery Inc. Business report Name Role Director") for page in pages[1:3])


def test_forty_people_are_all_named() -> None:
    text = text_of(render(full_sheet(people=tuple(person(f"Marie-Hélène Sainte-Thérèse {number}.") for number in range(40)))))
    assert "People (40)" in text
    assert all(f"Marie-Hélène Sainte-Thérèse {number}." in text for number in range(40))


def test_people_of_whom_no_address_is_known_share_one_sentence() -> None:
    text = text_of(render(full_sheet(people=(person("Ann"), person("Bob")))))
    assert "The register lists no address for any of these people." in text


def test_names_are_told_newest_first_below_the_one_in_use() -> None:
    text = text_of(render(full_sheet()))
    order = [
        text.index(f"{name} Former name") for name in ("Dough Works Ltd.", "Rye Bread Company Ltd.", "Crumb Inc.", "Loaf Ltd.")
    ]
    assert order == sorted(order)
    assert text.index("Rye & Barley Bakery Inc. Legal name not stated in use") < order[0]


def test_the_name_in_use_has_its_first_day_where_the_history_holds_it() -> None:
    sheet = full_sheet(name_history=(former("Rye & Barley Bakery Inc.", date(2016, 1, 4), None),))
    assert "Rye & Barley Bakery Inc. Former name 4 January 2016 in use" in text_of(render(sheet))


@pytest.mark.parametrize(
    ("since", "until"), [(date(1, 1, 1), date(9999, 12, 31)), (date(2020, 5, 5), date(2020, 5, 4)), (None, None)]
)
def test_a_timeline_is_drawn_of_any_days(since: date | None, until: date | None) -> None:
    text = text_of(render(bare_sheet(name_history=(former("Before Ltd.", since, until),))))
    first, last = (f"{day.day} {day:%B} {day.year}" if day is not None else "not stated" for day in (since, until))
    assert f"Before Ltd. Former name {first} {last}" in text


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("status", StatusCode)
def test_each_status_can_be_printed(status: StatusCode, language: Language) -> None:
    sheet = bare_sheet(language=language, status="As the register says", status_code=status)
    assert "As the register says" in text_of(render(sheet))


@pytest.mark.parametrize(
    ("answer", "word"),
    [(GoodStandingStatus.GOOD, "Yes"), (GoodStandingStatus.NOT_GOOD, "No"), (GoodStandingStatus.NOT_KNOWN, "Unknown")],
)
def test_good_standing_is_yes_no_or_not_known_with_its_reason(answer: GoodStandingStatus, word: str) -> None:
    sheet = bare_sheet(good_standing=PrintedGoodStanding(answer=answer, reason=Message("So it is written.")))
    assert f"Good standing {word}. So it is written." in text_of(render(sheet))


@pytest.mark.parametrize(
    ("language", "expected"),
    [(Language.ENGLISH, "Good standing Yes, as stated by the register"), (Language.FRENCH, "En règle Oui, selon le registre")],
)
def test_good_standing_as_stated_by_the_register(language: Language, expected: str) -> None:
    standing = PrintedGoodStanding(answer=GoodStandingStatus.GOOD, reason=STATED_STANDING)
    assert expected in text_of(render(bare_sheet(language=language, good_standing=standing)))


@pytest.mark.parametrize(("size", "expected"), [(0, "0 octet "), (1, "1 octet "), (2, "2 octets")])
def test_french_plurals_start_at_two(size: int, expected: str) -> None:
    evidence = PrintedEvidence(asked="Profile", retrieved_at=ISSUED_AT, size=size, sha256=SHA256)
    assert expected in text_of(render(bare_sheet(language=Language.FRENCH, evidence=(evidence,))))


def test_an_address_that_no_browser_should_follow_is_no_link() -> None:
    provenance = bare_sheet().provenance
    followed = render(bare_sheet(provenance=_linking(provenance, "https://register.example/")))
    printed = render(bare_sheet(provenance=_linking(provenance, "javascript:alert(1)")))
    assert b"/URI" in followed
    assert b"/URI" not in printed
    assert "javascript:alert(1)" in text_of(printed)


def _linking(provenance: PrintedProvenance, url: str) -> PrintedProvenance:
    return provenance.model_copy(update={"url": url})


def test_the_digest_is_that_of_the_data() -> None:
    sheet = full_sheet()
    assert sheet.digest == full_sheet().digest
    assert sheet.digest != full_sheet(issued_at=ISSUED_AT.replace(second=1)).digest
    assert len(sheet.digest) == 64
