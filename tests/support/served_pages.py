"""Parse HTML pages and select parts of them with XPath."""

from lxml import etree, html


class ServedPage:
    """A page of the service, parsed."""

    def __init__(self, text: str) -> None:
        self._document: etree._Element = html.document_fromstring(text)

    @property
    def text(self) -> str:
        """The text of all elements, without markup."""
        return str(self._document.xpath("string()"))

    def select_texts(self, path: str) -> list[str]:
        """The attribute values or texts at an XPath."""
        return [str(found) for found in self._select(path)]

    def count(self, path: str) -> int:
        """The number of nodes at an XPath."""
        return len(self._select(path))

    def _select(self, path: str) -> list[object]:
        found = self._document.xpath(path)
        assert isinstance(found, list), f"{path} selects no nodes"
        return list(found)
