"""Quebec's archive brought in as `bonafide sync qc --file` does it: it is found, and nothing bad replaces what is good."""

import csv
import io
import shutil
import zipfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ParseFailed, RefreshRefused
from bonafide.model.accounts.organizations import World
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadRecord
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import FileImport, LoadRequest, get_current_load, load_source
from bonafide_sandbox.generator.businesses import create_block
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.generator.registers import list_indices
from bonafide_sandbox.writers.registries.qc import QuebecWriter
from tests.support.services.loading import source_state
from tests.support.services.runtimes import clock_of

pytestmark = pytest.mark.anyio
BOULANGERIE = "1160000017"
Damage = Callable[[Path], None]


@pytest.fixture
async def fetcher(empty_runtime: Runtime) -> AsyncIterator[Fetcher]:
    opened = Fetcher(empty_runtime.settings, empty_runtime.clock, sandbox="http://127.0.0.1:9")
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four hundred made-up enterprises and the fixed one, as the publisher packs them."""
    folder = tmp_path_factory.mktemp("quebec")
    writer = QuebecWriter(folder)
    for business in [fixed.business for fixed in KNOWN_BUSINESSES if fixed.business.register == "QC"]:
        writer.take(business)
    for business in create_block(1867, list_indices(Jurisdiction.QC, 0, 2)):
        writer.take(business)
    writer.close()
    return folder / writer.targets[0].path


async def load(runtime: Runtime, fetcher: Fetcher, path: Path) -> LoadRecord:
    # Runs of one instant have no order.
    clock_of(runtime).advance(seconds=1)
    return await load_source(runtime, fetcher, LoadRequest(runtime.sources["qc"], World.LIVE, FileImport((path,))))


async def test_an_archive_is_loaded_and_its_enterprises_are_found(empty_runtime: Runtime, fetcher: Fetcher, archive: Path) -> None:
    record = await load(empty_runtime, fetcher, archive)
    assert (record.entries, record.rejected, record.unknown_terms) == (411, 0, {})
    assert record.rows == record.entries + record.merged
    assert record.notes[0].startswith("CC BY-NC-SA 4.0: Commercial use is prohibited")
    generation = empty_runtime.generations[World.LIVE].current("qc")
    assert generation is not None
    assert len(generation.index.lookup(BOULANGERIE)) == 1
    assert len(generation.index.lookup("1160 000 017")) == 1


def halved(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def repacked(name: str, change: Callable[[bytes], bytes]) -> Damage:
    """One file of the archive is another."""

    def repack(path: Path) -> None:
        with zipfile.ZipFile(path) as old:
            files = {member: old.read(member) for member in old.namelist()}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
            for member, content in files.items():
                new.writestr(member, change(content) if member == name else content)

    return repack


def first_half(content: bytes) -> bytes:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows[: len(rows) // 2])
    return out.getvalue().encode()


@dataclass(frozen=True, slots=True)
class Bad:
    """What is wrong with an archive, and what is said of it."""

    damage: Damage
    error: type[BonafideError]
    reason: str


BAD = {
    "half an archive": Bad(halved, ParseFailed, "not a readable ZIP file"),
    "a changed header": Bad(
        repacked("Nom.csv", lambda content: content.replace(b"STAT_NOM", b"ETAT_NOM", 1)),
        ParseFailed,
        "missing columns: STAT_NOM; unknown columns: ETAT_NOM",
    ),
    "another encoding": Bad(
        repacked("Nom.csv", lambda content: content.decode("utf-8-sig").encode("latin-1", "replace")), ParseFailed, "not utf-8-sig"
    ),
    "half the names": Bad(repacked("Nom.csv", first_half), RefreshRefused, "could not be read"),
    "half the enterprises": Bad(repacked("Entreprise.csv", first_half), RefreshRefused, "the last load had 411"),
}


@pytest.mark.parametrize("case", BAD)
async def test_what_is_loaded_stays_when_the_next_archive_is_bad(
    empty_runtime: Runtime, fetcher: Fetcher, archive: Path, tmp_path: Path, case: str
) -> None:
    good = await load(empty_runtime, fetcher, archive)
    bad, path = BAD[case], tmp_path / "next.zip"
    shutil.copyfile(archive, path)
    bad.damage(path)
    with pytest.raises(bad.error, match=bad.reason):
        await load(empty_runtime, fetcher, path)
    source = empty_runtime.sources["qc"]
    assert get_current_load(empty_runtime, World.LIVE, source) == good
    state = await source_state(empty_runtime, World.LIVE, source)
    assert (state.state, state.entries) == ("failed", 411)
    assert bad.reason in str(state.note)
