"""Templates: values can't come alive in a page, what is missing is an error, numbers and dates read as the language writes them."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from bonafide.i18n.language import Language
from bonafide.web.templates import Templates

EN, FR = Language.ENGLISH, Language.FRENCH
Render = Callable[..., str]


@pytest.fixture
def templates_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Templates]:
    """Makes a package of pages: `templates_of({"page.html": "…"})`."""

    def make(pages: dict[str, str]) -> Templates:
        name = f"pages_{uuid4().hex}"
        (tmp_path / name / "templates").mkdir(parents=True)
        (tmp_path / name / "__init__.py").touch()
        for page, text in pages.items():
            (tmp_path / name / "templates" / page).write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        return Templates(name)

    return make


@pytest.fixture
def render(templates_of: Callable[..., Templates]) -> Render:
    """What a template of this text becomes."""

    def filled(text: str, language: Language = EN, **context: Any) -> str:
        return templates_of({"page.html": text}).render("page.html", language, context)

    return filled


def test_what_a_register_says_stays_text(render: Render) -> None:
    assert render("<p title='{{ name }}'>{{ name }}</p>", name="<script>'\"&") == (
        "<p title='&lt;script&gt;&#39;&#34;&amp;'>&lt;script&gt;&#39;&#34;&amp;</p>"
    )


def test_what_a_page_is_not_given_is_an_error(render: Render) -> None:
    with pytest.raises(UndefinedError):
        render("{{ nothing }}")


def test_a_block_can_be_had_by_itself(templates_of: Callable[..., Templates]) -> None:
    templates = templates_of({"page.html": "<h1>{{ name }}</h1>{% block rows %}<i>{{ name }}</i>{% endblock %}"})
    assert templates.fragment("page.html", "rows", EN, {"name": "A&B"}) == "<i>A&amp;B</i>"


def test_pages_build_on_what_all_share(render: Render) -> None:
    page = render('{% extends "web/document.html" %}{% block body %}<main id="content">{{ language }}</main>{% endblock %}', FR)
    assert '<html lang="fr">' in page
    assert '<main id="content">fr</main>' in page


@pytest.mark.parametrize(
    ("written", "value", "english", "french"),
    [
        ("number", 1234567, "1,234,567", "1\u202f234\u202f567"),
        ("number", 0, "0", "0"),
        ("number", 1234.5, "1,234.5", "1\u202f234,5"),
        ("score", 0.87, "0.87", "0,87"),
        ("score", 1, "1.00", "1,00"),
        ("score", 0.9999, "0.99", "0,99"),
        ("score", 0.9399, "0.93", "0,93"),
        ("score", 0.29, "0.29", "0,29"),
        ("score", 0.0, "0.00", "0,00"),
        ("score", None, "", ""),
        ("percent", 0.87, "87%", "87\u00a0%"),
        ("day", None, "", ""),
        ("instant", None, "", ""),
    ],
)
def test_numbers_are_written_as_each_language_does(render: Render, written: str, value: Any, english: str, french: str) -> None:
    assert render(f"{{{{ value | {written} }}}}", EN, value=value) == english
    assert render(f"{{{{ value | {written} }}}}", FR, value=value) == french


@pytest.mark.parametrize(
    ("language", "day", "shown"),
    [
        (EN, date(2026, 11, 20), "20\u00a0Nov\u00a02026"),
        (FR, date(2026, 11, 20), "20\u00a0nov.\u00a02026"),
        (EN, date(2026, 6, 1), "1\u00a0Jun\u00a02026"),
        (FR, date(2026, 6, 1), "1er\u00a0juin\u00a02026"),
    ],
)
def test_a_day_is_written_in_the_language(render: Render, language: Language, day: date, shown: str) -> None:
    assert render("{{ value | day }}", language, value=day) == f'<time datetime="{day}">{shown}</time>'


def test_an_instant_is_written_in_utc(render: Render) -> None:
    noon_in_regina = datetime(2026, 11, 20, 12, 0, tzinfo=timezone(timedelta(hours=-6)))
    same = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
    for value in (noon_in_regina, same):
        shown = '<time datetime="2026-11-20T18:00:00Z">20\u00a0Nov\u00a02026, 18:00\u00a0UTC</time>'
        assert render("{{ value | instant }}", value=value) == shown


# --------------------------------------------------------------------------------------------------------------- texts


def test_a_text_is_written_in_the_language_of_the_page(render: Render) -> None:
    assert render('{{ t("Save") }}', EN) == "Save"
    assert render('{{ t("Save") }}', FR) == "Enregistrer"


def test_placeholders_are_filled_in_both_languages(render: Render) -> None:
    assert render('{{ t("Edit {name}", name=3) }}', EN) == "Edit 3"
    assert render('{{ t("Edit {name}", name=3) }}', FR) == "Modifier 3"


def test_a_text_without_french_stays_english(render: Render) -> None:
    assert render('{{ t("Good evening") }}', FR) == "Good evening"


def test_a_value_is_escaped_once(render: Render) -> None:
    assert render('{{ t("Edit {name}", name="<3>") }}', FR) == "Modifier &lt;3&gt;"
    assert render('{{ t("Edit {name}", name=number) }}', FR, number=Markup("<b>3</b>")) == "Modifier <b>3</b>"


def test_a_plural_takes_other_values(render: Render) -> None:
    text = '{{ nt("{n} owl in {place}", "{n} owls in {place}", n, place="<b>") }}'
    assert [render(text, EN, n=n) for n in (1, 1234)] == ["1 owl in &lt;b&gt;", "1,234 owls in &lt;b&gt;"]


def test_beside_marked_up_values_plain_ones_are_escaped_too(render: Render) -> None:
    shown = render('{{ t("{a} & {b}", a=a, b=b) }}', a=Markup("<b>1</b>"), b="<i>")
    assert shown == "<b>1</b> &amp; &lt;i&gt;"


def test_a_percent_sign_or_brace_in_a_text_without_blanks_is_just_that(render: Render) -> None:
    assert render('{{ t("100 % of {all}") }}') == "100 % of {all}"
