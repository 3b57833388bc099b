"""One process that feeds parsers, within limits of memory and, watched from outside, of time: the body of the fuzzer.

It says what it is at in a small file that is mapped into memory, so that whoever watches knows the input even if it dies of it.
With `--engine atheris` the choice of inputs is libFuzzer's, which sees which lines of the product each reaches; otherwise inputs
are changed by `mutation` alone, and those that came to something new are kept to be changed further.
"""

import argparse
import hashlib
import mmap
import os
import resource
import struct
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

MEMORY_BYTES = 512 * 1024**2
"""Over what the process has when its parser is ready."""
MINIMISE_S = 5.0
NEVER_S = 1_000_000
"""Hangs are told by whoever watches; libFuzzer's own alarm goes off at once when it is set to nothing."""
MAX_KEPT = 2_000
_HEAD = struct.Struct("<QddQQ40s")
"""Inputs so far; when the first and the present one began (a monotonic clock; 0 while there is none); its size; the peak of memory;
the parser."""
STATE_BYTES = 1 << 20
PRODUCT = f"{os.sep}bonafide{os.sep}"


@dataclass(frozen=True, slots=True)
class State:
    """What a process was at when it was looked at."""

    runs: int
    first: float
    began: float
    peak_bytes: int
    parser: str
    data: bytes


def read_state(path: Path) -> State | None:
    """The state that a process keeps in a file; None before it has begun."""
    content = path.read_bytes() if path.exists() else b""
    if len(content) < STATE_BYTES:
        return None
    runs, first, began, size, peak, name = _HEAD.unpack_from(content)
    return State(runs, first, began, peak, name.rstrip(b"\0").decode(), content[_HEAD.size : _HEAD.size + size])


@dataclass
class Bench:
    """Where inputs are tried: findings are written down, each kind once, in their smallest form."""

    state: mmap.mmap
    findings: Path
    runs: int = 0
    first: float = 0.0
    known: set[str] = field(default_factory=set)

    def attempt(self, name: str, trial: Callable[[bytes], str], data: bytes) -> str:
        """What came of an input; never raises."""
        data = data[: STATE_BYTES - _HEAD.size]
        self.runs += 1
        self.first = self.first if self.runs > 1 else time.monotonic()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        self.state[_HEAD.size : _HEAD.size + len(data)] = data
        self._write(name, time.monotonic(), len(data), peak)
        try:
            outcome = trial(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            outcome = _signature(error)
            self._found(name, trial, data, outcome, error)
        self._write(name, 0.0, 0, peak)
        return outcome

    def _write(self, name: str, began: float, size: int, peak: int) -> None:
        _HEAD.pack_into(self.state, 0, self.runs, self.first, began, size, peak, name.encode()[:40])

    def _found(self, name: str, trial: Callable[[bytes], str], data: bytes, signature: str, error: Exception) -> None:
        if f"{name} {signature}" in self.known:
            return
        self.known.add(f"{name} {signature}")
        small = minimised(data, lambda other: _outcome(trial, other) == signature)
        digest = hashlib.sha256(signature.encode()).hexdigest()[:8]
        stem = f"{name.replace(':', '-')}-{digest}"
        (self.findings / f"{stem}.bin").write_bytes(small)
        told = "".join(traceback.format_exception(error))[-6000:]
        (self.findings / f"{stem}.txt").write_text(f"{name}: {signature}\n\n{told}", encoding="utf-8", errors="replace")


def _outcome(trial: Callable[[bytes], str], data: bytes) -> str:
    try:
        return trial(data)
    except Exception as error:  # noqa: BLE001 - compared, not handled
        return _signature(error)


def _signature(error: BaseException) -> str:
    """The kind of an error, and the line of the product where it came up."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if PRODUCT in frame.filename] or frames
    place = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else "?"
    return f"{type(error).__name__} at {place}"


def minimised(data: bytes, still: Callable[[bytes], bool]) -> bytes:
    """A smaller input that does the same, as far as it is found in a few seconds."""
    ends_at, size = time.monotonic() + MINIMISE_S, max(1, len(data) // 2)
    while size >= 1 and time.monotonic() < ends_at:
        at, shorter = 0, False
        while at < len(data) and time.monotonic() < ends_at:
            other = data[:at] + data[at + size :]
            if still(other):
                data, shorter = other, True
            else:
                at += size
        size = size if shorter and size > 1 else size // 2
    return data


# ------------------------------------------------------------------------------------------------------------ engines


def feed(bench: Bench, name: str, parser: "Parser", chance: Random, goes_on: Callable[[int], bool]) -> int:
    """Try the seeds, then changed ones for as long as it goes on. Returns how many inputs are worth changing in the end."""
    trial = _trial(parser)
    pool, seen, count = [], set(), 0
    for data in parser.seeds:
        seen.add(bench.attempt(name, trial, data))
        pool.append(data)
    while goes_on(count):
        data = mutated(chance.choice(pool), chance)
        outcome = bench.attempt(name, trial, data)
        count += 1
        if outcome not in seen and len(pool) < MAX_KEPT:
            seen.add(outcome)
            pool.append(data)
    return len(pool)


def _trial(parser: "Parser") -> Callable[[bytes], str]:
    return lambda data: tried(parser, data)


def feed_guided(bench: Bench, name: str, parser: "Parser", seconds: float, corpus: Path, seed: int) -> None:
    """The same by libFuzzer, which ends the process when the time is over."""
    import atheris  # noqa: PLC0415 - there are no wheels for every machine

    chance = Random(seed)  # noqa: S311 - the same inputs for the same seed
    for number, data in enumerate(parser.seeds):
        (corpus / f"seed-{number}").write_bytes(data)

    def change(data: bytes, max_size: int, _seed: int) -> bytes:
        return mutated(data, chance)[:max_size] if chance.random() < 0.5 else atheris.Mutate(data, max_size)

    trial = _trial(parser)
    arguments = [
        "fuzz",
        str(corpus),
        f"-max_total_time={max(1, int(seconds))}",
        "-max_len=262144",
        f"-timeout={NEVER_S}",
        "-rss_limit_mb=0",
    ]
    arguments += [
        "-verbosity=0",
        "-print_final_stats=0",
        f"-seed={seed + 1}",
        "-detect_leaks=0",
        f"-artifact_prefix={corpus.parent}/",
    ]
    atheris.Setup(arguments, lambda data: bench.attempt(name, trial, bytes(data)) and None, custom_mutator=change)
    atheris.Fuzz()


def limit_memory(over_bytes: int = MEMORY_BYTES) -> None:
    """From now on the process may take so much more than it has; what asks for more gets a MemoryError."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + over_bytes
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="+")
    parser.add_argument("--engine", choices=("own", "atheris"), default="own")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, required=True)
    return parser.parse_args()


def main() -> None:
    """Feed the named parsers, one after the other."""
    arguments = _arguments()
    folder: Path = arguments.folder
    scratch, findings = folder / "scratch", folder / "findings"
    for made in (scratch, findings):
        made.mkdir(parents=True, exist_ok=True)
    path = folder / "state"
    path.write_bytes(bytes(STATE_BYTES))
    with path.open("r+b") as file:
        bench = Bench(mmap.mmap(file.fileno(), STATE_BYTES), findings)
    every = {**parsers({name.partition(":")[0] for name in arguments.names} - {"check"}), **CHECKS}
    made_all = {name: every[name](Workshop(folder / "world", _own(scratch, name))) for name in arguments.names}
    limit_memory()
    for name, parser in made_all.items():
        if arguments.engine == "atheris":
            corpus = folder / "corpus" / name.replace(":", "-")
            corpus.mkdir(parents=True, exist_ok=True)
            feed_guided(bench, name, parser, arguments.seconds, corpus, arguments.seed)
        ends_at = time.monotonic() + arguments.seconds if arguments.seconds is not None else None
        feed(bench, name, parser, Random(arguments.seed), _until(ends_at, arguments.runs))  # noqa: S311


def _own(scratch: Path, name: str) -> Path:
    own = scratch / name.replace(":", "-")
    own.mkdir(parents=True, exist_ok=True)
    return own


def _until(ends_at: float | None, runs: int | None) -> Callable[[int], bool]:
    return lambda count: (ends_at is None or time.monotonic() < ends_at) and (runs is None or count < runs)


if __name__ == "__main__":
    if "atheris" in sys.argv:
        import atheris

        with atheris.instrument_imports(include=["bonafide"], enable_loader_override=False):
            from tests.support.fuzzing.parsers import parsers

            parsers({name.partition(":")[0] for name in sys.argv[1:] if ":" in name})
    from tests.support.fuzzing.mutation import mutated
    from tests.support.fuzzing.parsers import CHECKS, Parser, Workshop, parsers, tried

    main()
