"""A register in the canonical layout, as CSV: what a person would hand in for a register that no program may download."""

from collections.abc import Callable
from pathlib import Path

from bonafide.model.entity import StatusCode
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sandbox.business import Business, FormerName, Officer, Standing
from bonafide.sandbox.manifest import Route
from bonafide.sandbox.registers import BY_JURISDICTION, Register
from bonafide.sandbox.writers.base import CsvFile, Target

HEADER = (
    "registration_number",
    "legal_name",
    "alternate_names",
    "former_names",
    "business_number",
    "entity_type",
    "status",
    "status_code",
    "incorporation_date",
    "good_standing",
    "street",
    "unit",
    "city",
    "province",
    "postal_code",
    "country",
    "people",
)

STATUS_CODES = {
    Standing.ACTIVE: StatusCode.ACTIVE,
    Standing.DEFAULT: StatusCode.ACTIVE,
    Standing.LEAVING: StatusCode.PENDING_DISSOLUTION,
    Standing.DISSOLVED: StatusCode.DISSOLVED,
    Standing.AMALGAMATED: StatusCode.AMALGAMATED,
    Standing.CONTINUED_OUT: StatusCode.CONTINUED_OUT,
    Standing.CANCELLED: StatusCode.CANCELLED,
}


class CanonicalWriter:
    """All of a register's businesses in one file."""

    def __init__(self, folder: Path, jurisdiction: Jurisdiction) -> None:
        source = jurisdiction.value.lower()
        self.targets = (Target(source, "register", f"{source}/register.csv", Route.FILE),)
        self._register = BY_JURISDICTION[jurisdiction]
        self._file = CsvFile(folder / self.targets[0].path, HEADER)

    def take(self, business: Business) -> None:
        """Write it."""
        self._file.write(_row(business, self._register))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def maker(jurisdiction: Jurisdiction) -> Callable[[Path], CanonicalWriter]:
    """What makes the writer of a register."""
    return lambda folder: CanonicalWriter(folder, jurisdiction)


def _row(business: Business, register: Register) -> tuple[object, ...]:
    address = business.address
    return (
        business.number,
        business.name,
        "; ".join(business.other_names),
        "; ".join([_former(former, business) for former in business.former_names]) if business.former_names else "",
        business.business_number,
        register.types[business.kind],
        register.status(business.kind, business.standing),
        STATUS_CODES[business.standing],
        business.registered_on.isoformat(),
        "yes" if business.standing is Standing.ACTIVE else "no",
        address.street,
        address.unit,
        address.city,
        address.province,
        address.postal_code,
        "CA",
        "; ".join([_person(person) for person in business.people]),
    )


def _former(former: FormerName, business: Business) -> str:
    return f"{former.name} ({business.registered_on.isoformat()} to {former.until.isoformat()})"


def _person(person: Officer) -> str:
    return f"{person.name} [{', '.join(person.roles)}]"
