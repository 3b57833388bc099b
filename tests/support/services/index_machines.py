"""Machines that share an index: each a data directory of its own, one database, one place for objects."""

from dataclasses import dataclass, replace
from pathlib import Path

from obstore.store import LocalStore, S3Store

from bonafide.index import Generation, GenerationStore
from bonafide.index.generations.writer import CompactionPolicy
from bonafide.model.accounts.organizations import World
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadRecord
from bonafide.runtime import IndexSyncState, Runtime, build_combined_index_stores
from bonafide.services.indexing.distribution import build_exclusively, is_behind, pull_generation, read_pulled_state
from bonafide.services.indexing.index_sync import sync_once
from bonafide.store.blobs.object_store import ContentAddressedStore
from bonafide.store.blobs.storage import open_storage
from bonafide.store.database.engine import Store
from bonafide.store.records import source_rows
from bonafide.store.records.source_rows import PublishedGeneration
from tests.support.services.loading import put
from tests.support.services.runtimes import ManualClock, runtime_over

LIVE = World.LIVE
KEY = "qc"
SMALL = CompactionPolicy(share=0.8, deltas=4, smallest_base=2)
"""Deltas for registers of a few documents."""
Place = tuple[str, dict[str, str]]
"""The address of objects, with its options."""


def named(name: str) -> RegistryEntry:
    return RegistryEntry(entry_id=name, jurisdiction=Jurisdiction.QC, legal_name=name, status_code=StatusCode.ACTIVE)


class Counted(ContentAddressedStore):
    """Objects that know how much has gone through them, in bytes."""

    def __init__(self, storage: LocalStore | S3Store) -> None:
        super().__init__(storage)
        self.fetched: list[int] = []
        self.sent: list[int] = []

    async def get_file(self, place: str, name: str, path: Path) -> None:
        await super().get_file(place, name, path)
        self.fetched.append(_size(path))

    async def put_file(self, place: str, name: str, path: Path, size: int) -> None:
        await super().put_file(place, name, path, size)
        self.sent.append(size)


def _size(path: Path) -> int:
    return path.stat().st_size


@dataclass
class Machine:
    """One of them, over one source."""

    runtime: Runtime
    objects: Counted

    @property
    def home(self) -> Path:
        return self.runtime.generations[LIVE].root / KEY

    async def builds(self, *names: str, key: str = KEY) -> None:
        """Load a register of these names, as a worker does."""
        async with build_exclusively(self.runtime, LIVE, key):
            self.loads(*names, key=key)

    def loads(self, *names: str, key: str = KEY) -> None:
        """Load it and tell nobody."""
        put(self.runtime, key, [named(name) for name in names], whole=False)

    async def follows(self) -> None:
        await sync_once(self.runtime)

    async def takes(self) -> bool:
        row = await self.published()
        assert row is not None
        return await pull_generation(self.runtime, LIVE, KEY, row)

    async def published(self) -> PublishedGeneration | None:
        async with self.runtime.store.read() as connection:
            return await source_rows.get_published(connection, LIVE, KEY)

    async def is_behind(self) -> bool:
        return is_behind(self.runtime, LIVE, KEY, await self.published())

    @property
    def sequence(self) -> int:
        return read_pulled_state(self.runtime, LIVE, KEY).sequence

    def names(self, key: str = KEY) -> list[str]:
        """What this process serves, which is what one that starts now would."""
        served = names_in(self.runtime.generations[LIVE], key)
        assert served == names_in(generations_of(self.runtime.settings.data_dir), key)
        return served

    def litter(self) -> list[str]:
        """Drafts and other files that nobody wants."""
        found = self.runtime.settings.data_dir.rglob("*")
        return [str(path) for path in found if path.suffix in {".draft", ".new", ".moved"} or path.name.startswith(".draft")]


def objects_at(place: Place) -> Counted:
    address, options = place
    return Counted(open_storage(address, options))


def machine(store: Store, data_dir: Path, clock: ManualClock, objects: Counted, upkeep: CompactionPolicy = SMALL) -> Machine:
    """A machine, with an empty data directory where there was none."""
    data_dir.mkdir(exist_ok=True)
    runtime = replace(
        runtime_over(store, data_dir, clock),
        generations={LIVE: generations_of(data_dir, upkeep)},
        combined_indexes=build_combined_index_stores(data_dir),
        index_sync=IndexSyncState(objects, data_dir.name),
    )
    return Machine(runtime, objects)


def generations_of(data_dir: Path, upkeep: CompactionPolicy = SMALL) -> GenerationStore[LoadRecord]:
    return GenerationStore(data_dir / "index" / LIVE, LoadRecord.from_manifest, upkeep)


def names_in(generations: GenerationStore[LoadRecord], key: str) -> list[str]:
    generation = generations.current(key)
    return names_of(generation) if generation is not None else []


def names_of(generation: Generation[LoadRecord]) -> list[str]:
    index = generation.index
    return sorted(RegistryEntry.model_validate_json(index.payload(number)).legal_name for number in index.documents())


def objects_in(place: Place, world: World = LIVE, key: str = KEY) -> Path:
    """The folder of a source's objects, where they are in a folder."""
    return Path(place[0].removeprefix("file://")) / world / key
