"""A snapshot of Yukon's register: upper-case names, no dates, and separate records for former names."""

import html
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import BusinessKind, SandboxBusiness
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, RegisterWriterFactory, TargetFile

HEADER = ("number", "name", "former_name", "kind", "jurisdiction", "status")
FIRST_FORMER_SERIAL = 80_000
"""Serials below this belong to businesses. Serials from this one on belong to records of former names."""
HOMES = ("Canada", "Ontario", "British Columbia", "Alberta", "CANADA", "Nova Scotia", "ontario", "Quebec")
"""The home jurisdictions of extra-territorial corporations, with the register's inconsistent spelling."""

_YUKON = BY_JURISDICTION[Jurisdiction.YT]


class YukonWriter:
    """Writes Yukon's register as one file."""

    targets = (TargetFile("yt", "snapshot", "yt/corporate_entities.csv", DeliveryRoute.FILE),)

    def __init__(self, folder: Path) -> None:
        self._file = CsvFile(folder / self.targets[0].path, HEADER)
        self._next_former = FIRST_FORMER_SERIAL

    def take(self, business: SandboxBusiness) -> None:
        """Write the business and, for some, a record for its former name."""
        former = business.former_names[0].name.upper() if business.former_names else ""
        kind, home = _YUKON.types[business.kind], _home(business)
        status = _YUKON.status(business.kind, business.standing)
        # The real file HTML-escapes former names only.
        self._file.write((business.number, business.name.upper(), html.escape(former, quote=False), kind, home, status))
        if former and business.random_bits % 2:
            self._file.write((f"{business.number[0]}{self._next_former:05d}", former, "", kind, home, "Changed Name"))
            self._next_former += 1

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def _home(business: SandboxBusiness) -> str:
    return HOMES[business.random_bits % len(HOMES)] if business.kind is BusinessKind.EXTRA_PROVINCIAL else "Yukon"


WRITERS = (RegisterWriterFactory(Jurisdiction.YT, YukonWriter),)
