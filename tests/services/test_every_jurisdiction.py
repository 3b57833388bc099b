"""All fourteen registers: a business of each is found by name and by number; where nobody could look it says so."""

from itertools import islice

import pytest

from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.accounts.organizations import Principal
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.search.result import CoverageStatus
from bonafide.model.verification.registry_report import ReportRequest
from bonafide.runtime import Runtime
from bonafide.services.manual_checks import report_requests
from bonafide_sandbox.generator.business import BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.world.builder import DEFAULT_SEED
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.services.runtimes import principal_of, search

pytestmark = pytest.mark.anyio
WORLD = tuple(create_businesses(DEFAULT_SEED, 0, 1000))
every_jurisdiction = pytest.mark.parametrize("jurisdiction", Jurisdiction, ids=lambda code: code.value)


@pytest.fixture
async def caller(served_runtime: Runtime) -> Principal:
    return await principal_of(served_runtime, "north")


def some_of(jurisdiction: Jurisdiction) -> list[SandboxBusiness]:
    """A few companies of a register that are active; of those whose gazette has no numbers, numbered ones."""
    known = (
        business
        for business in WORLD
        if business.register is jurisdiction
        and business.kind is BusinessKind.COMPANY
        and business.standing is LifecycleStatus.ACTIVE
    )
    if jurisdiction is Jurisdiction.SK:
        known = (business for business in known if business.number in business.name)
    if jurisdiction is Jurisdiction.NU:
        known = (business for business in WORLD if business.register is jurisdiction)
    return list(islice(known, 3))


@pytest.mark.slow
@every_jurisdiction
@ON_SQLITE_ONLY
async def test_a_business_is_found_by_name_and_by_number(
    served_runtime: Runtime, caller: Principal, jurisdiction: Jurisdiction
) -> None:
    found = 0
    for business in some_of(jurisdiction):
        by_name = await search(served_runtime, caller, name=business.name, sanctionsScreening=False)
        by_number = await search(served_runtime, caller, name="Entirely Other Words", registrationNumber=business.number)
        for result in (by_name, by_number):
            assert result.businesses is not None
            numbers = {
                key
                for match in result.businesses
                if match.jurisdiction is jurisdiction
                for number in match.registration_numbers
                for key in build_number_keys(number.value)
            }
            found += bool(numbers & build_number_keys(business.number))
    # A register that is known by its notices alone has not announced everybody.
    expected = 2 if jurisdiction in {Jurisdiction.AB, Jurisdiction.MB, Jurisdiction.SK} else 2 * len(some_of(jurisdiction))
    assert found >= expected


@every_jurisdiction
@ON_SQLITE_ONLY
async def test_its_report_says_by_which_route_and_how_old(
    served_runtime: Runtime, caller: Principal, jurisdiction: Jurisdiction
) -> None:
    business = some_of(jurisdiction)[0]
    wanted = ReportRequest(jurisdiction=jurisdiction, registration_number=business.number)
    report = await report_requests.get_business_report(served_runtime, caller, wanted)
    live = jurisdiction in {Jurisdiction.BC, Jurisdiction.FED}
    assert (report.jurisdiction, report.route is Route.LIVE) == (jurisdiction, live)
    assert report.as_of is not None
    assert len(report.evidence) > 0
    assert report.source_url is not None


@every_jurisdiction
@ON_SQLITE_ONLY
async def test_with_nothing_loaded_nobody_could_look_and_a_person_can(empty_runtime: Runtime, jurisdiction: Jurisdiction) -> None:
    caller = await principal_of(empty_runtime, "north")
    result = await search(empty_runtime, caller, name="Anything at All", jurisdictions=[jurisdiction.value])
    own = [row for row in result.meta.coverage if row.jurisdiction is jurisdiction and row.kind == SourceKind.REGISTRY]
    page = empty_runtime.sources[own[0].source].metadata.page
    assert [(row.status, row.route) for row in own] == [(CoverageStatus.NOT_AVAILABLE, None)]
    assert (own[0].note or "").endswith(f"You can search it yourself: {page}")
    assert result.errors is not None
    assert result.errors.business_registry is not None
