"""Write XML documents, and lists that contain no businesses of the world."""

from collections.abc import Callable
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.framework.writer import TargetFile


class StandaloneListWriter:
    """Writes one file: `write` is called with its path."""

    def __init__(self, folder: Path, target: TargetFile, write: Callable[[Path], None]) -> None:
        self.targets = (target,)
        self._path = folder / target.path
        self._write = write

    def take(self, business: SandboxBusiness) -> None:
        """Ignore the business: the list contains no businesses of the world."""

    def list_known(self, fixed: KnownBusiness) -> None:
        """Ignore the fixed business: the list contains none."""

    def close(self) -> None:
        """Write the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._write(self._path)


def add_element(parent: Element, tag: str, text: str | None = None, **attributes: str) -> Element:
    """Append an element. Underscores in attribute names become hyphens."""
    element = etree.SubElement(parent, tag, {name.replace("_", "-"): value for name, value in attributes.items()})
    element.text = text
    return element


def write_document(root: Element, path: Path) -> None:
    """Write an XML document. The output is deterministic."""
    etree.ElementTree(root).write(str(path), encoding="UTF-8", xml_declaration=True, pretty_print=True)
