"""Recent Saskatchewan Gazette issues with corporate notices, as PDF, and the catalogue that links to them.

Only numbered companies appear with their number. Businesses without a notice in those weeks are in a canonical file.
"""

import json
from datetime import date, timedelta
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.writers.canonical import CanonicalWriter
from bonafide_sandbox.writers.formats.pdf import write_pdf
from bonafide_sandbox.writers.framework.holder_selection import is_numbered_company
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import RegisterWriterFactory, TargetFile
from bonafide_sandbox.writers.registries.sk_gazette import PrintedGazette

LAST = date(2023, 3, 10)
WEEKS = 10
WEEK = timedelta(days=7)
NUMBERED_ONE_IN, NAMED_ONE_IN = 2, 8
"""One in this many older numbered or named companies has a notice in these weeks."""
API = "https://publications.saskatchewan.ca/api/v1"
ROOT, YEAR, PART = 1511, 1700, 1701
FIRST_PRODUCT, FIRST_FILE = 120_000, 135_000

ACTS = {
    BusinessKind.NONPROFIT: "The Non-profit Corporations Act, 1995",
    BusinessKind.COOPERATIVE: "The Co-operatives Act, 1996",
    BusinessKind.FIRM: "The Business Names Registration Act",
    BusinessKind.PARTNERSHIP: "The Business Names Registration Act",
    BusinessKind.LIMITED_PARTNERSHIP: "The Business Names Registration Act",
}
CORPORATIONS = "The Business Corporations Act"
_REGISTERED = "CERTIFICATES OF REGISTRATION"
_BEGINNINGS = {
    BusinessKind.COMPANY: "CERTIFICATES OF INCORPORATION",
    BusinessKind.NONPROFIT: "CERTIFICATES OF INCORPORATION",
    BusinessKind.COOPERATIVE: "CERTIFICATES OF INCORPORATION",
}
_SECTIONS = {
    LifecycleStatus.ACTIVE: "CERTIFICATES OF REVIVAL",
    LifecycleStatus.DISSOLVED: "CERTIFICATES OF DISSOLUTION",
    LifecycleStatus.CONTINUED_OUT: "CERTIFICATES OF DISCONTINUANCE",
}


class SaskatchewanWriter:
    """Writes Saskatchewan's register."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._issues = [PrintedGazette(LAST - WEEK * back) for back in reversed(range(WEEKS))]
        self._rest = CanonicalWriter(folder, Jurisdiction.SK)
        self._names: set[str] = set()
        pages = [TargetFile("sk", name, f"sk/{name}.json", DeliveryRoute.PAGE, url) for name, (url, _) in self._catalogue().items()]
        self.targets = (*pages, *(self._target(at) for at in range(WEEKS)), *self._rest.targets)

    def take(self, business: SandboxBusiness) -> None:
        """Print the business's notice, or write the business to the canonical file."""
        recent = self._issues[0].day - WEEK < business.registered_on <= LAST
        older = business.registered_on <= self._issues[0].day - WEEK and business.random_bits % _one_in(business) == 1
        if business.other_names or business.name in self._names or business.standing not in _SECTIONS or not (recent or older):
            self._rest.take(business)
            return
        self._names.add(business.name)
        at = business.random_bits // 64 % WEEKS
        day = business.registered_on if recent else self._issues[at].day - timedelta(days=1 + business.random_bits % 6)
        issue = next(issue for issue in self._issues if issue.day >= day)
        issue.add(ACTS.get(business.kind, CORPORATIONS), _section(business, recent=recent), business, day)

    def close(self) -> None:
        """Write the issues, the catalogue and the canonical file."""
        for at, issue in enumerate(self._issues):
            write_pdf(self._folder / self._target(at).path, issue.pages())
        for name, (_, content) in self._catalogue().items():
            (self._folder / f"sk/{name}.json").write_text(json.dumps(content, indent=1), encoding="utf-8", newline="\n")
        self._rest.close()

    def _target(self, at: int) -> TargetFile:
        product, file = FIRST_PRODUCT + at, FIRST_FILE + at
        name = f"G1_{self._issues[at].day}_p{product}_f{file}"
        return TargetFile("sk", name, f"sk/{name}.pdf", DeliveryRoute.DOWNLOAD, f"{API}/products/{product}/formats/{file}/download")

    def _catalogue(self) -> dict[str, tuple[str, object]]:
        """Return the catalogue pages and URLs: years, parts of a year, issues, and one issue without a file in the list."""
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


def _one_in(business: SandboxBusiness) -> int:
    return NUMBERED_ONE_IN if is_numbered_company(business) else NAMED_ONE_IN


def _section(business: SandboxBusiness, *, recent: bool) -> str:
    if recent:
        return _BEGINNINGS.get(business.kind, _REGISTERED)
    if business.former_names and business.standing is LifecycleStatus.ACTIVE:
        return "CERTIFICATES OF AMENDMENT"
    return _SECTIONS[business.standing]


WRITERS = (RegisterWriterFactory(Jurisdiction.SK, SaskatchewanWriter),)
