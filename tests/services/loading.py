"""Entries of a test's own making, put in the place of a source's load."""

from collections.abc import Sequence

from bonafide.model.accounts.organizations import World
from bonafide.model.entry import AnyEntry
from bonafide.model.loading.loads import LoadRecord, LoadStorage
from bonafide.runtime import Runtime
from bonafide.services.indexing.documents import build_index_document

NOTHING_STORED = LoadStorage(added=0, changed=0, removed=0, written=0, segments=1)


def put(runtime: Runtime, key: str, entries: Sequence[AnyEntry], world: World = World.LIVE, *, whole: bool = True) -> None:
    """Make these the entries of a source."""
    draft = runtime.generations[world].begin(key)
    draft.write(lambda: map(build_index_document, entries), whole=whole)
    draft.commit(_record(runtime, key, world, len(entries)).model_dump(mode="json", by_alias=True))


def _record(runtime: Runtime, key: str, world: World, count: int) -> LoadRecord:
    return LoadRecord(
        source=key,
        kind=runtime.sources[key].metadata.kind,
        world=world,
        loaded_at=runtime.clock(),
        retrieved_at=runtime.clock(),
        as_of=None,
        files=(),
        rows=count,
        entries=count,
        merged=0,
        rejected=0,
        reasons={},
        rejections=(),
        unknown_terms={},
        notes=(),
        stored=NOTHING_STORED,
    )
