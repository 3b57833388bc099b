"""What holds of every source's folder, whatever its kind: whole metadata, sound addresses, fixtures, refusal of bad files.

What only one kind must satisfy stands beside the tests of that kind; what a load makes of a bad file, in `tests/services`.
"""

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entity import StatusCode
from bonafide.model.entry import AnyEntry, BusinessEntry, SourceKind
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import KIND_PACKAGES, Source, discover_sources
from bonafide.sources.framework.metadata import AccessMethod
from bonafide.sources.framework.reference_page import render_section
from bonafide_sandbox.publisher_faults import GARBAGE_BYTES

SOURCES = list(discover_sources().values())
WITH_CODE = [source for source in SOURCES if source.parse is not None]
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RETRIEVED_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
MAX_MESSAGE_CHARACTERS = 600
MIN_TERMS_CHARACTERS = 100
"""Of what an operator accepts: shorter, it does not say what is at stake."""

every_source = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.key)
every_parser = pytest.mark.parametrize("source", WITH_CODE, ids=lambda source: source.key)

BAD_CONTENTS = {
    "empty": b"",
    "another table": b"Number,Company,State\n1,Sample Ltd.,Active\n2,Example Ltd.,Active\n",
    "a web page": b"<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body><p>Back soon.</p></body></html>\n",
    "no text": GARBAGE_BYTES,
    "another encoding": "Number,Company\n1,Société Exemple ltée\n".encode("utf-16"),
}


def edit(source: Source, name: str = "source.yml") -> str:
    """The message of a failed check: which file to edit."""
    return f"edit src/{source.package.replace('.', '/')}/{name}"


def fixtures(source: Source) -> Path:
    """The folder of a source's saved files: a register's is named like its package, any other's like its key."""
    name = source.package.rpartition(".")[2] if source.metadata.kind is SourceKind.REGISTRY else source.key
    return HERE / KIND_PACKAGES[source.metadata.kind] / name


def saved_files(source: Source) -> list[Path]:
    return sorted(path for path in fixtures(source).rglob("*") if path.is_file() and path.suffix not in {".json", ".py", ".md"})


def addresses(source: Source) -> list[str]:
    metadata = source.metadata
    found = [metadata.page, metadata.publisher.url, metadata.licence.url, metadata.entry_url]
    if metadata.live is not None:
        found += [metadata.live.base_url, metadata.live.terms.url if metadata.live.terms is not None else None]
    return [url for url in (*found, *(resource.url for resource in metadata.resources)) if url is not None]


# ------------------------------------------------------------------------------------------------------------ metadata


@every_source
class TestMetadata:
    def test_it_says_what_it_is_who_publishes_it_and_on_which_terms(self, source: Source) -> None:
        metadata = source.metadata
        texts = (metadata.title, metadata.description, metadata.publisher.name, metadata.licence.name, metadata.page)
        assert all(len(text.strip()) > 2 for text in texts), edit(source)
        assert metadata.description.strip().endswith("."), f"{edit(source)}: `description` is a sentence"

    def test_nothing_of_its_template_is_left(self, source: Source) -> None:
        """`make source` writes `CHANGE ME` wherever a person has to look something up."""
        folder = ROOT / "src" / source.package.replace(".", "/")
        writer = ROOT / f"src/bonafide_sandbox/writers/{KIND_PACKAGES[source.metadata.kind]}/{folder.name}.py"
        own_test = fixtures(source).with_name(f"test_{folder.name}.py")
        files = [*folder.glob("*.*"), *(path for path in (writer, own_test) if path.exists())]
        left = [
            f"{path.relative_to(ROOT)}:{number}"
            for path in sorted(files)
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
            if re.search(r"change[ -]me", line, re.IGNORECASE)
        ]
        assert left == [], f"replace CHANGE ME in {', '.join(left)} by what the publisher says"

    def test_its_addresses_are_well_formed_and_encrypted(self, source: Source) -> None:
        for url in addresses(source):
            parts = urlsplit(url)
            assert parts.scheme == "https", f"{edit(source)}: {url}"
            assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", parts.netloc), f"{edit(source)}: {url}"
            assert not re.search(r"[\s<>\"\\]", url), f"{edit(source)}: {url}"

    def test_the_address_of_an_entry_takes_a_number_and_nothing_else(self, source: Source) -> None:
        entry_url = source.metadata.entry_url
        assert entry_url is None or "1000017" in entry_url.format(number="1000017"), f"{edit(source)}: `entry_url`"

    def test_its_resources_have_names_of_their_own(self, source: Source) -> None:
        names = [resource.name for resource in source.metadata.resources]
        formats = [resource.format for resource in source.metadata.resources]
        assert len(set(names)) == len(names), f"{edit(source)}: two `resources` have the same name"
        assert all(re.fullmatch(r"\w+", word) for word in (*names, *formats)), f"{edit(source)}: names and formats are single words"

    def test_its_status_and_role_words_mean_one_thing_each_without_regard_to_case(self, source: Source) -> None:
        metadata, context = source.metadata, ParseContext(source.metadata)
        for words in (metadata.statuses, metadata.roles, metadata.terms):
            assert all(word == " ".join(word.split()) and word for word in words), f"{edit(source)}: {sorted(words)}"
        assert len({word.casefold() for word in metadata.statuses}) == len(metadata.statuses), f"{edit(source)}: `statuses`"
        assert len({word.casefold() for word in metadata.roles}) == len(metadata.roles), f"{edit(source)}: `roles`"
        assert all(context.status(word.upper()) is StatusCode(code) for word, code in metadata.statuses.items())
        assert not context.report.unknown_terms

    def test_its_details_are_declared_in_camel_case_and_documented(self, source: Source) -> None:
        page = render_section(source)
        for detail in source.metadata.details:
            assert re.fullmatch(r"[a-z][a-zA-Z0-9]*", detail.key), f"{edit(source)}: {detail.key}"
            assert f"| `{detail.key}` | {detail.type} | {detail.label} |" in page

    def test_the_reference_page_says_who_publishes_it_on_which_terms_and_where_to_look(self, source: Source) -> None:
        page, metadata = render_section(source), source.metadata
        assert all(text in page for text in (metadata.title, metadata.publisher.name, metadata.licence.name, metadata.page))

    def test_it_is_read_by_code_or_says_why_not(self, source: Source) -> None:
        metadata = source.metadata
        has_no_files = metadata.access in {AccessMethod.NONE, AccessMethod.LIVE}
        assert (source.parse is None) == has_no_files, f"{edit(source, 'source.py')}, or `access` in source.yml"
        assert (source.fetch is None) == (source.parse is None), edit(source, "source.py")
        assert metadata.access is AccessMethod.BULK or (metadata.access_note or "").strip(), f"{edit(source)}: add `access_note`"
        assert metadata.access is not AccessMethod.BULK or metadata.resources, f"{edit(source)}: add `resources`"

    def test_what_is_asked_live_has_a_connector_and_says_under_which_terms(self, source: Source) -> None:
        live = source.metadata.live
        assert (live is None) == (source.live is None), edit(source, "live.py")
        assert live is not None or source.metadata.access is not AccessMethod.LIVE, f"{edit(source)}: add `live`"
        if live is not None and source.live is not None:
            assert source.live.find is not None or source.live.report is not None, f"{edit(source, 'live.py')}: add `find`"
            assert source.live.report is None or source.metadata.kind is SourceKind.REGISTRY, edit(source, "live.py")
            assert live.terms is None or (live.terms.version and len(live.terms.text) > MIN_TERMS_CHARACTERS), edit(source)

    def test_a_layout_names_each_column_once(self, source: Source) -> None:
        for layout in source.metadata.layouts.values():
            columns = [*layout.columns, *layout.ignored]
            assert layout.columns, f"{edit(source)}: a layout has no columns"
            assert len(set(columns)) == len(columns), f"{edit(source)}: a layout names a column twice"

    def test_the_checks_of_a_load_can_be_met_and_missed(self, source: Source) -> None:
        checks = source.metadata.checks
        shares = (checks.max_rejected_share, checks.max_unknown_share, *checks.min_fill.values())
        assert checks.min_entries >= 1, f"{edit(source)}: `min_entries`"
        assert 0 < checks.max_drop_share < 1, f"{edit(source)}: `max_drop_share`"
        assert all(0 <= share <= 1 for share in shares), f"{edit(source)}: a share is from 0 to 1"


# ------------------------------------------------------------------------------------------------------------ code


@every_parser
class TestCode:
    def test_it_has_a_saved_file_and_the_entries_that_it_must_give(self, source: Source) -> None:
        folder = fixtures(source).relative_to(ROOT)
        assert saved_files(source), f"add a small invented file of the publisher's layout to {folder}"
        assert any(fixtures(source).rglob("*.json")), f"write {folder}/*.golden.json: BONAFIDE_WRITE_GOLDEN=1, as the how-to says"

    @pytest.mark.parametrize("kind", BAD_CONTENTS)
    def test_a_file_of_another_kind_is_refused_with_a_clear_error(self, source: Source, tmp_path: Path, kind: str) -> None:
        for saved in saved_files(source):
            path = tmp_path / saved.name
            path.write_bytes(BAD_CONTENTS[kind])
            with pytest.raises(ParseFailed) as refused:
                list(read(source, ParseContext(source.metadata), path))
            assert saved.name in refused.value.message, refused.value.message
            assert len(refused.value.message) < MAX_MESSAGE_CHARACTERS

    def test_a_file_that_breaks_off_is_refused_or_its_rows_are_accounted_for(self, source: Source, tmp_path: Path) -> None:
        for saved in saved_files(source):
            content = saved.read_bytes()
            path = tmp_path / saved.name
            path.write_bytes(content[: len(content) * 2 // 3])
            context = ParseContext(source.metadata)
            try:
                entries = len(list(read(source, context, path)))
            except ParseFailed:
                continue
            assert context.report.rows == entries + context.report.merged + context.report.rejected


@pytest.mark.parametrize("source", [source for source in WITH_CODE if source.metadata.details], ids=lambda source: source.key)
def test_the_saved_files_give_only_declared_details(source: Source) -> None:
    declared = {detail.key for detail in source.metadata.details}
    entries = list(read(source, ParseContext(source.metadata), *saved_files(source)))
    assert entries
    for entry in entries:
        assert isinstance(entry, BusinessEntry)
        unknown = sorted(set(entry.details) - declared)
        assert unknown == [], f"{edit(source)}: declare {', '.join(unknown)} in `details`"


def read(source: Source, context: ParseContext, *paths: Path) -> Iterator[AnyEntry]:
    assert source.parse is not None
    return source.parse([resource(path) for path in paths], context)


def resource(path: Path) -> Resource:
    content = path.read_bytes()
    return Resource(path.name, path, f"file:{path.name}", RETRIEVED_AT, hashlib.sha256(content).hexdigest(), len(content))
