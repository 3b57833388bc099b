"""Ontario's companies in the canonical layout, as JSON lines, with their directors and former names."""

import json
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FIRM_KINDS, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.writers.canonical import STATUS_CODES
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import BUFFER_BYTES, RegisterWriterFactory, TargetFile

_ONTARIO = BY_JURISDICTION[Jurisdiction.ON]
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class OntarioCorporationsWriter:
    """Writes all Ontario businesses that are not firms."""

    targets = (TargetFile("on", "corporations", "on/corporations.jsonl", DeliveryRoute.FILE),)

    def __init__(self, folder: Path) -> None:
        path = folder / self.targets[0].path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w", encoding="utf-8", newline="\n", buffering=BUFFER_BYTES)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is a company."""
        if business.kind not in FIRM_KINDS:
            self._file.write(_encode(_record(business)) + "\n")

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def _record(business: SandboxBusiness) -> dict[str, object]:
    address, since = business.address, business.registered_on.isoformat()
    return {
        "registration_number": business.number,
        "legal_name": business.name,
        "alternate_names": business.other_names,
        "former_names": [
            {"name": former.name, "effective_date": since, "end_date": former.until.isoformat()} for former in business.former_names
        ],
        "business_number": business.business_number,
        "entity_type": _ONTARIO.types[business.kind],
        "status": _ONTARIO.status(business.kind, business.standing),
        "status_code": STATUS_CODES[business.standing],
        "incorporation_date": since,
        "good_standing": business.standing is LifecycleStatus.ACTIVE,
        "street": address.street,
        "unit": address.unit,
        "city": address.city,
        "province": address.province,
        "postal_code": address.postal_code,
        "country": "CA",
        "people": [{"name": person.name, "roles": person.roles} for person in business.people],
    }


WRITERS = (RegisterWriterFactory(Jurisdiction.ON, OntarioCorporationsWriter),)
