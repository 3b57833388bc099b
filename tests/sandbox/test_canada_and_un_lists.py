"""The made-up lists of Canada and of the Security Council: their regulations agree with them, and their oddities are there."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lxml import etree

from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide_sandbox.writers.framework.manifest import WorldManifest
from bonafide_sandbox.writers.sanctions.sema_regulations import MEASURES

NAMESPACE = "{http://www.w3.org/2005/Atom}"


def read(world: Path, manifest: WorldManifest, key: str) -> tuple[list[ListedEntity], ParseReport]:
    source = get_source(key)
    assert source.parse is not None
    context = ParseContext(source.metadata)
    files = [file for file in manifest.files if file.source == key]
    now = datetime(2026, 11, 20, tzinfo=UTC)
    resources = [Resource(file.resource, world / file.path, "", now, file.sha256, file.size) for file in files]
    entries = [entry for entry in source.parse(resources, context) if isinstance(entry, ListedEntity)]
    return entries, context.report


class TestAutonomous:
    def test_every_regulation_of_the_source_is_written(self, manifest: WorldManifest) -> None:
        written = {file.resource for file in manifest.files if file.source == "ca-sanctions-autonomous"}
        assert written == {resource.name for resource in get_source("ca-sanctions-autonomous").metadata.resources}

    @pytest.mark.slow
    def test_every_record_has_its_item_and_some_items_have_no_record(self, world: Path, manifest: WorldManifest) -> None:
        entries, report = read(world, manifest, "ca-sanctions-autonomous")
        alone = sum(measure.get("alone", 0) for measure in MEASURES)
        assert (report.merged, report.entries or len(entries)) == (1_201, 1_201 + alone)
        assert sum("Only in the regulation" in (entry.remarks or "") for entry in entries) == alone
        assert report.notes[1:] == [
            note for note in report.notes if note.startswith("Parties added that are only in the regulations")
        ]

    def test_only_this_list_has_the_fixed_business(self, world: Path, manifest: WorldManifest) -> None:
        for key in ("ca-sanctions-terrorist-entities", "un-sanctions-consolidated"):
            entries, _ = read(world, manifest, key)
            assert not any("Sandbox" in name for entry in entries for name in entry.list_search_names())


class TestTerroristEntities:
    def test_feed_and_regulation_are_brought_together(self, world: Path, manifest: WorldManifest) -> None:
        entries, report = read(world, manifest, "ca-sanctions-terrorist-entities")
        feed = etree.parse(world / "ca-sanctions-terrorist-entities/lstd-ntts-eng.xml").findall(f"{NAMESPACE}entry")
        assert report.merged == len(feed) - 1
        assert report.rows == len(entries) + report.merged
        assert Counter(entry.programs for entry in entries).most_common()[0][1] == len(feed) + 1
        assert {entry.entity_type for entry in entries} == {EntityKind.PERSON, EntityKind.ORGANIZATION}

    def test_some_entries_have_no_other_name(self, world: Path) -> None:
        feed = etree.parse(world / "ca-sanctions-terrorist-entities/lstd-ntts-eng.xml")
        assert {"N/A"} < {summary.text for summary in feed.iter(f"{NAMESPACE}summary")}


class TestSecurityCouncil:
    def test_people_and_organisations_are_on_it_and_ships_are_not(self, world: Path, manifest: WorldManifest) -> None:
        entries, report = read(world, manifest, "un-sanctions-consolidated")
        assert {entry.entity_type for entry in entries} == {EntityKind.PERSON, EntityKind.ORGANIZATION}
        assert len(entries) > 150
        assert report.as_of is not None

    @pytest.mark.parametrize(
        "oddity", ["-04:00</LISTED_ON>", " </REFERENCE_NUMBER>", "<ALIAS_NAME/>", "<FROM_YEAR>", "APPROXIMATELY", "; "]
    )
    def test_its_oddities_are_there(self, world: Path, oddity: str) -> None:
        assert oddity in (world / "un-sanctions-consolidated/consolidated.xml").read_text(encoding="utf-8")

    def test_strong_and_weak_aliases_and_other_scripts_are_read(self, world: Path, manifest: WorldManifest) -> None:
        entries, _ = read(world, manifest, "un-sanctions-consolidated")
        assert any(entry.weak_aliases for entry in entries)
        assert any(not name.isascii() and " " in name for entry in entries for name in entry.aliases)
        assert all(len(country) == 2 for entry in entries for country in entry.countries)
        assert any("/" in date for entry in entries for date in entry.birth_dates)
