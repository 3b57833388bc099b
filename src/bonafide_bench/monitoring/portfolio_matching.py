"""`bonafide bench monitor`: cost of matching all monitored parties against the changes of sanctions lists, and what is found.

Each process reads the changed parties and screens its share of the monitored ones, as workers do with the chunks of a run.
"""

import resource
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from bonafide.index import Generation, GenerationStore
from bonafide.index.generations.entry_changes import pack_hashes
from bonafide.index.search.name_index import DocumentHashes
from bonafide.matching.scoring.word_rarity import STATIC_RARITY
from bonafide.matching.screening.screening_index import ScreeningIndex, build_indexed_party
from bonafide.model.entry import ListedEntity
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.monitoring.evaluations import WatchedParties, WatchedParty
from bonafide.services.indexing.index_documents import build_index_document
from bonafide.services.monitoring.changed_parties import ChangedParties, ListState
from bonafide_bench.datasets.screening_names import create_parties, create_probes
from bonafide_bench.measurements.screen import screen_name
from bonafide_sandbox.generator.businesses import create_unregistered
from bonafide_sandbox.world.builder import DEFAULT_SEED

_LIST = "made-up-list"
_KIB_PER_MIB = 1024
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class MonitorPlan:
    """The size of a measurement: monitored parties, listed names, changed entries, planted names, processes and threshold."""

    parties: int
    listed_names: int
    changed: int
    planted: int
    processes: int
    threshold: float


@dataclass(frozen=True, slots=True)
class ShareFigures:
    """What one process took and found: seconds, seconds of processor time, peak memory, and numbers of records."""

    records: int
    parties: int
    built_s: float
    matched_s: float
    cpu_s: float
    peak_mib: float
    found: tuple[int, ...]
    """The planted names whose records were selected."""
    others: int
    """Selected records without a planted name."""


@dataclass(frozen=True, slots=True)
class MonitorReport:
    """The measurement of all processes together. `expected` planted names are hits of an ordinary screening of the whole list."""

    parties: int
    records: int
    listed: int
    changed: int
    processes: int
    built_s: float
    matched_s: float
    cpu_s: float
    peak_mib: float
    planted: int
    expected: int
    found: int
    others: int

    @property
    def missed(self) -> int:
        """Planted changes that an ordinary screening finds and that were not found."""
        return self.expected - self.found


def measure_monitoring(plan: MonitorPlan) -> MonitorReport:
    """Match the monitored parties in the given number of processes, and compare what they find with ordinary screenings."""
    with ProcessPoolExecutor(plan.processes, get_context("spawn")) as pool:
        shares = list(pool.map(_match_share, [plan] * plan.processes, range(plan.processes)))
    listed = create_parties(plan.listed_names)
    expected = set(_list_expected(plan, listed))
    found = {place for share in shares for place in share.found}
    return MonitorReport(
        parties=sum(share.parties for share in shares),
        records=sum(share.records for share in shares),
        listed=len(listed),
        changed=min(plan.changed, len(listed)),
        processes=plan.processes,
        built_s=max(share.built_s for share in shares),
        matched_s=max(share.matched_s for share in shares),
        cpu_s=sum(share.cpu_s for share in shares),
        peak_mib=max(share.peak_mib for share in shares),
        planted=plan.planted,
        expected=len(expected),
        found=len(found & expected),
        others=sum(share.others for share in shares),
    )


def _list_planted(plan: MonitorPlan, listed: Sequence[ListedEntity]) -> list[str]:
    """Disturbed names of changed entries."""
    probes = create_probes(listed[: plan.changed], 2 * plan.planted)
    return [probe.text for probe in probes if probe.party is not None][: plan.planted]


def _list_expected(plan: MonitorPlan, listed: Sequence[ListedEntity]) -> Iterator[int]:
    """The planted names that an ordinary screening against the whole list finds to be a changed entry."""
    payloads = [entry.model_dump_json(exclude_defaults=True).encode() for entry in listed]
    roll = ScreeningIndex([build_indexed_party(entry.entity_type, entry.list_search_names(), ()) for entry in listed])
    for place, name in enumerate(_list_planted(plan, listed)):
        hits = screen_name(roll, payloads, name, plan.threshold)
        if any(int(hit.entry.entry_id) < plan.changed for hit in hits):
            yield place


def _match_share(plan: MonitorPlan, share: int) -> ShareFigures:
    listed = create_parties(plan.listed_names)
    planted = _list_planted(plan, listed)
    with tempfile.TemporaryDirectory() as folder:
        generation = _load(Path(folder), listed)
        started = perf_counter()
        changed = ChangedParties({_LIST: ListState(generation, _pack_unchanged(generation, plan.changed))})
        built_s = perf_counter() - started
        del listed
        return _match_records(plan, share, planted, changed, built_s)


def _match_records(plan: MonitorPlan, share: int, planted: Sequence[str], changed: ChangedParties, built_s: float) -> ShareFigures:
    records = parties = others = 0
    matched_s = cpu_s = 0.0
    found: list[int] = []
    own = list(range(share, len(planted), plan.processes))
    source = _create_records(plan.parties // plan.processes, share, [planted[place] for place in own])
    while batch := list(islice(source, _BATCH)):
        started, cpu = perf_counter(), process_time()
        selected = [
            place
            for text, place in batch
            if changed.is_hit_by_any(WatchedParties.model_validate_json(text).parties, plan.threshold, STATIC_RARITY)
        ]
        matched_s += perf_counter() - started
        cpu_s += process_time() - cpu
        records += len(batch)
        parties += sum(text.count('"name"') for text, _ in batch)
        found += [own[place] for place in selected if place is not None]
        others += sum(place is None for place in selected)
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB_PER_MIB
    return ShareFigures(records, parties, built_s, matched_s, cpu_s, peak_mib, tuple(found), others)


def _create_records(parties: int, share: int, planted: Sequence[str]) -> Iterator[tuple[str, int | None]]:
    """Monitored records as they are stored, and which planted name each has; None for most."""
    every = max(parties // max(len(planted), 1) // 4, 1)
    count = number = 0
    for business in create_unregistered(DEFAULT_SEED + share, Jurisdiction.ON):
        names = [business.name, *(officer.name for officer in business.people)]
        place = number // every if number % every == 0 and number // every < len(planted) else None
        if place is not None:
            names.append(planted[place])
        yield WatchedParties(parties=tuple(WatchedParty(name=name) for name in names)).to_json(), place
        count, number = count + len(names), number + 1
        if count >= parties and number // every >= len(planted):
            return


def _load(folder: Path, listed: Sequence[ListedEntity]) -> Generation[Any]:
    store: GenerationStore[Any] = GenerationStore(folder, lambda manifest: manifest)
    draft = store.begin(_LIST)
    draft.write(lambda: map(build_index_document, listed))
    draft.commit({})
    generation = store.current(_LIST)
    assert generation is not None  # noqa: S101 - it has just been committed
    return generation


def _pack_unchanged(generation: Generation[Any], changed: int) -> bytes:
    """The hashes of all entries but the first ones, which are new."""
    hashes = generation.index.document_hashes()
    kept = np.arange(len(hashes.documents)) >= changed
    return pack_hashes(DocumentHashes(hashes.documents[kept], hashes.keys[kept], hashes.contents[kept]))
