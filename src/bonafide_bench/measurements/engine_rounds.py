"""Measure engines in rounds: in each round, every engine runs every query.

The fastest run of each query counts. The queries are prepared by the caller.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from bonafide_bench.datasets.name_queries import CorruptedQuery
from bonafide_bench.engines.catalog import ENGINES, EngineName
from bonafide_bench.engines.engine import EngineMaterial, EngineUnavailable
from bonafide_bench.harness.process_memory import ResidentMemory
from bonafide_bench.measurements.engine_processes import EngineAnswer, EngineProcessFailed, OpenEngineProcess
from bonafide_bench.measurements.figures import IndexEngineFigures, LatencyFigures, QuerySetFigures

WARMING = 100
OnStep = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class QuerySets:
    """The queries for one size: query sets by name, hostile queries and prefixes by category."""

    sets: Mapping[str, Sequence[CorruptedQuery]]
    hostile: Mapping[str, Sequence[str]]
    prefixes: Mapping[str, Sequence[str]]


@dataclass(slots=True)
class _Runner:
    """An engine under measurement, and its best results so far."""

    name: EngineName
    engine: OpenEngineProcess
    questions: QuerySets
    resident: ResidentMemory | None = None
    sets: dict[str, list[EngineAnswer]] = field(default_factory=dict)
    hostile: dict[str, list[int]] = field(default_factory=dict)
    prefixes: dict[str, list[int]] = field(default_factory=dict)

    def run(self) -> None:
        """Run one round."""
        for name, probes in self.questions.sets.items():
            texts = [probe.text for probe in self._some(probes)]
            if name not in self.sets:
                self.engine.find(texts[:WARMING])
            answers = self.engine.find(texts)
            pairs = zip(answers, self.sets.get(name, answers), strict=True)
            self.sets[name] = [min(pair, key=lambda answer: answer.ns) for pair in pairs]
        self.resident = self.resident or self.engine.resident()
        if ENGINES[self.name].most_queries is None:
            for category, queries in self.questions.hostile.items():
                _keep_least(self.hostile, category, [answer.ns for answer in self.engine.find(queries)])
        if self.name is EngineName.INDEX:
            for category, prefixes in self.questions.prefixes.items():
                _keep_least(self.prefixes, category, self.engine.complete(prefixes))

    def figures(self) -> IndexEngineFigures:
        """The figures over all rounds."""
        return IndexEngineFigures(
            self.name,
            opened_s=self.engine.opened_s,
            resident_before=self.engine.before,
            resident=self.resident,
            sets={
                name: QuerySetFigures.of(self._some(self.questions.sets[name]), answers)
                for name, answers in self.sets.items()
                if answers
            },
            hostile={category: LatencyFigures.of(taken) for category, taken in self.hostile.items()},
            typeahead={category: LatencyFigures.of(taken) for category, taken in self.prefixes.items()},
        )

    def _some(self, probes: Sequence[CorruptedQuery]) -> Sequence[CorruptedQuery]:
        return probes[: ENGINES[self.name].most_queries]


def _keep_least(kept: dict[str, list[int]], category: str, taken: list[int]) -> None:
    kept[category] = list(map(min, taken, kept.get(category, taken)))


def measure_engines(
    materials: Mapping[EngineName, EngineMaterial], questions: QuerySets, rounds: int, told: OnStep
) -> dict[EngineName, IndexEngineFigures]:
    """Open every engine and run all queries in `rounds` rounds; a failed engine gets the reason instead of figures."""
    found: dict[EngineName, IndexEngineFigures] = {}
    with ExitStack() as stack:
        runners = [
            runner for name, material in materials.items() if (runner := _open_runner(stack, name, material, questions, found))
        ]
        for number in range(1, rounds + 1):
            for runner in [runner for runner in runners if runner.name not in found]:
                if number > 1 and ENGINES[runner.name].most_queries is not None:
                    continue  # slow engines run once
                told(f"round {number}, {runner.name}")
                with _record_failure(runner.name, found):
                    runner.run()
        return {**{runner.name: runner.figures() for runner in runners}, **found}


def _open_runner(
    stack: ExitStack, name: EngineName, material: EngineMaterial, questions: QuerySets, found: dict[EngineName, IndexEngineFigures]
) -> _Runner | None:
    with _record_failure(name, found):
        return _Runner(name, stack.enter_context(OpenEngineProcess(name, material)), questions)
    return None


@contextmanager
def _record_failure(name: EngineName, found: dict[EngineName, IndexEngineFigures]) -> Iterator[None]:
    try:
        yield
    except (EngineUnavailable, EngineProcessFailed) as error:
        found[name] = IndexEngineFigures(name, missing=str(error))
