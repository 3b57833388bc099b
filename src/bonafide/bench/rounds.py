"""Engines measured in turns: each is asked everything, then the next, then the first again, so that all feel the machine's moods.

Of each query the quickest of the rounds counts. Which queries there are is decided before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from bonafide.bench.engines.base import Material, Missing
from bonafide.bench.engines.choice import CHOICES, EngineName
from bonafide.bench.figures import EngineFigures, SetFigures, Times
from bonafide.bench.memory import Resident
from bonafide.bench.queries import Probe
from bonafide.bench.workers import Answer, OpenEngine, WorkerFailed

WARMING = 100
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Questions:
    """All that engines are asked at a size: sets of queries by name, hostile queries and prefixes by category."""

    sets: Mapping[str, Sequence[Probe]]
    hostile: Mapping[str, Sequence[str]]
    prefixes: Mapping[str, Sequence[str]]


@dataclass(slots=True)
class _Runner:
    """An engine that is being measured, and the best of its answers so far."""

    name: EngineName
    engine: OpenEngine
    questions: Questions
    resident: Resident | None = None
    sets: dict[str, list[Answer]] = field(default_factory=dict)
    hostile: dict[str, list[int]] = field(default_factory=dict)
    prefixes: dict[str, list[int]] = field(default_factory=dict)

    def run(self) -> None:
        """One round."""
        for name, probes in self.questions.sets.items():
            texts = [probe.text for probe in self._some(probes)]
            if name not in self.sets:
                self.engine.find(texts[:WARMING])
            answers = self.engine.find(texts)
            pairs = zip(answers, self.sets.get(name, answers), strict=True)
            self.sets[name] = [min(pair, key=lambda answer: answer.ns) for pair in pairs]
        self.resident = self.resident or self.engine.resident()
        if CHOICES[self.name].most_queries is None:
            for category, queries in self.questions.hostile.items():
                _keep_least(self.hostile, category, [answer.ns for answer in self.engine.find(queries)])
        if self.name is EngineName.INDEX:
            for category, prefixes in self.questions.prefixes.items():
                _keep_least(self.prefixes, category, self.engine.complete(prefixes))

    def figures(self) -> EngineFigures:
        """What came of all rounds."""
        return EngineFigures(
            self.name,
            opened_s=self.engine.opened_s,
            resident_before=self.engine.before,
            resident=self.resident,
            sets={
                name: SetFigures.of(self._some(self.questions.sets[name]), answers)
                for name, answers in self.sets.items()
                if answers
            },
            hostile={category: Times.of(taken) for category, taken in self.hostile.items()},
            typeahead={category: Times.of(taken) for category, taken in self.prefixes.items()},
        )

    def _some(self, probes: Sequence[Probe]) -> Sequence[Probe]:
        return probes[: CHOICES[self.name].most_queries]


def _keep_least(kept: dict[str, list[int]], category: str, taken: list[int]) -> None:
    kept[category] = list(map(min, taken, kept.get(category, taken)))


def measure(
    materials: Mapping[EngineName, Material], questions: Questions, rounds: int, told: Told
) -> dict[EngineName, EngineFigures]:
    """Open every engine and ask it everything in so many rounds; what fails has its reason for figures."""
    found: dict[EngineName, EngineFigures] = {}
    with ExitStack() as stack:
        runners = [runner for name, material in materials.items() if (runner := _opened(stack, name, material, questions, found))]
        for number in range(1, rounds + 1):
            for runner in [runner for runner in runners if runner.name not in found]:
                if number > 1 and CHOICES[runner.name].most_queries is not None:
                    continue  # the slow ones are asked once
                told(f"round {number}, {runner.name}")
                with _failing_alone(runner.name, found):
                    runner.run()
        return {**{runner.name: runner.figures() for runner in runners}, **found}


def _opened(
    stack: ExitStack, name: EngineName, material: Material, questions: Questions, found: dict[EngineName, EngineFigures]
) -> _Runner | None:
    with _failing_alone(name, found):
        return _Runner(name, stack.enter_context(OpenEngine(name, material)), questions)
    return None


@contextmanager
def _failing_alone(name: EngineName, found: dict[EngineName, EngineFigures]) -> Iterator[None]:
    try:
        yield
    except (Missing, WorkerFailed) as error:
        found[name] = EngineFigures(name, missing=str(error))
