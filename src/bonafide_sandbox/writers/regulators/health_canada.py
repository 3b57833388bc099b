"""Holders of federal cannabis licences: a web page with one table, one row per site and a two-row header."""

from html import escape
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LicenceStanding, SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import ListWriterFactory, TargetFile

LIMIT = 1_000
ONE_IN = 31
LICENCES = (
    "Standard Cultivation / Standard Processing / Sale (Medical)",
    "Standard Processing",
    "Micro-cultivation",
    "Micro-cultivation / Micro-processing",
    "Nursery",
    "Sale (Medical)",
)
CLASSES = ("Plants", "Seeds", "Dried", "Fresh", "Extracts", "Edibles", "Topicals")
DRIED = 1 << CLASSES.index("Dried")
"""Holders that may sell any product class may sell this one."""
_HEAD = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Licensed cultivators, processors and sellers of cannabis</title></head>
<body><main>
<h1>Licensed cultivators, processors and sellers of cannabis under the <i>Cannabis Act</i></h1>
<table class="table"><thead>
<tr><th rowspan="2" id="t1hc1">Licence holder</th><th rowspan="2" id="t1hc2">Province / territory</th><th rowspan="2" \
id="t1hc3">Licence(s)</th><th colspan="2" id="t1hc4">Classes of cannabis authorized to sell to</th><th rowspan="2" \
id="t1hc7">Client Care</th><th rowspan="2" id="t1hc8">Date of initial licensing</th></tr>
<tr><th id="t1hc5">provincial / territorial distributors</th><th id="t1hc6">registered patients</th></tr>
</thead><tbody>
"""
_TAIL = "</tbody></table>\n</main></body></html>\n"


class LicenceHoldersWriter:
    """Writes one row per site. Every eighth holder has a second site."""

    targets = (
        TargetFile(
            "healthCanadaCannabis", "licence_holders", "healthCanadaCannabis/licensed-cultivators.html", DeliveryRoute.DOWNLOAD
        ),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        path = folder / self.targets[0].path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._file.write(_HEAD)
        self._holders = HolderSelection(seed, Jurisdiction.FED, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Add a fixed business with one site and every licence of a large producer."""
        self._write(fixed.business, fixed.business.name, LICENCES[0])

    def close(self) -> None:
        """Finish the page."""
        self._file.write(_TAIL)
        self._file.close()

    def _add(self, business: SandboxBusiness) -> None:
        grain = business.random_bits
        licences = LICENCES[grain // 8 % len(LICENCES)]
        name = f"{business.name} o/a {business.other_names[0]}" if business.other_names else business.name
        if business.licence in {LicenceStanding.LAPSED, LicenceStanding.GONE}:
            return
        is_suspended = grain % 43 == 0 or business.licence is LicenceStanding.REVOKED
        self._write(business, f"{name} (licence suspended)" if is_suspended else name, licences)
        if grain // 8 % 8 == 0:
            self._write(business, f"{business.name} (2nd site)", LICENCES[grain // 64 % len(LICENCES)])

    def _write(self, business: SandboxBusiness, name: str, licences: str) -> None:
        grain = business.random_bits
        classes = " / ".join(kind for place, kind in enumerate(CLASSES) if (grain | DRIED) >> place & 1)
        cells = (
            name,
            business.address.province,
            licences,
            classes,
            classes if "Sale" in licences else "",
            # 555 01xx: numbers reserved for fictional use.
            f"1-888-555-01{grain % 100:02d}" if "Sale" in licences else "",
            TODAY.replace(year=2018 + grain % 8, month=1 + grain % 10, day=1 + grain % 28).isoformat(),
        )
        self._file.write(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>\n")


WRITERS = (ListWriterFactory("healthCanadaCannabis", tuple(Jurisdiction), LicenceHoldersWriter),)
