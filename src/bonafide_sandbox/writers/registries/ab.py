"""Alberta: the Registrar's Periodical of two years, the list of non-profits, and a canonical file for the other businesses.

The Periodical identifies dissolved businesses only by name, so it includes only businesses with a unique name.
"""

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FIRM_KINDS, BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.canonical import CanonicalWriter
from bonafide_sandbox.writers.formats.xlsx import XlsxFile
from bonafide_sandbox.writers.framework.holder_selection import is_numbered_company
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import RegisterWriterFactory, TargetFile
from bonafide_sandbox.writers.registries.ab_periodical import PeriodicalHeading, PrintedPeriodical

FIRST_YEAR = TODAY.year - 1
START = date(FIRST_YEAR, 1, 1)
DELAY = timedelta(days=40)
"""The interval between the notices of a business."""
OLD_ONE_IN = 4
"""One in this many businesses registered before the first issue has a notice."""
LISTED_ONE_IN = 8
SITE = "https://kings-printer.alberta.ca"
LISTING = "ab/non_profit_name_list_for_open_data_portal.xlsx"
LISTING_HEADER = ("Legal Entity Type Description", "Legal Entity Name", "Status", "Registration Date", "City", "Postal Code")

_ALBERTA = BY_JURISDICTION[Jurisdiction.AB]
_ENDINGS = {
    LifecycleStatus.DEFAULT: PeriodicalHeading.LIABLE,
    LifecycleStatus.DISSOLVED: PeriodicalHeading.STRUCK,
    LifecycleStatus.CANCELLED: PeriodicalHeading.STRUCK,
}
_ANNOUNCED = frozenset({LifecycleStatus.ACTIVE, LifecycleStatus.LEAVING, *_ENDINGS})


def list_issue_days() -> Iterator[tuple[int, date]]:
    """Yield each issue's number in its year and its date: the 15th and the last day of each month."""
    for year in range(FIRST_YEAR, TODAY.year + 1):
        for month in range(1, 13):
            for half, day in enumerate((15, calendar.monthrange(year, month)[1])):
                if date(year, month, day) <= TODAY:
                    yield 2 * month - 1 + half, date(year, month, day)


def _label(number: int, day: date) -> str:
    return f"{number:02d}_{calendar.month_abbr[day.month]}{day.day}_Registrar"


@dataclass(frozen=True, slots=True)
class _Printed:
    """An issue with its file and URL."""

    issue: PrintedPeriodical
    label: str

    @property
    def target(self) -> TargetFile:
        year = self.issue.day.year
        name = f"periodical_{year}_{self.label}"
        url = f"{SITE}/documents/gazette/{year}/text/{self.label}.cfm"
        return TargetFile("ab", name, f"ab/{year}/{self.label}.cfm", DeliveryRoute.DOWNLOAD, url)


def _year_page(year: int) -> TargetFile:
    url = f"{SITE}/alberta_gazette.cfm?page=gazette_{year}_registrar.cfm"
    return TargetFile("ab", f"periodical_year_{year}", f"ab/gazette_{year}_registrar.html", DeliveryRoute.PAGE, url)


class AlbertaWriter:
    """Writes Alberta's register, with each business in the files that would contain it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._printed = [_Printed(PrintedPeriodical(day), _label(number, day)) for number, day in list_issue_days()]
        self._listing = XlsxFile(folder / LISTING, skip=1)
        self._listing.write(LISTING_HEADER)
        self._rest = CanonicalWriter(folder, Jurisdiction.AB)
        self._names: set[str] = set()
        self._merging: SandboxBusiness | None = None
        self.targets = (
            *(_year_page(year) for year in range(FIRST_YEAR, TODAY.year + 1)),
            *(printed.target for printed in self._printed),
            TargetFile("ab", "non_profits", LISTING, DeliveryRoute.DOWNLOAD),
            *self._rest.targets,
        )

    def take(self, business: SandboxBusiness) -> None:
        """Print the business's notices, list it as a non-profit, or write it to the canonical file."""
        name = business.name.upper()
        if name in self._names or business.other_names or business.kind in FIRM_KINDS:
            self._rest.take(business)
        elif business.standing is LifecycleStatus.AMALGAMATED and business.random_bits % OLD_ONE_IN == 1 and self._merging is None:
            self._names.add(name)
            self._merging = business
        elif _has_notices(business):
            self._names.add(name)
            self._print(business)
        elif business.kind is BusinessKind.NONPROFIT and business.random_bits % LISTED_ONE_IN == 2:  # noqa: PLR2004 - arbitrary remainder
            self._names.add(name)
            self._list(business)
        else:
            self._rest.take(business)

    def close(self) -> None:
        """Write the issues and finish the other files."""
        if self._merging is not None:
            self._rest.take(self._merging)
        self._write_year_pages()
        for printed in self._printed:
            path = self._folder / printed.target.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(printed.issue.text(), encoding="utf-8", newline="\n")
        self._listing.close()
        self._rest.close()

    def _write_year_pages(self) -> None:
        for year in range(FIRST_YEAR, TODAY.year + 1):
            links = [
                f'<li><a href="/documents/gazette/{year}/text/{printed.label}.cfm">{printed.issue.day:%B %d}</a></li>'
                for printed in self._printed
                if printed.issue.day.year == year
            ]
            path = self._folder / _year_page(year).path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(["<html><body><ul>", *links, "</ul></body></html>\n"]), encoding="utf-8", newline="\n")

    def _print(self, business: SandboxBusiness) -> None:
        born, numbered = business.registered_on, is_numbered_company(business)
        kind = (
            "Numbered Alberta Corporation" if numbered and business.kind is BusinessKind.COMPANY else _ALBERTA.types[business.kind]
        )
        day = born if born >= START else START + timedelta(days=business.random_bits // 64 % ((TODAY - START - 2 * DELAY).days))
        if business.kind is BusinessKind.NONPROFIT:
            self._list(business)
        if born >= START and self._merging is not None and business.kind is BusinessKind.COMPANY:
            self._issue_after(born).add_amalgamation(self._merging, business)
            self._merging = None
        else:
            self._issue_after(day).add(_first_section(business), business, kind, day)
        ending = _ENDINGS.get(business.standing)
        if ending is not None and day + DELAY <= self._printed[-1].issue.day:
            self._issue_after(day + DELAY).add(ending, business, kind, day + DELAY)

    def _issue_after(self, day: date) -> PrintedPeriodical:
        """Return the first issue on or after that date, or the last issue."""
        return next((printed.issue for printed in self._printed if printed.issue.day >= day), self._printed[-1].issue)

    def _list(self, business: SandboxBusiness) -> None:
        status = "Active" if business.standing in {LifecycleStatus.ACTIVE, LifecycleStatus.LEAVING} else "Inactive"
        born = business.registered_on.strftime("%Y/%m/%d")
        kind = _ALBERTA.types[business.kind]
        # Some cities have a leading space.
        city = f" {business.address.city.upper()}" if business.random_bits % 3 else business.address.city.upper()
        self._listing.write((kind, business.name.upper(), status, born, city, business.address.postal_code))


def _has_notices(business: SandboxBusiness) -> bool:
    recent = business.registered_on >= START or business.random_bits % OLD_ONE_IN == 1
    return recent and business.standing in _ANNOUNCED


def _first_section(business: SandboxBusiness) -> PeriodicalHeading:
    """Return a section that prints registration numbers, so that every business can be found by number."""
    if business.registered_on >= START:
        return PeriodicalHeading.REGISTERED
    if business.former_names:
        return PeriodicalHeading.RENAMED
    return PeriodicalHeading.INTENT if business.standing is LifecycleStatus.LEAVING else PeriodicalHeading.REVIVED


WRITERS = (RegisterWriterFactory(Jurisdiction.AB, AlbertaWriter),)
