"""Write a register in the canonical CSV layout, as imported by hand for a register without downloads."""

from collections.abc import Callable
from pathlib import Path

from bonafide.model.entity import StatusCode
from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FormerName, LifecycleStatus, SandboxBusiness, SandboxOfficer
from bonafide_sandbox.generator.registers import BY_JURISDICTION, SandboxRegister
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, TargetFile

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
    LifecycleStatus.ACTIVE: StatusCode.ACTIVE,
    LifecycleStatus.DEFAULT: StatusCode.ACTIVE,
    LifecycleStatus.LEAVING: StatusCode.PENDING_DISSOLUTION,
    LifecycleStatus.DISSOLVED: StatusCode.DISSOLVED,
    LifecycleStatus.AMALGAMATED: StatusCode.AMALGAMATED,
    LifecycleStatus.CONTINUED_OUT: StatusCode.CONTINUED_OUT,
    LifecycleStatus.CANCELLED: StatusCode.CANCELLED,
}


class CanonicalWriter:
    """Writes all businesses of a register to one file."""

    def __init__(self, folder: Path, jurisdiction: Jurisdiction) -> None:
        source = jurisdiction.value.lower()
        self.targets = (TargetFile(source, "register", f"{source}/register.csv", DeliveryRoute.FILE),)
        self._register = BY_JURISDICTION[jurisdiction]
        self._file = CsvFile(folder / self.targets[0].path, HEADER)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business."""
        self._file.write(_row(business, self._register))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def create_writer_factory(jurisdiction: Jurisdiction) -> Callable[[Path], CanonicalWriter]:
    """Return the factory of a register's canonical writer."""
    return lambda folder: CanonicalWriter(folder, jurisdiction)


def _row(business: SandboxBusiness, register: SandboxRegister) -> tuple[object, ...]:
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
        "yes" if business.standing is LifecycleStatus.ACTIVE else "no",
        address.street,
        address.unit,
        address.city,
        address.province,
        address.postal_code,
        "CA",
        "; ".join([_person(person) for person in business.people]),
    )


def _former(former: FormerName, business: SandboxBusiness) -> str:
    return f"{former.name} ({business.registered_on.isoformat()} to {former.until.isoformat()})"


def _person(person: SandboxOfficer) -> str:
    return f"{person.name} [{', '.join(person.roles)}]"
