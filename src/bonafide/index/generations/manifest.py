"""The manifest of a generation: its segments, and which of their documents are deleted.

    manifest.json          {"parts": [{"segment", "header", "dead", "dead_crc32"}, …], "load": {…}, "crc32"}; base first
    <segment id>.dead      one bit for each document of a segment with deleted documents, the first in the lowest bit

`header` is the CRC-32 of the segment's header, which covers all its files, so a generation cannot be opened with a segment other
than the one on which it was built. `source_folder` determines the current generation.
"""

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index.format.jagged_arrays import Flags
from bonafide.index.format.segment_files import HEADER, verify_segment_files, write_durably
from bonafide.index.generations.source_folder import SourceFolder
from bonafide.index.search.name_index import LiveSegment, NameIndex
from bonafide.index.search.segment import IndexSegment

MANIFEST = "manifest.json"
M = TypeVar("M")
ParseManifest = Callable[[dict[str, Any]], M]
"""Parses a manifest's JSON; raises `ValueError`."""


@dataclass(frozen=True, slots=True)
class GenerationPart:
    """One segment of a generation: its id, its header's checksum, how many of its documents are dead, and the checksum of those."""

    segment: str
    header: int
    dead: int = 0
    dead_crc32: int = 0


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Generation(Generic[M]):
    """One load of one source, open for reading as long as it is referenced. `manifest` is the value passed to its commit."""

    id: str
    manifest: M
    index: NameIndex
    parts: tuple[GenerationPart, ...] = ()


def compute_header_checksum(segment: Path) -> int:
    """The checksum of a segment's header."""
    return zlib.crc32((segment / HEADER).read_bytes())


def write_generation(draft: Path, parts: Sequence[tuple[GenerationPart, Flags | None]], manifest: Mapping[str, Any]) -> None:
    """Write the files of a generation and sync them to disk."""
    _write_manifest(draft, [asdict(_write_part(draft, part, dead)) for part, dead in parts], dict(manifest))


def _write_manifest(folder: Path, parts: list[dict[str, Any]], load: dict[str, Any]) -> None:
    content = {"parts": parts, "load": load}
    write_durably(folder / MANIFEST, json.dumps({**content, "crc32": _compute_checksum(content)}, ensure_ascii=False).encode())


def _write_part(draft: Path, part: GenerationPart, dead: Flags | None) -> GenerationPart:
    if dead is None or not dead.any():
        return GenerationPart(part.segment, part.header)
    packed = np.packbits(dead, bitorder="little").tobytes()
    write_durably(_build_dead_path(draft, part), packed)
    return GenerationPart(part.segment, part.header, int(dead.sum()), zlib.crc32(packed))


def rename_parts(folder: Path, names: Mapping[str, str]) -> None:
    """Rename the segments in the manifest of an imported generation, and sync it.

    Raises `SegmentCorrupt` if the manifest cannot be read, or if it refers to a segment that is not in `names`.
    """
    parts, load = _read_manifest(folder / MANIFEST, f"the manifest for generation {folder.name}")
    if missing := {part.segment for part in parts} - set(names):
        raise SegmentCorrupt(
            Message(
                "{name}: the description has no files of the segments {names}", name=folder.name, names=", ".join(sorted(missing))
            )
        )
    named = [replace(part, segment=names[part.segment]) for part in parts]
    dead = [(old, new) for old, new in zip(parts, named, strict=True) if old.dead > 0]
    try:
        # In two steps: a new name may be another segment's old one.
        for old, _ in dead:
            _build_dead_path(folder, old).rename(folder / f"{old.segment}.moved")
        for old, new in dead:
            (folder / f"{old.segment}.moved").rename(_build_dead_path(folder, new))
    except FileNotFoundError as error:
        raise SegmentCorrupt(Message("{name}: the description does not list all deleted documents", name=folder.name)) from error
    _write_manifest(folder, [asdict(part) for part in named], load)


def read_parts(source: SourceFolder, identity: str) -> list[GenerationPart]:
    """The parts of a generation. Raises `SegmentCorrupt` when its manifest can't be read."""
    return _read_generation_manifest(source, identity)[0]


def open_generation(
    source: SourceFolder,
    identity: str,
    parse: ParseManifest[M],
    open_already: Generation[M] | None = None,
    *,
    verify: bool = True,
) -> Generation[M]:
    """Verify and open a generation. Raises `SegmentCorrupt` if any part is damaged, missing or of another version.

    Segments that are already open are reused, and neither verified nor mapped again. Without `verify`, the checksums of
    the segments' files are not compared (`verify_generation` does that).
    """
    parts, load = _read_generation_manifest(source, identity)
    known = _index_segments(open_already) if open_already is not None else {}
    try:
        manifest = parse(load)
        live = []
        for part in parts:
            segment = known.get((part.segment, part.header))
            if segment is None:
                segment = _open_segment(source, identity, part, verify=verify)
            live.append(_add_deletions(source, identity, part, segment))
    except (OSError, ValueError) as error:
        raise SegmentCorrupt(
            Message("{source}: generation {identity} can’t be opened: {error}", source=source.key, identity=identity, error=error)
        ) from error
    return Generation(identity, manifest, NameIndex(live), tuple(parts))


def _index_segments(generation: Generation[M]) -> dict[tuple[str, int], IndexSegment]:
    parts = zip(generation.parts, generation.index.segments, strict=True)
    return {(part.segment, part.header): live.segment for part, live in parts}


def verify_generation(source: SourceFolder, generation: Generation[M]) -> None:
    """Read all files of a generation's segments and compare their checksums. Raises `SegmentCorrupt` when one is damaged."""
    for part in generation.parts:
        try:
            _check_header(source, generation.id, part)
        except OSError as error:
            raise SegmentCorrupt(
                Message("{source}: generation {id} can’t be read: {error}", source=source.key, id=generation.id, error=error)
            ) from error
        verify_segment_files(source.segments / part.segment)


def _check_header(source: SourceFolder, identity: str, part: GenerationPart) -> None:
    if compute_header_checksum(source.segments / part.segment) != part.header:
        raise SegmentCorrupt(
            Message(
                "{source}: segment {segment} is not the one that generation {identity} was built on",
                source=source.key,
                segment=part.segment,
                identity=identity,
            )
        )


def _open_segment(source: SourceFolder, identity: str, part: GenerationPart, *, verify: bool) -> IndexSegment:
    _check_header(source, identity, part)
    return IndexSegment.open(source.segments / part.segment, verify=verify)


def _add_deletions(source: SourceFolder, identity: str, part: GenerationPart, segment: IndexSegment) -> LiveSegment:
    if part.dead == 0:
        return LiveSegment(segment)
    packed = _build_dead_path(source.generations / identity, part).read_bytes()
    if zlib.crc32(packed) != part.dead_crc32:
        raise SegmentCorrupt(
            Message(
                "{source}: the deleted documents of segment {segment} in generation {identity} are damaged",
                source=source.key,
                segment=part.segment,
                identity=identity,
            )
        )
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), count=len(segment), bitorder="little")
    return LiveSegment(segment, bits.view(np.bool_))


def _read_generation_manifest(source: SourceFolder, identity: str) -> tuple[list[GenerationPart], dict[str, Any]]:
    return _read_manifest(source.generations / identity / MANIFEST, f"{source.key}: the manifest of generation {identity}")


def _read_manifest(path: Path, whose: str) -> tuple[list[GenerationPart], dict[str, Any]]:
    try:
        content = json.loads(path.read_bytes())
        expected = content.pop("crc32")
        parts, load = [GenerationPart(**part) for part in content["parts"]], content["load"]
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise SegmentCorrupt(Message("{whose} can’t be read: {error}", whose=whose, error=error)) from error
    if expected != _compute_checksum(content) or not parts:
        raise SegmentCorrupt(Message("{whose} is damaged", whose=whose))
    return parts, load


def _compute_checksum(content: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(content, sort_keys=True).encode())


def _build_dead_path(folder: Path, part: GenerationPart) -> Path:
    return folder / f"{part.segment}.dead"
