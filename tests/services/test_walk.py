"""The walk tests: what must hold of the house as a whole, whichever source is taken out of it."""

import re
from pathlib import Path

import pytest

from bonafide.model.accounts.organizations import Principal
from bonafide.model.search.result import SearchResult
from bonafide.runtime import Runtime
from bonafide.services.search.execution import read_search
from bonafide.sources.framework.discovery import discover_sources, list_regulator_keys
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.services.runtimes import search, without

pytestmark = pytest.mark.anyio
SOURCE_ROOT = Path(__file__).parents[2] / "src" / "bonafide"


@pytest.mark.slow
@pytest.mark.parametrize("key", list(discover_sources()))
@ON_SQLITE_ONLY
async def test_any_source_may_be_taken_away(runtime: Runtime, north: Principal, key: str) -> None:
    result = await search(without(runtime, key), north, name="Sandbox Bakery Inc.", sanctions_screening=True)
    assert key not in {row.source for row in result.meta.coverage}
    assert set(list_regulator_keys()) <= set(result.regulatory)
    if key != "on":
        assert (result.businesses or ())[0].legal_name.name == "Sandbox Bakery Inc."


@pytest.mark.parametrize("package", ["matching", "model"])
def test_model_and_matching_touch_no_clock_network_database_or_environment(package: str) -> None:
    impure = re.compile(r"httpx|sqlalchemy|environ|now\(\)")
    found = [path.name for path in (SOURCE_ROOT / package).rglob("*.py") if impure.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_no_source_imports_another() -> None:
    inside = re.compile(r"from bonafide\.sources\.(registries|regulators|sanctions|listings)\.(\w+)")
    for path in (SOURCE_ROOT / "sources").rglob("*.py"):
        for kind, folder in inside.findall(path.read_text(encoding="utf-8")):
            assert path.parent == SOURCE_ROOT / "sources" / kind / folder


async def test_the_stored_document_alone_says_why_a_score_is_what_it_is(runtime: Runtime, north: Principal) -> None:
    asked = await search(runtime, north, name="Sandbox Bakry Limited", registration_number="1000017")
    stored = (await read_search(runtime, north.organization_id, asked.meta.search_id)).parse(SearchResult)
    best = (stored.businesses or ())[0]
    assert all(field.reason for field in best.match.fields)
    assert [field.field for field in best.match.fields] == ["legalName", "registrationNumber", "address"]
    assert best.match.fields[0].score == best.legal_name.match_score < best.match.score
