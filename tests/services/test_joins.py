"""A regulator that knows a business by another name: joined by a number of the register's entry, certain, and it says why."""

import pytest

from bonafide.model.accounts.organizations import World
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import JoinNumber, RegistryEntry, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import RegulatoryMatch
from bonafide.runtime import Runtime
from tests.support.services.loading import put
from tests.support.services.runtimes import principal_of, search

pytestmark = pytest.mark.anyio
REGULATOR = "rbqLicences"


def registered(number: str, name: str, jurisdiction: Jurisdiction, label: str, *more: RegistrationNumber) -> RegistryEntry:
    return RegistryEntry(
        entry_id=number,
        jurisdiction=jurisdiction,
        legal_name=name,
        registration_numbers=(RegistrationNumber(label=label, value=number), *more),
        status_code=StatusCode.ACTIVE,
    )


def licensed(number: str, name: str, *numbers: RegistrationNumber | JoinNumber) -> RegulatoryEntry:
    return RegulatoryEntry(entry_id=number, legal_name=name, registration_number=number, join_numbers=numbers)


QUEBECKER_BN = RegistrationNumber(label="Business Number (BN)", value="990000010")
QUEBECKER = registered("1140000016", "Toitures Zéphyrine inc.", Jurisdiction.QC, "NEQ", QUEBECKER_BN)


async def entries(runtime: Runtime, **request: object) -> list[RegulatoryMatch]:
    north = await principal_of(runtime, "north", World.LIVE)
    result = await search(runtime, north, **{"name": "Toitures Zephyrine", **request})
    return list(result.regulatory[REGULATOR])


@pytest.mark.parametrize(
    "number",
    [
        JoinNumber(label="NEQ", value="1140000016", jurisdiction=Jurisdiction.QC),
        RegistrationNumber(label="NEQ", value="1140-000-016"),
        RegistrationNumber(label="Business Number (BN)", value="990000010 RT0001"),
    ],
)
async def test_a_number_of_the_best_match_makes_another_name_certain(
    empty_runtime: Runtime, number: RegistrationNumber | JoinNumber
) -> None:
    put(empty_runtime, "qc", [QUEBECKER])
    put(empty_runtime, REGULATOR, [licensed("5600-0001-01", "Couvreurs de la Vallée", number)])
    [found] = await entries(empty_runtime, regulatoryRegistryThreshold=0.95)
    field = next(field for field in found.match.fields if field.field == "registrationNumber")
    assert found.match.score >= 0.95
    assert found.legal_name.match_score < 0.7
    assert "a number of Toitures Zéphyrine inc. (QC 1140000016), a match of this search" in field.reason


async def test_an_entry_that_is_found_by_name_and_number_stands_once(empty_runtime: Runtime) -> None:
    put(empty_runtime, "qc", [QUEBECKER])
    neq = RegistrationNumber(label="NEQ", value="1140000016")
    put(empty_runtime, REGULATOR, [licensed("5600-0001-01", "Toitures Zéphyrine", neq)])
    [found] = await entries(empty_runtime)
    assert found.match.score >= 0.95


async def test_a_doubtful_match_lends_no_number(empty_runtime: Runtime) -> None:
    put(empty_runtime, "qc", [QUEBECKER])
    neq = RegistrationNumber(label="NEQ", value="1140000016")
    put(empty_runtime, REGULATOR, [licensed("5600-0001-01", "Couvreurs de la Vallée", neq)])
    assert await entries(empty_runtime, name="Toitures Zéphyr Boréal") == []


async def test_a_number_of_another_kind_joins_nothing(empty_runtime: Runtime) -> None:
    put(empty_runtime, "on", [registered("1140016", "Toitures Zephyrine Inc.", Jurisdiction.ON, "Ontario Corporation Number")])
    other = JoinNumber(label="Registry ID", value="1140016", jurisdiction=Jurisdiction.NS)
    put(empty_runtime, REGULATOR, [licensed("5600-0001-01", "Couvreurs de la Vallée", other)])
    assert await entries(empty_runtime) == []


async def test_a_list_of_hundreds_of_one_business_is_cut(empty_runtime: Runtime) -> None:
    put(empty_runtime, "qc", [QUEBECKER])
    neq = RegistrationNumber(label="NEQ", value="1140000016")
    put(empty_runtime, REGULATOR, [licensed(f"5600-{number:04}-01", f"Chantier {number}", neq) for number in range(300)])
    assert len(await entries(empty_runtime)) == 10
