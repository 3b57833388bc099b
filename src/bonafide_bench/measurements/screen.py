"""`bonafide bench screen`: cost of screening one name, with a full rapidfuzz scan of the same names as baseline.

The listed parties and the names are generated (`screening_names`). Nothing is asserted.
"""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from os import getpid
from time import perf_counter, perf_counter_ns
from typing import Any

from rapidfuzz import fuzz, process, utils

from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.party_matching import ListedNameComparator, ScreenedParty, UnreadListedEntity, rank_parties
from bonafide.matching.screening.screening_index import ScreeningIndex, build_indexed_party
from bonafide.model.entry import ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide_bench.datasets.screening_names import ScreeningProbe, create_parties, create_party_sets, create_probes
from bonafide_bench.harness.process_memory import read_resident_memory

OWN = "bonafide, explained"
PARTY_SETS = 100
"""The number of businesses whose people are screened."""
PEOPLE_OF_A_BUSINESS = 12
SCANNED_NAMES = 200
"""The number of names that the slow full scans screen."""
_MS, _S = 1e6, 1e9
_MIB = 2**20
OnCountProgress = Callable[[int, int], None]
"""Progress callback: names screened, and their total."""
ScreenProbe = Callable[[ScreeningProbe], bool]
"""Screens a name: returns whether the expected party was found or, for an unlisted name, whether any party was."""


@dataclass(frozen=True, slots=True)
class ScreeningEngineFigures:
    """One engine: milliseconds per name, names per second on one core, recall and false positive rate.

    `found` is the share of listed names whose party was matched, `alarms` the share of unlisted names with any match.
    """

    engine: str
    asked: int
    median_ms: float
    p95_ms: float
    per_second: float
    found: float
    alarms: float


@dataclass(frozen=True, slots=True)
class ScreenReport:
    """One run: parties and names, seconds to load them, their memory, figures by engine, and those of the product by kind.

    `party_set_ms` and `party_set_p95_ms` are the milliseconds to screen the twelve people of one business.
    """

    parties: int
    names: int
    built_s: float
    memory_mib: float | None
    threshold: float
    engines: tuple[ScreeningEngineFigures, ...]
    kinds: Mapping[str, float]
    party_set_ms: float
    party_set_p95_ms: float


@dataclass(slots=True)
class _EngineRun:
    """The run of one engine: the probes, and the duration in nanoseconds and result of each."""

    probes: list[ScreeningProbe] = field(default_factory=list)
    ns: list[int] = field(default_factory=list)
    said: list[bool] = field(default_factory=list)

    def ask(self, probe: ScreeningProbe, ask: ScreenProbe) -> None:
        started = perf_counter_ns()
        said = ask(probe)
        self.ns.append(perf_counter_ns() - started)
        self.probes.append(probe)
        self.said.append(said)

    def share(self, wanted: Callable[[ScreeningProbe], bool]) -> float:
        """The share of the selected probes with a positive result."""
        said = [said for probe, said in zip(self.probes, self.said, strict=True) if wanted(probe)]
        return sum(said) / max(len(said), 1)

    def figures(self, engine: str) -> ScreeningEngineFigures:
        return ScreeningEngineFigures(
            engine=engine,
            asked=len(self.ns),
            median_ms=statistics.median(self.ns) / _MS,
            p95_ms=statistics.quantiles(self.ns, n=20)[-1] / _MS,
            per_second=_S / statistics.mean(self.ns),
            found=self.share(lambda probe: probe.party is not None),
            alarms=self.share(lambda probe: probe.party is None),
        )


def measure_screening(names: int, queries: int, threshold: float, told: OnCountProgress) -> ScreenReport:
    """Generate the parties and screen each name with every engine in turn, so that all run under the same conditions."""
    entries = create_parties(names)
    payloads = [entry.model_dump_json(exclude_defaults=True).encode() for entry in entries]
    before, started = read_resident_memory(getpid()), perf_counter()
    roll = ScreeningIndex([build_indexed_party(entry.entity_type, entry.list_search_names(), ()) for entry in entries])
    built_s, after = perf_counter() - started, read_resident_memory(getpid())
    taken = _run_engines(_create_engines(roll, payloads, entries, threshold), create_probes(entries, queries), told)
    own = taken[OWN]
    sets = _time_party_sets(roll, payloads, threshold)
    return ScreenReport(
        parties=len(entries),
        names=roll.name_count,
        built_s=built_s,
        memory_mib=(after.anonymous - before.anonymous) / _MIB if before is not None and after is not None else None,
        threshold=threshold,
        engines=tuple(one.figures(name) for name, one in taken.items()),
        kinds={kind: _compute_kind_share(own, kind) for kind in dict.fromkeys(probe.kind for probe in own.probes)},
        party_set_ms=statistics.median(sets) / _MS,
        party_set_p95_ms=statistics.quantiles(sets, n=20)[-1] / _MS,
    )


def _time_party_sets(roll: ScreeningIndex, payloads: Sequence[bytes], threshold: float) -> list[int]:
    """The nanoseconds to screen the people of each business."""
    taken = []
    for names in create_party_sets(PARTY_SETS, PEOPLE_OF_A_BUSINESS):
        started = perf_counter_ns()
        for name in names:
            screen_name(roll, payloads, name, threshold)
        taken.append(perf_counter_ns() - started)
    return taken


def _compute_kind_share(taken: _EngineRun, kind: str) -> float:
    return taken.share(lambda probe: probe.kind == kind)


def _run_engines(
    engines: Mapping[str, ScreenProbe], probes: Sequence[ScreeningProbe], told: OnCountProgress
) -> dict[str, _EngineRun]:
    taken = {name: _EngineRun() for name in engines}
    for done, probe in enumerate(probes, start=1):
        for name, ask in engines.items():
            if name == OWN or done <= SCANNED_NAMES:
                taken[name].ask(probe, ask)
        told(done, len(probes))
    return taken


def _create_engines(
    roll: ScreeningIndex, payloads: Sequence[bytes], entries: Sequence[ListedEntity], threshold: float
) -> dict[str, ScreenProbe]:
    texts = [(place, text) for place, entry in enumerate(entries) for text in entry.list_search_names()]
    owners = [place for place, _ in texts]
    choices = [utils.default_process(text) for _, text in texts]
    return {
        OWN: lambda probe: _is_right(probe, screen_name(roll, payloads, probe.text, threshold)),
        "rapidfuzz token_sort_ratio": lambda probe: _scan(probe, choices, owners, fuzz.token_sort_ratio, threshold),
        "rapidfuzz WRatio": lambda probe: _scan(probe, choices, owners, fuzz.WRatio, threshold),
    }


def screen_name(roll: ScreeningIndex, payloads: Sequence[bytes], name: str, threshold: float) -> list[ScreenedParty]:
    """Screen a name as the service does: find candidates, parse the entries of the similar ones, score and explain."""
    subject = parse_subject(ScreeningSubject(name))
    parties = (
        UnreadListedEntity(
            roll.parties[one.place].kind,
            roll.parties[one.place].names,
            one.likely,
            partial(ListedEntity.model_validate_json, payloads[one.place]),
        )
        for one in roll.find(subject, threshold)
    )
    return rank_parties(ListedNameComparator(subject), parties, floor=threshold)


def _is_right(probe: ScreeningProbe, ranked: Sequence[ScreenedParty]) -> bool:
    return bool(ranked) if probe.party is None else str(probe.party) in {listing.entry.entry_id for listing in ranked}


def _scan(probe: ScreeningProbe, choices: Sequence[str], owners: Sequence[int], scorer: Any, threshold: float) -> bool:
    found = process.extract(utils.default_process(probe.text), choices, scorer=scorer, limit=None, score_cutoff=100 * threshold)
    return bool(found) if probe.party is None else probe.party in {owners[place] for _, _, place in found}
