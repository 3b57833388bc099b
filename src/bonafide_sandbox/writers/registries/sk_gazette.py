"""One issue of the Saskatchewan Gazette, Part I: tables under bilingual headings, with wrapped cells."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from bonafide_sandbox.generator.business import OfficeAddress, SandboxBusiness
from bonafide_sandbox.writers.formats.pdf import HEIGHT, PlacedPdfText

COLUMNS = ((50, 30), (215, 9), (265, 32), (445, 24))
"""The left edge in points and width in characters of each column: name, date, address or amendment, type of business."""
TOP, BOTTOM, STEP = HEIGHT - 60, 60, 12
FRENCH = {
    "CERTIFICATES OF INCORPORATION": "CERTIFICATS DE CONSTITUTION EN SOCIÉTÉ",
    "CERTIFICATES OF REGISTRATION": "CERTIFICATS D'ENREGISTREMENT",
    "CERTIFICATES OF AMENDMENT": "CERTIFICATS DE MODIFICATION",
    "CERTIFICATES OF REVIVAL": "CERTIFICATS DE RECONSTITUTION",
    "CERTIFICATES OF DISSOLUTION": "CERTIFICATS DE DISSOLUTION",
    "CERTIFICATES OF DISCONTINUANCE": "CERTIFICATS DE CHANGEMENT DE RÉGIME",
}
AMENDED = "CERTIFICATES OF AMENDMENT"
MONTHS = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "Jne.", "Jly.", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
TRADES = ("farming", "custom trucking and hauling of grain", "retail sales", "oilfield services and consulting", "holding company")

GazetteLine = tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class PrintedGazette:
    """The notices of one issue by act and certificate."""

    day: date
    _notices: dict[tuple[str, str], list[tuple[SandboxBusiness, date]]] = field(default_factory=dict)

    def add(self, act: str, section: str, business: SandboxBusiness, day: date) -> None:
        """Add a notice of an event on that date."""
        self._notices.setdefault((act, section), []).append((business, day))

    def pages(self) -> list[list[PlacedPdfText]]:
        """Return the pages, each with a header."""
        lines = [line for line, _ in self._lines()]
        bold = [is_bold for _, is_bold in self._lines()]
        per_page = (TOP - BOTTOM) // STEP
        head = f"THE SASKATCHEWAN GAZETTE, {self.day:%B} {self.day.day}, {self.day.year}".upper()
        pages = []
        for first in range(0, len(lines), per_page):
            page = [
                PlacedPdfText(50, TOP + 2 * STEP, head, bold=True),
                PlacedPdfText(550, TOP + 2 * STEP, str(first // per_page + 101)),
            ]
            for row, (line, is_bold) in enumerate(
                zip(lines[first : first + per_page], bold[first : first + per_page], strict=True)
            ):
                page += [PlacedPdfText(x, TOP - row * STEP, text, is_bold) for x, text in line]
            pages.append(page)
        return pages

    def _lines(self) -> Iterator[tuple[GazetteLine, bool]]:
        """Yield every line, and whether it is bold."""
        yield ((50, "PUBLIC NOTICES"),), True
        yield ((50, "Notices of other kinds come first."),), False
        yield ((50, "CORPORATE REGISTRY NOTICES/AVIS DU REGISTRE DES SOCIÉTÉS"),), True
        year, act = 0, ""
        for key in sorted(self._notices):
            if key[0] != act:
                act = key[0]
                yield ((50, f"{act}/Loi"),), True
            yield ((50, f"{key[1]}/{FRENCH[key[1]]}"),), True
            for business, day in sorted(self._notices[key], key=lambda notice: notice[1]):
                if day.year != year or business is self._notices[key][0][0]:
                    year = day.year
                    yield ((50, f"({year})"),), False
                    yield from ((line, True) for line in _headings(key[1]))
                yield from ((line, False) for line in _row(key[1], business, day))
        yield ((50, "NOTICE TO ADVERTISERS"),), True


def _headings(section: str) -> Iterator[GazetteLine]:
    edges = [edge for edge, _ in COLUMNS]
    if section == AMENDED:
        yield ((edges[0], "Name/Nom:"), (edges[1], "Date:"), (edges[2], "Amendment/Modification:"))
        return
    yield ((edges[0], "Name/Nom:"), (edges[1], "Date:"), (edges[2], "Mailing Address/"), (edges[3], "Main Type of Business/"))
    yield ((edges[2], "Adresse postale:"), (edges[3], "Principal type d'activité:"))


def _row(section: str, business: SandboxBusiness, day: date) -> Iterator[GazetteLine]:
    """Return the lines of a row, with each cell wrapped to its column's width."""
    printed = f"{MONTHS[day.month - 1]} {day.day}"
    if section == AMENDED:
        texts = [business.former_names[0].name, printed, f"changed name to {business.name}", ""]
    else:
        texts = [business.name, printed, _address(business.address), TRADES[business.random_bits % len(TRADES)]]
    cells = [textwrap.wrap(text, width) for text, (_, width) in zip(texts, COLUMNS, strict=True)]
    for at in range(max(len(cell) for cell in cells)):
        yield tuple((edge, cell[at]) for cell, (edge, _) in zip(cells, COLUMNS, strict=True) if at < len(cell))


def _address(address: OfficeAddress) -> str:
    unit = f"{address.unit}-" if address.unit is not None else ""
    return f"{unit}{address.street}, {address.city} {address.province} {address.postal_code}"
