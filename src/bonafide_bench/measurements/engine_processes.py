"""Run each engine in a process of its own, with its own memory, cores and caches.

A worker does what it is asked and says how long it took; what is asked in which order is decided in `rounds`.
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
from bonafide_bench.harness.process_memory import PeakMemory, ResidentMemory, pin_to_cores, read_resident_memory

_CONTEXT = get_context("spawn")
"""A forked worker would begin with everything that its parent holds."""
BEST = 20
"""Records of an answer that recall is reckoned from."""


class EngineProcessFailed(Exception):
    """A worker ended without an answer, for want of memory perhaps, or through a fault; the message is its own."""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """How long a query took, and the best records."""

    ns: int
    records: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BuildCost:
    """What a build took: seconds of wall, of processor time in all its processes, and the most memory they held together."""

    wall_s: float
    cpu_s: float
    peak: int | None


def build_in_process(name: EngineName, material: EngineMaterial, cores: int) -> BuildCost:
    """Build an engine's files on so many cores. Raises `EngineUnavailable`, or `EngineProcessFailed`."""
    with EngineProcess(_build, name, material, cores) as worker, PeakMemory(worker.pid) as memory:
        wall_s, cpu_s, own_peak = worker.result()
    return BuildCost(wall_s, cpu_s, max(filter(None, (own_peak, memory.peak))))


class EngineProcess:
    """A process that calls `work` with a connection and these arguments."""

    def __init__(self, work: Callable[..., None], *arguments: object) -> None:
        self._connection, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_run_guarded, args=(work, theirs, *arguments), daemon=False)
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        """The process's number."""
        assert self._process.pid is not None  # noqa: S101 - it has been started
        return self._process.pid

    def ask(self, question: object) -> Any:
        """Put a question and wait for the answer."""
        self._connection.send(question)
        return self.result()

    def result(self) -> Any:
        """Wait for the next answer. Raises what the worker raised as `EngineUnavailable` or `EngineProcessFailed`."""
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
    """An engine open in a worker on one core; `before` is what the process held when it had only imported everything."""

    def __init__(self, name: EngineName, material: EngineMaterial) -> None:
        super().__init__(_serve, name, material)
        self.result()
        self.before = read_resident_memory(self.pid)
        self.opened_s = cast("float", self.ask("open"))

    def find(self, texts: Sequence[str]) -> list[EngineAnswer]:
        """Ask for each text in turn."""
        return cast("list[EngineAnswer]", self.ask(("find", tuple(texts))))

    def complete(self, prefixes: Sequence[str]) -> list[int]:
        """Complete each in turn: the nanoseconds each took."""
        return cast("list[int]", self.ask(("complete", tuple(prefixes))))

    def resident(self) -> ResidentMemory | None:
        """What it holds in memory now."""
        return read_resident_memory(self.pid)


# ------------------------------------------------------------------------------------------------------- in the worker


def _run_guarded(work: Callable[..., None], connection: Connection, *arguments: object) -> None:
    try:
        work(connection, *arguments)
    except (EOFError, BrokenPipeError):
        return
    except EngineUnavailable as error:
        connection.send(error)
    except Exception as error:  # noqa: BLE001 - told to whoever waits for an answer
        connection.send(EngineProcessFailed(f"{type(error).__name__}: {error}"))


def _build(connection: Connection, name: EngineName, material: EngineMaterial, cores: int) -> None:
    files = ENGINES[name].files
    assert files is not None  # noqa: S101 - only those with files are built
    pin_to_cores(cores)
    started, cpu_before = perf_counter(), _cpu_s()
    files.build(material)
    wall_s, cpu_s = perf_counter() - started, _cpu_s() - cpu_before
    connection.send((wall_s, cpu_s, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))


def _cpu_s() -> float:
    """Seconds that the processors spent on this process and on those that it started and that have ended."""
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
