"""Manitoba's weekly PDF listings of filings, and a canonical file for businesses without a filing in those weeks."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.canonical import CanonicalWriter
from bonafide_sandbox.writers.formats.pdf import HEIGHT, PlacedPdfText, write_pdf
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import RegisterWriterFactory, TargetFile

WEEKS = 14
WEEK = timedelta(days=7)
SATURDAY = 5
OLD_ONE_IN = 4
"""One in this many older businesses has a filing in these weeks."""
SITE = "https://companiesoffice.gov.mb.ca"
LEFT, RIGHT, TOP, BOTTOM, STEP = 50, 300, HEIGHT - 60, 50, 12
LINE_WIDTH = 60
"""The maximum number of characters per address line."""

ACTS = {
    BusinessKind.COOPERATIVE: "The Cooperatives Act",
    BusinessKind.FIRM: "The Business Names Registration Act",
    BusinessKind.PARTNERSHIP: "The Partnership Act",
    BusinessKind.LIMITED_PARTNERSHIP: "The Partnership Act",
}
CORPORATIONS = "The Corporations Act"
FILINGS = ("Incorporations", "Registrations", "Amendments with Name Change", "Amendments without Name Change", "Revivals")
ENDINGS = {LifecycleStatus.DISSOLVED: "Dissolutions", LifecycleStatus.CANCELLED: "Cancellations"}
FilingLine = list[tuple[float, str]]
"""The runs of a line: left edge and text."""
FilingBlock = list[FilingLine]
WeekFilings = dict[tuple[str, str], list[FilingBlock]]
"""Filings by act and filing type."""
_FILED = frozenset({LifecycleStatus.ACTIVE, LifecycleStatus.DEFAULT, *ENDINGS})


class ManitobaWriter:
    """Writes Manitoba's register."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        newest = TODAY - timedelta(days=(TODAY.weekday() - SATURDAY) % 7)
        self._weeks: dict[date, WeekFilings] = {newest - WEEK * back: {} for back in reversed(range(WEEKS))}
        self._rest = CanonicalWriter(folder, Jurisdiction.MB)

    @property
    def targets(self) -> tuple[TargetFile, ...]:
        """Return the index page, the listings of weeks with filings, and the canonical file."""
        page = TargetFile("mb", "listings", "mb/listings.html", DeliveryRoute.PAGE)
        return (page, *(_target(week) for week, filings in self._weeks.items() if filings), *self._rest.targets)

    def take(self, business: SandboxBusiness) -> None:
        """Print the business's filing, or write the business to the canonical file."""
        recent = business.registered_on > min(self._weeks) - WEEK
        if business.other_names or business.standing not in _FILED or not (recent or business.random_bits % OLD_ONE_IN == 1):
            self._rest.take(business)
            return
        week = list(self._weeks)[business.random_bits // 64 % WEEKS]
        day = week - timedelta(days=business.random_bits % 5)
        if recent:
            day = business.registered_on
            week = next((week for week in self._weeks if week >= day), max(self._weeks))
        act, filing = ACTS.get(business.kind, CORPORATIONS), _filing(business, recent=recent)
        self._weeks[week].setdefault((act, filing), []).append(list(_block(business, filing, day)))

    def close(self) -> None:
        """Write the listings, their index page and the canonical file."""
        printed = {week: filings for week, filings in self._weeks.items() if filings}
        for week, filings in printed.items():
            write_pdf(self._folder / _target(week).path, list(_pages(week, filings)))
        links = "\n".join(f'<li><a href="comp_off/listings/{week}.en.pdf">{week}</a></li>' for week in reversed(printed))
        (self._folder / "mb/listings.html").write_text(f"<html><ul>\n{links}\n</ul></html>\n", encoding="utf-8", newline="\n")
        self._rest.close()


def _target(week: date) -> TargetFile:
    url = f"{SITE}/comp_off/listings/{week}.en.pdf"
    return TargetFile("mb", f"listing_{week}", f"mb/{week}.en.pdf", DeliveryRoute.DOWNLOAD, url)


def _filing(business: SandboxBusiness, *, recent: bool) -> str:
    if recent:
        return (
            "Incorporations"
            if business.kind in {BusinessKind.COMPANY, BusinessKind.NONPROFIT, BusinessKind.COOPERATIVE}
            else "Registrations"
        )
    if business.standing in ENDINGS:
        return ENDINGS[business.standing]
    if business.former_names:
        return "Amendments with Name Change"
    return "Revivals" if business.standing is LifecycleStatus.DEFAULT else "Amendments without Name Change"


def _block(business: SandboxBusiness, filing: str, day: date) -> Iterator[FilingLine]:
    """Return the lines of a filing, each with its runs of text."""
    renamed = filing == "Amendments with Name Change"
    yield [(LEFT, f"File No.: {business.number}")]
    yield [(LEFT, business.former_names[0].name.upper() if renamed else business.name.upper())]
    if renamed:
        yield [(LEFT, f"New Name: {business.name.upper()}")]
    label = {"Incorporations": "Date of Incorporation", "Registrations": "Date of Registration"}.get(filing, "Effective Date")
    yield [(LEFT, f"{label}: {day.isoformat()}")]
    if business.random_bits % 2:
        address = business.address
        unit = f"{address.unit}-" if address.unit is not None else ""
        city = f"{address.city.upper()} {address.province}, {address.postal_code}"
        street = f"Registered Office: {unit}{address.street.upper()},"
        if len(street) + len(city) < LINE_WIDTH:
            yield [(LEFT, f"{street} {city}")]
        else:
            yield [(LEFT, street)]
            yield [(LEFT, city)]


def _pages(week: date, filings: WeekFilings) -> Iterator[list[PlacedPdfText]]:
    """Lay out lines on pages from top to bottom, with a footer on each page."""
    lines: list[tuple[FilingLine, bool]] = [
        ([(LEFT, "Companies Office")], True),
        ([(LEFT, "Listing of Recent Filings")], True),
        ([(LEFT, f"Week ending {week:%B %d, %Y}")], False),
    ]
    act = ""
    for key in sorted(filings, key=lambda key: (key[0], ([*FILINGS, *ENDINGS.values()].index(key[1])))):
        lines += [([(LEFT, key[0])], True)] if key[0] != act else []
        lines.append(([(LEFT, key[1])], True))
        lines += [(line, False) for block in filings[key] for line in block]
        act = key[0]
    per_page = (TOP - BOTTOM) // STEP
    count = -(-len(lines) // per_page)
    for page in range(count):
        here = lines[page * per_page : (page + 1) * per_page]
        placed = [PlacedPdfText(x, TOP - STEP * row, text, bold) for row, (runs, bold) in enumerate(here) for x, text in runs]
        yield [*placed, PlacedPdfText(RIGHT, BOTTOM - STEP, f"Page {page + 1} of {count}")]


WRITERS = (RegisterWriterFactory(Jurisdiction.MB, ManitobaWriter),)
