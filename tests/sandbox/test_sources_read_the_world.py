"""Sources and sandbox meet in the formats alone: every source reads what the sandbox writes for it, row for row, word for word."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bonafide.model.entry import AnyEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.canonical.parser import is_canonical, parse_canonical
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import discover_sources, get_source
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.writers.discovery import discover_list_writers
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, WorldManifest

WRITTEN = (*(code.value.lower() for code in Jurisdiction), *discover_list_writers())
# A source may be taken out of the house; what the sandbox writes for it is then nobody's to read.
SOURCES = [key for key in WRITTEN if key in discover_sources()]
RETRIEVED_AT = datetime(2026, 11, 2, tzinfo=UTC)


def read(folder: Path, manifest: WorldManifest, source: str) -> tuple[list[AnyEntry], ParseContext]:
    found = get_source(source)
    context = ParseContext(found.metadata)
    resources = [
        Resource(file.resource, folder / file.path, "", RETRIEVED_AT, file.sha256, file.size)
        for file in manifest.files
        if file.source == source and file.route is not DeliveryRoute.PAGE
    ]
    own = [resource for resource in resources if found.parse is not None and not (len(source) <= 3 and is_canonical(resource))]
    entries: list[AnyEntry] = list(found.parse(own, context)) if found.parse is not None and own else []
    canonical = [resource for resource in resources if resource not in own]
    if canonical:
        entries.extend(parse_canonical(canonical, context, None))
    return entries, context


@pytest.mark.parametrize("source", SOURCES)
def test_no_row_is_refused_and_no_word_unknown(world: Path, manifest: WorldManifest, source: str) -> None:
    entries, context = read(world, manifest, source)

    report = context.report
    assert entries
    assert (report.rejected, dict(report.reasons)) == (0, {})
    assert dict(report.unknown_terms) == {}
    assert report.rows == len(entries) + report.merged


@pytest.mark.parametrize("source", SOURCES)
def test_the_checks_of_a_load_are_met(world: Path, manifest: WorldManifest, source: str) -> None:
    entries, context = read(world, manifest, source)

    for field, share in context.metadata.checks.min_fill.items():
        filled = sum(bool(getattr(entry, field)) for entry in entries)
        assert filled >= share * len(entries), field


@pytest.mark.parametrize("source", [key for key in ("ab", "mb", "sk") if key in SOURCES])
def test_every_business_of_a_register_with_issues_is_found_once(world: Path, manifest: WorldManifest, source: str) -> None:
    entries, _ = read(world, manifest, source)
    numbers = Counter(number for entry in entries for number in entry.list_search_numbers())
    numberless = [entry for entry in entries if not entry.list_search_numbers()]
    names = Counter(entry.list_search_names()[0].upper().rstrip(".") for entry in numberless)
    made = [business for business in create_businesses(1867, 0, manifest.size) if business.register.lower() == source]

    assert made
    for business in made:
        assert numbers[business.number] + names[business.name.upper().rstrip(".")] == 1, business.name


def test_the_fixed_businesses_of_alberta_have_their_numbers(world: Path, manifest: WorldManifest) -> None:
    entries, _ = read(world, manifest, "ab")
    found = {number: entry.list_search_names()[0] for entry in entries for number in entry.list_search_numbers()}

    assert found["2010000025"] == "Sandbox Twin Holdings Inc."
    assert found["2010000041"] == "Sandbox Failing Registry Inc."


def test_the_bakery_comes_out_as_it_went_in(world: Path, manifest: WorldManifest) -> None:
    entries, _ = read(world, manifest, "on")
    [bakery] = [entry for entry in entries if entry.entry_id == "1000017"]
    document = json.loads(bakery.to_json())

    assert document["legalName"] == "Sandbox Bakery Inc."
    assert document["statusCode"] == "active"
    assert [item["name"] for item in document["nameHistory"]] == ["Sandbox Oven Ltd."]
    assert [person["name"] for person in document["people"]] == ["Margaret Okafor-Lindqvist", "Luc Beauvallon"]
    assert document["addresses"][0]["raw"] == "200-100 King Street West, Toronto, ON, M5X 1A9, CA"
