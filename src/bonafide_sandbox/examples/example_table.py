"""Load the examples from `examples.yml`, with what the sandbox's registers have of each business."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.generator.foreign_parties import ForeignPartyKind, create_foreign_parties
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.world.builder import DEFAULT_SEED


@dataclass(frozen=True, slots=True)
class ExampleBusiness:
    """A business record, the steps that are done with it, and what becomes of its case."""

    external_id: str
    record: Mapping[str, Any]
    """The fields of the record, named as in the API."""
    steps: tuple[str, ...]
    case: str | None


@dataclass(frozen=True, slots=True)
class ExampleTable:
    """Everything that the demo begins with."""

    businesses: tuple[ExampleBusiness, ...]
    searches: tuple[str, ...]
    screenings: tuple[str, ...]


def load_examples() -> ExampleTable:
    """Load the examples. The same ones for every size of the sandbox."""
    table = read_table("examples")
    last = max(facts["of"] for facts in table["examples"] if isinstance(facts.get("of"), int))
    generated = list(create_businesses(DEFAULT_SEED, 0, last + 1))
    listed = [party.full_name for party in create_foreign_parties(DEFAULT_SEED) if party.kind is ForeignPartyKind.PERSON]
    businesses = (_read(facts, generated, listed) for facts in table["examples"])
    return ExampleTable(tuple(businesses), tuple(table["searches"]), tuple(table["screenings"]))


def _read(facts: Mapping[str, Any], generated: list[SandboxBusiness], listed: list[str]) -> ExampleBusiness:
    record = _describe(_find_business(facts["of"], generated)) if "of" in facts else {}
    if "listed" in facts:
        record["people"] = [*record["people"], {"name": listed[facts["listed"]], "role": "Director"}]
    record |= facts.get("record", {})
    return ExampleBusiness(facts["id"], record, tuple(facts.get("steps", ())), facts.get("case"))


def _find_business(reference: int | list[str], generated: list[SandboxBusiness]) -> SandboxBusiness:
    """The generated business at a position, or the fixed one with a register and a number. Raises `StopIteration`."""
    if isinstance(reference, int):
        return generated[reference]
    register, number = Jurisdiction(reference[0]), reference[1]
    return next(one.business for one in KNOWN_BUSINESSES if (one.business.register, one.business.number) == (register, number))


def _describe(business: SandboxBusiness) -> dict[str, Any]:
    """The record of somebody who knows the business well."""
    address = business.address
    place = {"street": address.street, "city": address.city, "province": address.province, "postalCode": address.postal_code}
    return {
        "name": business.name,
        "jurisdiction": business.register.value,
        "registrationNumber": business.number,
        **{name: value for name, value in place.items() if value},
        "people": [{"name": one.name, "role": one.roles[0] if one.roles else "Director"} for one in business.people],
    }
