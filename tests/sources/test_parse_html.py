"""Web pages as they come: encodings, tables with headings in two rows, cells over several columns, and what is refused."""

from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.sources.formats.html_page import extract_text, parse_charset, read_html
from bonafide_sandbox.publisher_faults import CHALLENGE_PAGE, GARBAGE_BYTES

SIMPLE = b"""<!DOCTYPE html><html><head><title>Holders</title></head><body>
<table><tr><th>Site</th><th>Code</th></tr></table>
<table class="wb-tables">
  <caption>Holders of a licence</caption>
  <thead><tr><th>Licence  holder</th><th>Province</th><th></th></tr></thead>
  <tbody>
    <tr><td> Sample &amp; Sons<br>Exemple et fils </td><td>AB</td><td><a href="/1">View</a></td></tr>
    <tr><td></td><td>&nbsp;</td><td></td></tr>
    <tr><td>Ninth\n      Sample Ltd.<sup><a href="#fn1">Footnote 1</a></sup></td><td></td><td><script>x()</script></td></tr>
  </tbody>
</table></body></html>"""


def page_of(body: str) -> bytes:
    return f"<!DOCTYPE html><html><body>{body}</body></html>".encode()


def only(body: str, selector: str) -> str | None:
    [node] = read_html(page_of(body)).css(selector)
    return extract_text(node)


# ------------------------------------------------------------------------------------------------------------ tables


def test_the_rows_of_the_first_table_that_has_the_columns_are_read() -> None:
    table = read_html(SIMPLE).table("Licence holder", "Province")
    assert table.header == ("Licence holder", "Province", "")
    assert [(row.line, row.cells) for row in table.rows] == [
        (2, {"Licence holder": "Sample & Sons Exemple et fils", "Province": "AB", "": "View"}),
        (4, {"Licence holder": "Ninth Sample Ltd.", "Province": None, "": None}),
    ]


def test_the_lines_of_a_cell_are_kept_when_they_are_asked_for() -> None:
    [first, *_] = read_html(SIMPLE).table("Licence holder", breaks=True).rows
    assert first.get("Licence holder") == "Sample & Sons\nExemple et fils"


def test_headings_in_two_rows_are_put_together() -> None:
    page = page_of(
        "<table><tr><th rowspan=2>Holder</th><th colspan=2>Authorized to sell</th><th rowspan=2>Since</th></tr>"
        "<tr><th>Plants</th><th>Seeds<br>and oil</th></tr><tr><td>Sample Ltd.</td><td>yes</td><td>no</td><td>2021</td></tr></table>"
    )
    table = read_html(page).table("Holder", breaks=True)
    assert table.header == ("Holder", "Authorized to sell: Plants", "Authorized to sell: Seeds and oil", "Since")
    assert [list(row.cells.values()) for row in table.rows] == [["Sample Ltd.", "yes", "no", "2021"]]


@pytest.mark.realdata
def test_a_real_table_with_headings_in_two_rows_is_read(shared_data: Path) -> None:
    content = (shared_data / "regulatory/healthCanadaCannabis/hc_licence_table_one_row.html").read_bytes()
    table = read_html(content).table(
        "Licence holder", "Classes authorized to sell: Registered patients", "Date of initial licensing"
    )
    assert len(table.header) == 7
    assert [row.get("Date of initial licensing") for row in table.rows] == ["2026-06-26"]


def test_a_cell_over_several_columns_or_rows_stands_in_each_of_them() -> None:
    page = page_of(
        "<table><thead><tr><th rowspan=9>A</th><th>B</th><th>C</th></tr></thead>"
        "<tbody><tr><td colspan=2>1</td><td rowspan=2>2</td></tr><tr><td>3</td><td>4</td></tr>"
        "<tr><th>5</th><td>6</td><td>7</td></tr></tbody></table>"
    )
    rows = read_html(page).table("A", "C").rows
    assert ["".join(str(cell) for cell in row.cells.values()) for row in rows] == ["112", "342", "567"]


def test_a_table_inside_a_cell_is_text_of_that_cell_and_no_rows() -> None:
    page = page_of("<table><tr><th>A</th></tr><tr><td>1<table><tr><td>2</td></tr></table></td></tr></table>")
    assert [row.cells for row in read_html(page).table("A").rows] == [{"A": "1 2"}]


def test_a_span_of_millions_is_not_believed() -> None:
    page = page_of('<table><tr><th colspan="900000000">A</th></tr><tr><td rowspan="x">1</td></tr></table>')
    with pytest.raises(ParseFailed, match="two columns of the same name"):
        read_html(page).table("A")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<p>Back soon.</p>", "the page has no table"),
        ("<table><tr><th>A</th><th>B</th></tr></table><table><tr><th>D</th></tr></table>", "missing columns: C$"),
        ("<table><tr><td>A</td><td>C</td></tr></table>", "missing columns: A, B, C"),
        (
            "<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td>2</td></tr></table>",
            "row 2 has 2 cells, the table has 3 columns",
        ),
        ("<table><tr><th>A</th><th>B</th><th>C</th><th>A</th></tr></table>", "two columns of the same name: A, B, C, A"),
    ],
)
def test_a_table_that_is_not_the_known_one_is_refused_and_named(body: str, told: str) -> None:
    with pytest.raises(ParseFailed, match=told) as refused:
        read_html(page_of(body), name="licences.html").table("A", "B", "C")
    assert refused.value.message.startswith("licences.html: ")


# ------------------------------------------------------------------------------------------------------------ pages


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "not an HTML page"),
        (b'{"html": "<p>no</p>"}', "not an HTML page"),
        (b"number,name\n1,<b>Sample</b>\n", "not an HTML page"),
        (b'<?xml version="1.0"?><rss><channel/></rss>', "not an HTML page"),
        ("Number,Company\n".encode("utf-16"), "not an HTML page"),
        (GARBAGE_BYTES, "not utf-8"),
        ("<p>Société".encode("latin-1"), "not utf-8"),
        (b"<meta charset='x-unheard-of'><p>text", "'x-unheard-of' is not an encoding"),
        (SIMPLE[: SIMPLE.index(b"Ninth")], "the page is truncated"),
    ],
)
def test_what_is_no_page_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(ParseFailed, match=told):
        read_html(content)


def test_a_table_in_a_comment_or_a_script_does_not_make_a_page_one_that_breaks_off() -> None:
    assert only("<!-- <table> --><script>'<table>'</script><p>whole</p>", "p") == "whole"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("<p>Société ’A’</p>".encode(), None),
        ("<p>Société ’A’</p>".encode("utf-8-sig"), None),
        ("<p>Société ’A’</p>".encode("utf-16"), None),
        ("<p>Société ’A’</p>".encode("cp1252"), "iso-8859-1"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1"><p>Société ’A’</p>'.encode("cp1252"), None),
        ("<meta charset = 'windows-1252' /><p>Société ’A’</p>".encode("cp1252"), None),
    ],
)
def test_a_page_is_read_in_the_encoding_that_its_sender_or_it_declares(content: bytes, encoding: str | None) -> None:
    [paragraph] = read_html(content, encoding).css("p")
    assert extract_text(paragraph) == "Société ’A’"


@pytest.mark.parametrize(
    ("content_type", "encoding"),
    [
        ("text/html", None),
        ("text/html; charset=ISO-8859-1", "ISO-8859-1"),
        ('text/html;CharSet = "utf-8"; level=1', "utf-8"),
        ("text/html; x-charset=utf-8", None),
    ],
)
def test_the_sender_states_the_encoding_in_the_content_type(content_type: str, encoding: str | None) -> None:
    assert parse_charset(content_type) == encoding


def test_a_page_for_people_is_a_page_and_has_no_table() -> None:
    with pytest.raises(ParseFailed, match="the page has no table"):
        read_html(CHALLENGE_PAGE.encode()).table("Name")


# ------------------------------------------------------------------------------------------------------------ text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<i>a<b>b</b>c</i>", "abc"),
        ("<i> a\t b\n&nbsp;c </i>", "a b c"),
        ("<i>a<br>b<div>c<p>d</p></div>e</i>", "a b c d e"),
        ("<i>m<sup>2</sup> of O&#x27;Sample<sup id=r><a href=#f>1</a></sup></i>", "m2 of O'Sample"),
        ("<i>a<!-- b --><style>c</style><template>d</template></i>", "a"),
        ("<i> &nbsp; </i>", None),
    ],
)
def test_text_is_what_a_person_reads(body: str, text: str | None) -> None:
    assert only(body, "i") == text


def test_a_page_that_is_nested_without_end_is_read_all_the_same() -> None:
    depth = 5_000
    assert only(f"<section>{'<b>' * depth}deep{'</b>' * depth}</section>", "section") == "deep"
