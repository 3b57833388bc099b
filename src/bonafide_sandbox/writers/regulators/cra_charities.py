"""Canada's charities: the search form with its token, the ZIP file that it returns, and the tables of annual returns.

Like the real list, this one is encoded in Latin-1, so characters outside Latin-1 are spelled out.
"""

import csv
import io
import zipfile
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import BusinessKind, LicenceStanding, SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, ListWriterFactory, TargetFile

HEADER = (
    "BN/Registration number:",
    "Organization name:",
    "Status: ",
    "Type of qualified donee:",
    "Effective date of status:",
    "Sanction ",
    "Designation: ",
    "Charity type: ",
    "Category: ",
    "Address:",
    "City:",
    "Province, territory, outside of Canada:",
    "Country:",
    "Postal code/Zip code:",
    "",
)
"""Ends with an empty column, as do the rows."""
FILED_HEADER = (
    *("BN", "Category", "Sub Category", "Designation", "Legal Name", "Account Name"),
    *("Address Line 1", "Address Line 2", "City", "Province", "Postal Code", "Country"),
)
WEBSITE_HEADER = ("BN/NE", "Contact URL")
LIMIT = 90_000
ONE_IN = 2
"""One in this many non-profits is a charity."""
TOKEN = "SBX20261101CHARITIES0000000000001"  # noqa: S105 - the token of a fictional form
MEMBER = f"Charities_results_{TODAY}-06-30-00.txt"
CATEGORIES = (
    ("Relief of Poverty", "0001", "0004"),
    ("Advancement of Education", "0011", "0001"),
    ("Advancement of Religion", "0030", "0001"),
    ("Other purposes beneficial to the community", "0110", "0002"),
    ("Other purposes beneficial to the community", "0190", "0001"),
    ("Other purposes beneficial to the community", "0210", "0001"),
)
DESIGNATIONS = (("0001", "C"), ("0001", "C"), ("0001", "C"), ("0002", "A"), ("0003", "B"))
"""The designation codes in the list and in returns."""
STATES = (
    (86, "Registered"),
    (92, "Revoked-Voluntary"),
    (97, "Revoked-Failure to File"),
    (98, "Revoked-Other"),
    (99, "Annulled"),
    (100, "Suspended"),
)
"""The cumulative percentage of each status."""
_ENDINGS = {LicenceStanding.LAPSED: "Revoked-Voluntary", LicenceStanding.REVOKED: "Revoked-Failure to File"}
_FIELDS = (
    *("q.srchNm", "q.bnRtNmbr", "q.bnAccntNmbr", "q.stts", "q.sttsEffctvDt", "q.snctnTypCd"),
    *("q.cty", "q.prvncSttCd", "q.pstlZpCd", "q.dsgntnTyp", "q.chrtyTyp", "q.chrtyCtgry"),
)
_INPUTS = "".join(f'<input type="text" name="{field}" value="">\n' for field in _FIELDS)
_PAGE = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Advanced search - List of charities</title></head>
<body><h1>Advanced search</h1>
<form action="dwnldZp" method="post">
<input type="hidden" name="struts.token.name" value="token">
<input type="hidden" name="token" value="{TOKEN}">
{_INPUTS}<button type="submit">Download</button>
</form></body></html>
"""
_OLDER_LETTERS = str.maketrans({"œ": "oe", "Œ": "OE", "’": "'", "–": "-"})


class CharitiesWriter:
    """Writes one list row per charity. Most registered charities have filed a return, and some returns include a website."""

    targets = (
        TargetFile("craCharities", "search_form", "craCharities/advncdSrch.html", DeliveryRoute.PAGE),
        TargetFile(
            "craCharities",
            "list",
            "craCharities/charities.zip",
            DeliveryRoute.DOWNLOAD,
        ),
        TargetFile("craCharities", "identification_2024", "craCharities/ident_2024_updated.csv", DeliveryRoute.DOWNLOAD),
        TargetFile("craCharities", "websites_2024", "craCharities/weburl_2024_updated.csv", DeliveryRoute.DOWNLOAD),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._page, packed, filed, websites = (folder / target.path for target in self.targets)
        self._filed, self._websites = CsvFile(filed, FILED_HEADER), CsvFile(websites, WEBSITE_HEADER)
        self._archive = zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED)
        for name in ("Readme_EN.txt", "Lisezmoi_FR.txt"):
            self._archive.writestr(_member(name), "The list is tab separated.\r\n")
        self._list = io.TextIOWrapper(self._archive.open(_member(MEMBER), "w"), "iso-8859-1", newline="")
        self._writer = csv.writer(self._list, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\r\n")
        self._writer.writerow(HEADER)
        self._holders = HolderSelection(seed, Jurisdiction.FED, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is a non-profit and selected as a holder."""
        if business.kind is BusinessKind.NONPROFIT:
            self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Add a fixed business as registered, with a return."""
        self._write(fixed.business, STATES[0][1])
        self._file_return(fixed.business)

    def close(self) -> None:
        """Finish the files and write the form."""
        self._list.close()
        self._archive.close()
        self._filed.close()
        self._websites.close()
        self._page.write_text(_PAGE, encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        roll = business.random_bits // 16 % 100
        status = _ENDINGS.get(business.licence) or next(word for until, word in STATES if roll < until)
        if business.licence is LicenceStanding.GONE:
            return
        self._write(business, status)
        if status == STATES[0][1] and business.random_bits // 4 % 8:
            self._file_return(business)

    def _write(self, business: SandboxBusiness, status: str) -> None:
        address, grain = business.address, business.random_bits
        charity_type, category, _ = CATEGORIES[grain // 8 % len(CATEGORIES)]
        cells = (
            _number(business),
            " / ".join([business.name, *business.other_names[:1]]),
            status,
            "Charity",
            business.registered_on.isoformat(),
            "",
            DESIGNATIONS[grain // 32 % len(DESIGNATIONS)][0],
            charity_type,
            category,
            f"{address.street} {f'UNIT {address.unit}' if address.unit is not None else ''}".upper(),
            address.city.upper(),
            address.province,
            "CA",
            address.postal_code.replace(" ", ""),
            "",
        )
        self._writer.writerow([cell.translate(_OLDER_LETTERS) for cell in cells])

    def _file_return(self, business: SandboxBusiness) -> None:
        address, grain = business.address, business.random_bits
        _, category, sub_category = CATEGORIES[grain // 8 % len(CATEGORIES)]
        designation = DESIGNATIONS[grain // 32 % len(DESIGNATIONS)][1]
        account = f"{business.name} - {address.city}" if grain % 5 == 0 else business.name
        place = (address.street.upper(), "", address.city.upper(), address.province, address.postal_code.replace(" ", ""), "CA")
        self._filed.write((_number(business), category, sub_category, designation, business.name, account, *place))
        if grain // 4 % 3 == 0:
            website = f"www.{''.join(filter(str.isalnum, business.name.lower()))}.example"
            self._websites.write((_number(business), website))


def _number(business: SandboxBusiness) -> str:
    return f"{business.business_number}RR0001"


def _member(name: str) -> zipfile.ZipInfo:
    """Return an archive member with a fixed timestamp, so that the output is deterministic."""
    member = zipfile.ZipInfo(name, TODAY.timetuple()[:6])
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


WRITERS = (ListWriterFactory("craCharities", tuple(Jurisdiction), CharitiesWriter),)
