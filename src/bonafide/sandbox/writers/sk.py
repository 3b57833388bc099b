"""The last issues of the Saskatchewan Gazette with corporate notices, as PDF, and the catalogue that leads to them.

Numbers are printed of numbered companies alone. Businesses of which these weeks tell nothing stand in a canonical file.
"""

import json
from datetime import date, timedelta
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sandbox.business import Business, Kind, Standing
from bonafide.sandbox.manifest import Route
from bonafide.sandbox.writers.base import Target
from bonafide.sandbox.writers.canonical import CanonicalWriter
from bonafide.sandbox.writers.holders import is_numbered
from bonafide.sandbox.writers.pdf import write_pdf
from bonafide.sandbox.writers.sk_issue import Issue

LAST = date(2023, 3, 10)
WEEKS = 10
WEEK = timedelta(days=7)
NUMBERED_ONE_IN, NAMED_ONE_IN = 2, 8
"""One of so many older businesses has a notice in these weeks."""
API = "https://publications.saskatchewan.ca/api/v1"
ROOT, YEAR, PART = 1511, 1700, 1701
FIRST_PRODUCT, FIRST_FILE = 120_000, 135_000

ACTS = {
    Kind.NONPROFIT: "The Non-profit Corporations Act, 1995",
    Kind.COOPERATIVE: "The Co-operatives Act, 1996",
    Kind.FIRM: "The Business Names Registration Act",
    Kind.PARTNERSHIP: "The Business Names Registration Act",
    Kind.LIMITED_PARTNERSHIP: "The Business Names Registration Act",
}
CORPORATIONS = "The Business Corporations Act"
_REGISTERED = "CERTIFICATES OF REGISTRATION"
_BEGINNINGS = {
    Kind.COMPANY: "CERTIFICATES OF INCORPORATION",
    Kind.NONPROFIT: "CERTIFICATES OF INCORPORATION",
    Kind.COOPERATIVE: "CERTIFICATES OF INCORPORATION",
}
_SECTIONS = {
    Standing.ACTIVE: "CERTIFICATES OF REVIVAL",
    Standing.DISSOLVED: "CERTIFICATES OF DISSOLUTION",
    Standing.CONTINUED_OUT: "CERTIFICATES OF DISCONTINUANCE",
}


class SaskatchewanWriter:
    """All of Saskatchewan's register."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._issues = [Issue(LAST - WEEK * back) for back in reversed(range(WEEKS))]
        self._rest = CanonicalWriter(folder, Jurisdiction.SK)
        self._names: set[str] = set()
        pages = [Target("sk", name, f"sk/{name}.json", Route.PAGE, url) for name, (url, _) in self._catalogue().items()]
        self.targets = (*pages, *(self._target(at) for at in range(WEEKS)), *self._rest.targets)

    def take(self, business: Business) -> None:
        """Print its notice if it has one."""
        recent = self._issues[0].day - WEEK < business.registered_on <= LAST
        older = business.registered_on <= self._issues[0].day - WEEK and business.grain % _one_in(business) == 1
        if business.other_names or business.name in self._names or business.standing not in _SECTIONS or not (recent or older):
            self._rest.take(business)
            return
        self._names.add(business.name)
        at = business.grain // 64 % WEEKS
        day = business.registered_on if recent else self._issues[at].day - timedelta(days=1 + business.grain % 6)
        issue = next(issue for issue in self._issues if issue.day >= day)
        issue.add(ACTS.get(business.kind, CORPORATIONS), _section(business, recent=recent), business, day)

    def close(self) -> None:
        """Write the issues, the catalogue and the rest."""
        for at, issue in enumerate(self._issues):
            write_pdf(self._folder / self._target(at).path, issue.pages())
        for name, (_, content) in self._catalogue().items():
            (self._folder / f"sk/{name}.json").write_text(json.dumps(content, indent=1), encoding="utf-8", newline="\n")
        self._rest.close()

    def _target(self, at: int) -> Target:
        product, file = FIRST_PRODUCT + at, FIRST_FILE + at
        name = f"G1_{self._issues[at].day}_p{product}_f{file}"
        return Target("sk", name, f"sk/{name}.pdf", Route.DOWNLOAD, f"{API}/products/{product}/formats/{file}/download")

    def _catalogue(self) -> dict[str, tuple[str, object]]:
        """Its pages with their addresses: the years, a year's parts, the issues, and one issue that the list names no file of."""
        products = [
            {
                "productId": FIRST_PRODUCT + at,
                "name": f"Gazette Part I, {issue.day:%B} {issue.day.day}, {issue.day.year}",
                "customIdentifier": f"{issue.day} Part I" if at % 2 else None,
                "productFormats": [{"productFormatId": FIRST_FILE + at, "language": "English"}] if at else None,
            }
            for at, issue in enumerate(self._issues)
        ]
        years = [{"categoryId": YEAR, "nameEnglish": str(LAST.year)}, {"categoryId": YEAR + 9, "nameEnglish": "Index"}]
        parts = [{"categoryId": PART, "nameEnglish": "Part I (1/Notices)"}, {"categoryId": PART + 1, "nameEnglish": "Part II"}]
        first = {**products[0], "productFormats": [{"productFormatId": FIRST_FILE}]}
        return {
            "category": (f"{API}/categories/{ROOT}?statusType=ACTIVE", {"categoryId": ROOT, "childCategories": years}),
            "year": (f"{API}/categories/{YEAR}?statusType=ACTIVE", {"categoryId": YEAR, "childCategories": parts}),
            "products": (f"{API}/categories/{PART}/products", products),
            "product": (f"{API}/products/{FIRST_PRODUCT}", first),
        }


def _one_in(business: Business) -> int:
    return NUMBERED_ONE_IN if is_numbered(business) else NAMED_ONE_IN


def _section(business: Business, *, recent: bool) -> str:
    if recent:
        return _BEGINNINGS.get(business.kind, _REGISTERED)
    if business.former_names and business.standing is Standing.ACTIVE:
        return "CERTIFICATES OF AMENDMENT"
    return _SECTIONS[business.standing]
