"""Load the ownership structures of fixed businesses from `ownership.yml`."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide_sandbox.generator.data_tables import read_table

BUSINESS = "business"
"""The ID of the party that is the business itself."""


@dataclass(frozen=True, slots=True)
class OwnershipStructure:
    """A fixed business, the `externalId` of its record, and who owns it."""

    external_id: str
    name: str
    register: Jurisdiction
    number: str
    facts: dict[str, Any]

    def create_statement(self, business_id: UUID) -> OwnershipStatement:
        """Create the statement for the record of the business."""
        business = {
            "id": BUSINESS,
            "kind": "business",
            "name": self.name,
            "jurisdiction": self.register.value,
            "registrationNumber": self.number,
            "businessId": business_id,
        }
        return OwnershipStatement.model_validate(self.facts | {"parties": [business, *self.facts["parties"]]})


def load_structures() -> tuple[OwnershipStructure, ...]:
    """Load the structures in the order of the documentation."""
    table = read_table("ownership")
    common = {"asOf": table["as_of"], "declaredBy": table["declared_by"]}
    return tuple(
        OwnershipStructure(
            item["external_id"],
            item["name"],
            Jurisdiction(item["register"]),
            item["number"],
            common | {"parties": item["parties"], "interests": item["interests"]},
        )
        for item in table["structures"]
    )
