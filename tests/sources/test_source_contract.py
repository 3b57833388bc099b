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
def test_metadata_is_complete_and_consistent(source: Source) -> None:
    """One test lists all problems, so that whoever adds a source sees them at once."""
    assert [problem for find_problems in METADATA_CHECKS for problem in find_problems(source)] == []


def find_text_problems(source: Source) -> Iterator[str]:
    metadata = source.metadata
    texts = (metadata.title, metadata.description, metadata.publisher.name, metadata.licence.name, metadata.page)
    if not all(len(text.strip()) > 2 for text in texts):
        yield f"{edit(source)}: `title`, `description`, `publisher`, `licence` and `page` have text"
    if not metadata.description.strip().endswith("."):
        yield f"{edit(source)}: `description` is a sentence"


def find_template_remains(source: Source) -> Iterator[str]:
    """`make source` writes `CHANGE ME` wherever a person has to look something up."""
    folder = ROOT / "src" / source.package.replace(".", "/")
    writer = ROOT / f"src/bonafide_sandbox/writers/{KIND_PACKAGES[source.metadata.kind]}/{folder.name}.py"
    own_test = fixtures(source).with_name(f"test_{folder.name}.py")
    for path in sorted([*folder.glob("*.*"), *(path for path in (writer, own_test) if path.exists())]):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if re.search(r"change[ -]me", line, re.IGNORECASE):
                yield f"replace CHANGE ME in {path.relative_to(ROOT)}:{number} by what the publisher says"


def find_address_problems(source: Source) -> Iterator[str]:
    for url in addresses(source):
        parts = urlsplit(url)
        is_plain_host = re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", parts.netloc)
        if parts.scheme != "https" or not is_plain_host or re.search(r"[\s<>\"\\]", url):
            yield f"{edit(source)}: {url} is no https address"
    entry_url = source.metadata.entry_url
    if entry_url is not None and "1000017" not in entry_url.format(number="1000017"):
        yield f"{edit(source)}: `entry_url` has a place for the number"


def find_resource_problems(source: Source) -> Iterator[str]:
    names = [resource.name for resource in source.metadata.resources]
    formats = [resource.format for resource in source.metadata.resources]
    if len(set(names)) != len(names):
        yield f"{edit(source)}: two `resources` have the same name"
    if not all(re.fullmatch(r"\w+", word) for word in (*names, *formats)):
        yield f"{edit(source)}: names and formats are single words"
    for layout in source.metadata.layouts.values():
        columns = [*layout.columns, *layout.ignored]
        if not layout.columns or len(set(columns)) != len(columns):
            yield f"{edit(source)}: a layout names each column once"


def find_vocabulary_problems(source: Source) -> Iterator[str]:
    """Status and role words mean one thing each, without regard to case."""
    metadata, context = source.metadata, ParseContext(source.metadata)
    for name, words in (("statuses", metadata.statuses), ("roles", metadata.roles), ("terms", metadata.terms)):
        if not all(word and word == " ".join(word.split()) for word in words):
            yield f"{edit(source)}: `{name}` has a word with superfluous spaces: {sorted(words)}"
        if name != "terms" and len({word.casefold() for word in words}) != len(words):
            yield f"{edit(source)}: `{name}` has a word twice"
    for word, code in metadata.statuses.items():
        if context.status(word.upper()) is not StatusCode(code):
            yield f"{edit(source)}: {word!r} in `statuses` depends on case"
    if context.report.unknown_terms:
        yield f"{edit(source)}: unknown statuses {sorted(context.report.unknown_terms)}"


def find_reference_problems(source: Source) -> Iterator[str]:
    page, metadata = render_section(source), source.metadata
    for text in (metadata.title, metadata.publisher.name, metadata.licence.name, metadata.page):
        if text not in page:
            yield f"the reference page lacks {text!r}"
    for detail in metadata.details:
        if not re.fullmatch(r"[a-z][a-zA-Z0-9]*", detail.key):
            yield f"{edit(source)}: {detail.key} is not in camel case"
        if f"| `{detail.key}` | {detail.type} | {detail.label} |" not in page:
            yield f"the reference page lacks the detail {detail.key}"
    if len({detail.key for detail in metadata.details}) != len(metadata.details):
        yield f"{edit(source)}: two `details` have the same key"


def find_access_problems(source: Source) -> Iterator[str]:
    metadata = source.metadata
    has_no_files = metadata.access in {AccessMethod.NONE, AccessMethod.LIVE}
    if (source.parse is None) != has_no_files:
        yield f"{edit(source, 'source.py')}, or `access` in source.yml"
    if (source.fetch is None) != (source.parse is None):
        yield edit(source, "source.py")
    if metadata.access is not AccessMethod.BULK and not (metadata.access_note or "").strip():
        yield f"{edit(source)}: add `access_note`"
    if metadata.access is AccessMethod.BULK and not metadata.resources:
        yield f"{edit(source)}: add `resources`"


def find_live_problems(source: Source) -> Iterator[str]:
    live = source.metadata.live
    if (live is None) != (source.live is None):
        yield edit(source, "live.py")
    if live is None and source.metadata.access is AccessMethod.LIVE:
        yield f"{edit(source)}: add `live`"
    if live is None or source.live is None:
        return
    if source.live.find is None and source.live.report is None:
        yield f"{edit(source, 'live.py')}: add `find`"
    if source.live.report is not None and source.metadata.kind is not SourceKind.REGISTRY:
        yield f"{edit(source, 'live.py')}: only registers have reports"
    if live.terms is not None and not (live.terms.version and len(live.terms.text) > MIN_TERMS_CHARACTERS):
        yield f"{edit(source)}: the terms have a version, and a text that says what is at stake"


def find_check_problems(source: Source) -> Iterator[str]:
    """The checks of a load can be met and missed."""
    checks = source.metadata.checks
    shares = (checks.max_rejected_share, checks.max_unknown_share, *checks.min_fill.values())
    if checks.min_entries < 1:
        yield f"{edit(source)}: `min_entries`"
    if not 0 < checks.max_drop_share < 1:
        yield f"{edit(source)}: `max_drop_share`"
    if not all(0 <= share <= 1 for share in shares):
        yield f"{edit(source)}: a share is from 0 to 1"


METADATA_CHECKS = (
    find_text_problems,
    find_template_remains,
    find_address_problems,
    find_resource_problems,
    find_vocabulary_problems,
    find_reference_problems,
    find_access_problems,
    find_live_problems,
    find_check_problems,
)


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
