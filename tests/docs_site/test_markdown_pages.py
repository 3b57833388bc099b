"""Markdown as it is shown: anchors, links to what is served, nothing that comes alive."""

import pytest

from bonafide.docs_site.doc_pages import DocsPage
from bonafide.docs_site.markdown_rendering import PageHeading, build_anchor, render_markdown, resolve_link

PAGE = DocsPage("howto/add-a-source", "Add a source", "")


def shown(text: str) -> str:
    return str(render_markdown(DocsPage("howto/add-a-source", "Add a source", text)).content)


def test_headings_get_anchors_of_their_own_and_make_the_contents() -> None:
    article = render_markdown(DocsPage("index", "T", "# T\n\n## `sync` it\n\n### Again\n\n### Again\n\n#### Deep\n"))
    assert article.headings == (
        PageHeading(2, "sync-it", "sync it"),
        PageHeading(3, "again", "Again"),
        PageHeading(3, "again-1", "Again"),
    )
    assert '<h4 id="deep">' in article.content


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("../reference/errors.md", "/docs/reference/errors"),
        ("../reference/errors.md#codes", "/docs/reference/errors#codes"),
        ("benchmarks.md", "/docs/howto/benchmarks"),
        ("../api-changelog.md", "/changelog"),
        ("../openapi.json", "/openapi.json"),
        ("#here", "#here"),
        ("../images/calibration.svg", "/docs/images/calibration.svg"),
        ("../../README.md", None),
        ("../../src/bonafide/errors.py", None),
    ],
)
def test_a_link_leads_to_what_is_served(target: str, address: str | None) -> None:
    assert resolve_link(target, PAGE) == address


def test_a_link_to_what_is_not_served_is_its_text() -> None:
    assert shown("See [the README](../../README.md), [errors](../reference/errors.md).") == (
        '<p>See the README, <a href="/docs/reference/errors">errors</a>.</p>\n'
    )


def test_an_image_of_the_documentation_is_served_below_it() -> None:
    assert '<img src="/docs/images/calibration.svg" alt="Curves" />' in shown("![Curves](../images/calibration.svg)")


def test_a_link_elsewhere_stays() -> None:
    assert '<a href="https://example.com/a">' in shown("[there](https://example.com/a)")


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "[x](javascript:alert(1))"])
def test_markup_in_a_file_stays_text(text: str) -> None:
    assert "<script" not in shown(text)
    assert "<img" not in shown(text)
    assert "href" not in shown(text)


def test_tables_and_code_scroll_by_themselves_and_say_what_they_are() -> None:
    text = "## Sizes\n\n| | Size |\n|---|--:|\n| a | 1 |\n\n```sh\necho <b>\n```\n"
    assert '<div class="table-scroll" tabindex="0" role="region" aria-label="Sizes"><table>' in shown(text)
    assert "<td></td>" in shown(text)
    assert '<th scope="col">Size</th>' in shown(text)
    assert "style=" not in shown(text)
    assert '<pre tabindex="0" role="region" aria-label="sh"><code>echo &lt;b&gt;\n</code></pre>' in shown(text)


def test_an_anchor_is_as_code_hosts_make_it() -> None:
    assert build_anchor("A file of names: why?") == "a-file-of-names-why"
