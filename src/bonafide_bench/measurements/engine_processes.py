"""Run each engine in a separate process, with its own memory, cores and caches.

A worker executes commands and returns their durations. `engine_rounds` decides the commands and their order.
"""

import gc
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import perf_counter, perf_counter_ns
from types import TracebackType
from typing import Any, Self, cast

from bonafide_bench.engines.catalog import ENGINES, EngineName
from bonafide_bench.engines.engine import CompletionEngine, EngineMaterial, EngineUnavailable, SearchEngine
from bonafide_bench.harness.core_use import pin_to_cores
from bonafide_bench.harness.process_memory import PeakMemory, ResidentMemory, read_resident_memory

_CONTEXT = get_context("spawn")
"""Spawned, because a forked worker would inherit its parent's memory."""
BEST = 20
"""The number of top records from which recall is computed."""


class EngineProcessFailed(Exception):
    """A worker failed or was killed, for example when it ran out of memory."""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The duration of a query, and its best records."""

    ns: int
    records: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BuildCost:
    """The cost of a build: wall time, CPU time of all processes, and their peak memory."""

    wall_s: float
    cpu_s: float
    peak: int | None


def build_in_process(name: EngineName, material: EngineMaterial, cores: int) -> BuildCost:
    """Build an engine's files on `cores` cores. Raises `EngineUnavailable` or `EngineProcessFailed`."""
    with EngineProcess(_build, name, material, cores) as worker, PeakMemory(worker.pid) as memory:
        wall_s, cpu_s, own_peak = worker.result()
    return BuildCost(wall_s, cpu_s, max(filter(None, (own_peak, memory.peak))))


class EngineProcess:
    """A process that calls `work` with a connection and the arguments."""

    def __init__(self, work: Callable[..., None], *arguments: object) -> None:
        self._connection, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_run_guarded, args=(work, theirs, *arguments), daemon=False)
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process.pid is not None  # noqa: S101 - it has been started
        return self._process.pid

    def ask(self, question: object) -> Any:
        """Send a command and wait for its result."""
        self._connection.send(question)
        return self.result()

    def result(self) -> Any:
        """Wait for the next result. Raises the worker's exception as `EngineUnavailable` or `EngineProcessFailed`."""
        try:
            answer = self._connection.recv()
        except EOFError:
            self._process.join()
            raise EngineProcessFailed(f"its process ended with status {self._process.exitcode}") from None
        if isinstance(answer, Exception):
            self._process.join()
            raise answer
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None) -> None:
        self._connection.close()
        if error is not None:
            self._process.terminate()
        self._process.join()


class OpenEngineProcess(EngineProcess):
    """An engine opened in a worker on one core; `before` is the worker's memory after the imports only."""

    def __init__(self, name: EngineName, material: EngineMaterial) -> None:
        super().__init__(_serve, name, material)
        self.result()
        self.before = read_resident_memory(self.pid)
        self.opened_s = cast("float", self.ask("open"))

    def find(self, texts: Sequence[str]) -> list[EngineAnswer]:
        """Run each query in turn."""
        return cast("list[EngineAnswer]", self.ask(("find", tuple(texts))))

    def complete(self, prefixes: Sequence[str]) -> list[int]:
        """Complete each prefix in turn; returns the durations in nanoseconds."""
        return cast("list[int]", self.ask(("complete", tuple(prefixes))))

    def resident(self) -> ResidentMemory | None:
        """The current resident memory of the worker."""
        return read_resident_memory(self.pid)


# ------------------------------------------------------------------------------------------------------- in the worker


def _run_guarded(work: Callable[..., None], connection: Connection, *arguments: object) -> None:
    try:
        work(connection, *arguments)
    except (EOFError, BrokenPipeError):
        return
    except EngineUnavailable as error:
        connection.send(error)
    except Exception as error:  # noqa: BLE001 - sent to the parent process
        connection.send(EngineProcessFailed(f"{type(error).__name__}: {error}"))


def _build(connection: Connection, name: EngineName, material: EngineMaterial, cores: int) -> None:
    files = ENGINES[name].files
    assert files is not None  # noqa: S101 - only engines with files are built
    pin_to_cores(cores)
    started, cpu_before = perf_counter(), _cpu_s()
    files.build(material)
    wall_s, cpu_s = perf_counter() - started, _cpu_s() - cpu_before
    connection.send((wall_s, cpu_s, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))


def _cpu_s() -> float:
    """CPU seconds of this process and of its terminated children."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _serve(connection: Connection, name: EngineName, material: EngineMaterial) -> None:
    pin_to_cores(1)
    connection.send("imported")
    connection.recv()
    started = perf_counter()
    engine = ENGINES[name].opened(material)
    connection.send(perf_counter() - started)
    while True:
        what, texts = connection.recv()
        gc.collect()
        gc.disable()
        try:
            connection.send(_find_all(engine, texts) if what == "find" else _complete_all(cast("CompletionEngine", engine), texts))
        finally:
            gc.enable()


def _find_all(engine: SearchEngine, texts: Sequence[str]) -> list[EngineAnswer]:
    answers = []
    for text in texts:
        started = perf_counter_ns()
        found = engine.find(text)
        taken = perf_counter_ns() - started
        answers.append(EngineAnswer(taken, tuple(engine.records(found)[:BEST])))
    return answers


def _complete_all(engine: CompletionEngine, prefixes: Sequence[str]) -> list[int]:
    taken = []
    for prefix in prefixes:
        started = perf_counter_ns()
        engine.complete(prefix)
        taken.append(perf_counter_ns() - started)
    return taken
