"""The catalogue translates every message of the code, by exact look-up."""

from pathlib import Path
from textwrap import dedent

import pytest
from babel.messages.catalog import Catalog

import bonafide
from bonafide.i18n.__main__ import main
from bonafide.i18n.catalog import load_catalog, translate
from bonafide.i18n.catalog_check import list_problems
from bonafide.i18n.extraction import extract_messages
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, join_messages, join_values


@pytest.mark.slow
def test_the_catalogue_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0, capsys.readouterr().err


def test_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate"]) == 2
    assert "usage" in capsys.readouterr().err


def test_english_is_the_text_itself() -> None:
    message = Message("must be at least {ge}", ge=3)
    assert translate(message, Language.ENGLISH) is message


def test_french_has_the_values_in_their_places() -> None:
    assert translate(Message("must be at least {ge}", ge=3), Language.FRENCH) == "doit être au moins 3"


def test_numbers_are_written_as_the_language_does() -> None:
    assert translate(Message("must be at least {ge}", ge=0.5), Language.FRENCH) == "doit être au moins 0,5"


def test_messages_within_messages_are_translated() -> None:
    inner = Message("must be at least {ge}", ge=join_values([Message("is required"), "x"]))
    message = join_messages([Message("is required"), inner])
    assert translate(message, Language.FRENCH) == "est obligatoire; doit être au moins est obligatoire, x"


@pytest.mark.parametrize("text", ["is required", Message.untranslated("is required"), Message("no such template at all")])
def test_what_has_no_translation_stays(text: str) -> None:
    assert translate(text, Language.FRENCH) == text


def test_french_counts_zero_as_one() -> None:
    plural = load_catalog(Language.FRENCH).plural  # type: ignore[attr-defined]  # not documented
    assert plural(0) == plural(1) == 0


def list_catalog_problems(english: str, french: str) -> list[str]:
    template, catalog = Catalog(), Catalog(locale="fr")
    template.add(english, locations=[("bonafide/x.py", 1)])
    catalog.add(english, french)
    return list(list_problems(catalog, template))


@pytest.mark.parametrize(
    ("plural", "is_reported"), [("{n} jour restant", True), ("{n} jours restants", False), ("{n} fois", False)]
)
def test_a_plural_that_is_the_same_as_the_singular_is_reported(plural: str, *, is_reported: bool) -> None:
    template, catalog = Catalog(), Catalog(locale="fr")
    template.add(("{n} day left", "{n} days left"), locations=[("bonafide/x.py", 1)])
    catalog.add(("{n} day left", "{n} days left"), (plural if plural.endswith("fois") else "{n} jour restant", plural))
    assert [problem for problem in list_problems(catalog, template) if "plural" in problem] == (
        ["the plural is the same as the singular: '{n} day left'"] if is_reported else []
    )


@pytest.mark.parametrize(
    ("singular", "plural", "is_reported"),
    [("un jour", "{n} jours", False), ("{n} jour", "{n} jours", False), ("{n} jour", "jours", True), ("e", "t", True)],
)
def test_only_a_singular_may_lack_its_number(singular: str, plural: str, *, is_reported: bool) -> None:
    template, catalog = Catalog(), Catalog(locale="fr")
    template.add(("one day", "{n} days"), locations=[("bonafide/x.py", 1)])
    catalog.add(("one day", "{n} days"), (singular, plural))
    assert list(list_problems(catalog, template)) == (["other values than the English (n): 'one day'"] if is_reported else [])


def test_a_reworded_message_is_named_with_its_file() -> None:
    template, catalog = Catalog(), Catalog(locale="fr")
    template.add("new words", locations=[("bonafide/x.py", 1)])
    catalog.add("old words", "anciens mots")
    assert list(list_problems(catalog, template)) == ["missing: 'new words', of bonafide/x.py", "stale: 'old words'"]


@pytest.mark.parametrize(
    ("english", "french", "problem"),
    [
        ("a", "", "not translated"),
        ("of {name}", "de {nom}", "other values than the English (name, nom)"),
        ("it is", "c'est", "apostrophe"),
        ("say 'x'", 'dire "x"', "quotation marks"),
        ("say 'x'", "dire « x »", "no-break spaces"),
        ("why:", "pourquoi :", "no-break space before a colon"),
        ("why?", "pourquoi ?", "no space before"),
    ],
)
def test_a_faulty_translation(english: str, french: str, problem: str) -> None:
    assert any(problem in found for found in list_catalog_problems(english, french))


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("say 'x': {a}", "dire «\u00a0x\u00a0»\u00a0: {a}"),
        ("see https://a.ca/b:c", "voir https://a.ca/b:c"),
        ("at 10:30", "à 10:30"),
    ],
)
def test_a_good_translation(english: str, french: str) -> None:
    assert list_catalog_problems(english, french) == []


def test_messages_are_found_in_code_and_templates(tmp_path: Path) -> None:
    package = tmp_path / "bonafide"
    (package / "templates").mkdir(parents=True)
    (package / "code.py").write_text(
        dedent("""
        first = Message("one {value}", value=1)
        second = plural_message("{n} row",
                                "{n} rows", 3)
        third = context_message("status", "Open")
        fourth = "no message"
        """)
    )
    (package / "templates" / "page.html").write_text('<p title="{{ t("two") }}">{{ nt("{n} hit", "{n} hits", 2) }} three</p>')
    found = {(entry.context, entry.id) for entry in extract_messages(package) if entry.id}
    assert found == {
        (None, "one {value}"),
        (None, ("{n} row", "{n} rows")),
        ("status", "Open"),
        (None, "two"),
        (None, ("{n} hit", "{n} hits")),
    }


@pytest.mark.slow
def test_texts_of_sources_are_found() -> None:
    found = {entry.id for entry in extract_messages(Path(bonafide.__file__).parent) if entry.id}
    assert any(isinstance(text, str) and "Ontario publishes no open data" in text for text in found)
