"""Strangers' markup: what a reader sees of it, and that a page written to keep a parser busy does not."""

from collections.abc import Callable

import pytest

from bonafide.website.page_content.markup import MAX_DEPTH, MAX_TAGS, nest_tags, parse_markup
from bonafide.website.page_content.visible_text import MAX_LINE, MAX_LINES, read_visible_text
from tests.support.website.html_pages import page, read_page

BIG = 2**21


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("<p>one <b>two</b></p><p>three<br>four</p>", ["one two", "three", "four"]),
        ("<ul><li>one<li>two</ul>", ["one", "two"]),
        ("<p>fish &amp; chips&nbsp;&eacute;</p>", ["fish & chips é"]),
        ("<p>a</p><script>b</script><style>c</style><template>d</template><noscript>e</noscript><!-- f -->", ["a"]),
        ("<p>a</p><select><option>b</select><textarea>c</textarea><svg><text>d</text></svg>", ["a"]),
        ("<p>a</p><div hidden><p>b</p></div><p style='visibility:hidden'>c</p>", ["a"]),
        ("<p>so\u00adft zero\u200bwidth</p>", ["soft zerowidth"]),
        ("<p>not closed <b>bold <i>both", ["not closed bold both"]),
        ("</p></div></body>after all", ["after all"]),
        ("<p>a < b and c > d</p>", ["a < b and c > d"]),
        ("<p title='a > b'>c</p>", ["c"]),
        ("<p>cut <a href='x", ["cut"]),
        ("", []),
    ],
)
def test_a_page_is_the_lines_that_a_reader_sees(body: str, lines: list[str]) -> None:
    assert [line.text for line in read_visible_text(page(body) if body else page("<p></p>")).lines] == lines


@pytest.mark.parametrize(
    ("body", "others"),
    [
        ("<h2>Testimonials</h2><p>a</p><h3>b</h3><p>c</p><h2>Contact</h2><p>d</p>", ["a", "b", "c"]),
        ("<section><h3>Nos clients</h3><p>a</p></section><p>b</p>", ["a"]),
        ("<div><h2>Reviews</h2><p>a</p></div><footer>b</footer>", ["a"]),
        ("<h2>Reviews</h2><p>a</p><footer>b</footer>", ["a"]),
        ("<div class='card testimonial-item'>a</div><p>b</p>", ["a"]),
        ("<body class='reviews'><p>a</p>", []),
        ("<blockquote><p>a</p></blockquote><p>b</p>", ["a"]),
        ("<div itemscope itemtype='https://schema.org/Review'>a</div>", ["a"]),
    ],
)
def test_what_others_say_is_marked(body: str, others: list[str]) -> None:
    marked = [line.text for line in read_page(body).lines if line.others]
    assert [text for text in marked if len(text) == 1] == others


def test_links_that_reach_somebody_are_kept_with_the_words_before_them() -> None:
    (link,) = read_page("<p>Fax: <a href='tel:416'>416</a> <a href='/contact'>x</a></p>").links
    assert (link.address, link.text) == ("tel:416", "Fax:")


@pytest.mark.slow
@pytest.mark.parametrize(
    "make_html",
    [
        lambda: "<div>" * (BIG // 5),
        lambda: "<b>" * (BIG // 3),
        lambda: "<ul><li>" * (BIG // 8),
        lambda: "<a><div>" * (BIG // 8),
        lambda: "<table>x<b>" * (BIG // 11),
        lambda: "<div><table></div></table>" * (BIG // 26),
        lambda: "<svg><style><g>" * (BIG // 15),
        lambda: "<svg>" + ("<g>" * 150 + "<![CDATA[>" + "</g>" * 150 + "]]>") * 1000,
        lambda: "<p>" + "".join(f"<b id={place}>" for place in range(150)) + "</p>" + "<p>x" * (BIG // 4),
        lambda: "<select></div><div>" * (BIG // 19),
        lambda: "<div " + " ".join(f"a{place}=1" for place in range(BIG // 9)) + ">",
        lambda: '<a x="' * (BIG // 6),
        lambda: '<a b"><div>' * (BIG // 11),
        lambda: '<a ="><div>' * (BIG // 11),
        lambda: "<a " * (BIG // 3),
        lambda: "<" * BIG,
        lambda: "<!--" * (BIG // 4),
        lambda: "<script>" * (BIG // 8),
        lambda: "<title>" * (BIG // 7),
        lambda: "<nobr><div>" * (BIG // 11),
        lambda: "<div>" * (BIG // 12) + "</p>" * (BIG // 12),
    ],
    ids=lambda make_html: make_html()[:20],
)
def test_no_page_gets_deep_or_large_in_the_parser(make_html: Callable[[], str]) -> None:
    root = parse_markup(make_html())
    assert root is not None
    deepest = count = 0
    waiting = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest, count = max(deepest, depth), count + 1
        waiting += [(child, depth + 1) for child in node.iter()]
    assert deepest <= MAX_DEPTH + 10
    assert count <= 2 * MAX_TAGS


def test_text_without_end_is_read_in_bounded_lines() -> None:
    lines = read_page("word " * (BIG // 5)).lines
    assert max(len(line.text) for line in lines) <= MAX_LINE
    assert len(read_page("<p>x</p>" * (2 * MAX_LINES)).lines) == MAX_LINES


def test_ordinary_markup_is_left_as_it_is() -> None:
    html = "<p>a <b class='x'>b</b></p><ul><li>c</li></ul><img src='d'>"
    assert nest_tags(html) == html
