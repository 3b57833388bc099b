"""The reader of XML files: what it refuses, and that it does not grow with the file."""

from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.sources.formats.xml_elements import read_elements
from tests.support.sources.parsed_files import as_resource

BILLION_LAUGHS = """<!DOCTYPE list [<!ENTITY a "ha">%s]><list><record>&j;</record></list>""" % "".join(  # noqa: UP031 - braces are XML's
    f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)


def texts(path: Path, content: str) -> list[str | None]:
    path.write_text(content, encoding="utf-8")
    return [element.text for element in read_elements(as_resource(path), "record")]


def test_elements_are_read_in_order_in_a_namespace_or_none(tmp_path: Path) -> None:
    assert texts(tmp_path / "a.xml", "<list><record>1</record><other/><record>2</record></list>") == ["1", "2"]
    assert texts(tmp_path / "b.xml", '<list xmlns="urn:x"><record>1</record></list>') == ["1"]


def test_comments_and_character_data_do_not_hide_text(tmp_path: Path) -> None:
    assert texts(tmp_path / "a.xml", "<list><record>A<!-- b --> &amp; <![CDATA[<C>]]></record></list>") == ["A & <C>"]


@pytest.mark.parametrize(
    "content",
    [
        '<!DOCTYPE list [<!ENTITY name "Example">]><list><record>&name;</record></list>',
        '<!DOCTYPE list SYSTEM "http://example.invalid/list.dtd"><list><record>1</record></list>',
        '<!DOCTYPE list [<!ENTITY file SYSTEM "file:///etc/hostname">]><list><record>&file;</record></list>',
        BILLION_LAUGHS,
    ],
    ids=["entity", "external type", "external entity", "billion laughs"],
)
def test_a_document_type_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(ParseFailed):
        texts(tmp_path / "a.xml", content)


@pytest.mark.parametrize("content", ["", "<list><record>1</record>", "<list><record>1</list>", "<list>\x01</list>", "Service busy"])
def test_what_is_not_well_formed_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(ParseFailed, match="not well-formed XML"):
        texts(tmp_path / "a.xml", content)


def test_elements_that_were_read_do_not_stay_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.xml"
    records = "".join(f"<record><name>Example {n}</name></record>\n" for n in range(20_000))
    path.write_text(f"<list>{records}</list>", encoding="utf-8")
    standing = []
    for element in read_elements(as_resource(path), "record"):
        parent = element.getparent()
        assert parent is not None
        standing.append(len(parent))
    assert len(standing) == 20_000
    assert max(standing) < 2_000  # what one chunk of the file holds
