"""A number typed in any usual spelling finds its business through the index, whatever the name that was asked for with it."""

import pytest

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import BusinessMatch, FieldStatus
from bonafide.model.search.result import SelectionStatus
from bonafide.runtime import Runtime
from tests.support.services.loading import put
from tests.support.services.runtimes import principal_of, search

pytestmark = pytest.mark.anyio

BUSINESSES = {
    "FED": ("4261607", ("426160-7", "FED 426160-7", "Corporation No. 426160-7")),
    "QC": ("1160000017", ("11 6000 0017", "NEQ: 1160000017")),
    "ON": ("1000017", ("ON-1000017", "001000017", "Ontario Corporation Number 1000017")),
    "AB": ("2012025033", ("AB 2012025033", "201202503-3")),
    "BC": ("BC0772006", ("772006", "bc 0772006", "Incorporation Number BC772006")),
    "MB": ("7654321", ("MB 7654321", "File No. 7654321")),
    "NB": ("012345", ("12345", "NB 012345")),
    "NL": ("87654", ("NL 87654", "Company Number 87654")),
    "NS": ("3001234", ("NS 3001234", "Registry ID 300-1234")),
    "NT": ("800005", ("NT 800005",)),
    "NU": ("4711", ("NU 4711", "004711")),
    "PE": ("832815864-141006", ("141006", "PE 141006", "832815864")),
    "SK": ("102144437", ("102 144 437", "SK 102144437")),
    "YT": ("530561", ("53-0561", "Registry Number 530561")),
}
"""Each register's number as it prints it, and as people type it."""
BN = "123456782"


def business(register: str, *numbers: tuple[str, str]) -> RegistryEntry:
    return RegistryEntry(
        entry_id=numbers[0][1],
        jurisdiction=Jurisdiction(register),
        legal_name=f"Quillfeather {register} Widgets Inc.",
        registration_numbers=tuple(RegistrationNumber(label=label, value=value) for label, value in numbers),
        status_code=StatusCode.ACTIVE,
    )


@pytest.fixture
async def principal(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north", World.LIVE)


async def found(runtime: Runtime, principal: Principal, number: str) -> list[BusinessMatch]:
    result = await search(runtime, principal, name="Entirely Otherwise", registrationNumber=number, matchSelection=True)
    matches = list(result.businesses or ())
    assert result.match_selection is not None
    assert (result.match_selection.status is SelectionStatus.AUTO_SELECTED) == (len(matches) == 1)
    return matches


@pytest.mark.slow
async def test_each_register_s_number_in_each_spelling(empty_runtime: Runtime, principal: Principal) -> None:
    for register, (printed, _) in BUSINESSES.items():
        label = str(empty_runtime.sources[register.lower()].metadata.number_label)
        put(empty_runtime, register.lower(), [business(register, (label, printed))])
    for register, (printed, spellings) in BUSINESSES.items():
        for text in (printed, *spellings):
            matches = await found(empty_runtime, principal, text)
            assert [match.jurisdiction for match in matches] == [register], text
            assert matches[0].match.fields[1].status is FieldStatus.MATCHED


async def test_a_business_number_and_a_firms_number_of_the_same_digits_are_told_apart_by_what_says_which_it_is(
    empty_runtime: Runtime, principal: Principal
) -> None:
    put(empty_runtime, "fed", [business("FED", ("Corporation Number", "4261607"), ("Business Number (BN)", BN))])
    put(empty_runtime, "on", [business("ON", ("Business Identification Number", BN))])

    async def registers(number: str) -> set[str]:
        return {match.jurisdiction for match in await found(empty_runtime, principal, number)}

    assert await registers(f"BN {BN}") == await registers(f"{BN} RR0001") == {"FED"}
    assert await registers(f"BIN {BN}") == {"ON"}
    assert await registers(BN) == {"FED", "ON"}
