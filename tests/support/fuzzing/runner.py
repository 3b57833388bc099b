"""The fuzzer: every parser of the product fed with damaged inputs for some minutes, each in a process of its own with limits.

    python -m tests.support.fuzzing.runner --minutes 10                       every parser, one after the other
    python -m tests.support.fuzzing.runner --minutes 1 --parser 'source:*'    those whose name fits
    python -m tests.support.fuzzing.runner --input findings/x.bin --parser source:on

A finding is an error that is not the product's own, a hang, a death, or a wish for more memory than is allowed. Each is kept in
`findings/` of the folder, the input beside what came of it. This process only starts, watches and counts.
"""

import argparse
import fnmatch
import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.fuzzing.parsers import Workshop, parsers, tried
from tests.support.fuzzing.seeds import made_world
from tests.support.fuzzing.trial import State, read_state
from tests.support.paths import ROOT

INPUT_S = 20.0
"""For one input: what takes longer hangs."""
START_S = 300.0
"""For a process to get ready on a busy machine."""
LOOK_S = 0.2
MAX_DEATHS = 20
"""Of one parser's processes, before it is given up."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a parser is given: which engine, for how long or how many inputs, and the folder of the run."""

    engine: str
    folder: Path
    seconds: float | None = None
    runs: int | None = None
    input_s: float = INPUT_S


@dataclass(slots=True)
class Outcome:
    """What came of one parser's turn."""

    names: Sequence[str]
    runs: int = 0
    seconds: float = 0.0
    peak_bytes: int = 0
    findings: int = 0
    corpus: int = 0

    def line(self) -> str:
        """The figures in one line."""
        rate = self.runs / self.seconds if self.seconds else 0.0
        return (
            f"{' '.join(self.names)[:44]:<44} {self.seconds:7.0f} s {self.runs:>9,} inputs {rate:>8,.0f} /s "
            f"corpus {self.corpus:>5,} peak {self.peak_bytes >> 20:>5,} MiB findings {self.findings}"
        )


def fed(names: Sequence[str], turn: Turn) -> Outcome:
    """Feed parsers; a process that dies or hangs of an input is noted, and another takes its place for the time that is left."""
    outcome, number = Outcome(names), 0
    findings = turn.folder / "findings"
    findings.mkdir(parents=True, exist_ok=True)
    before, waiting = set(findings.iterdir()), list(names)
    while waiting and number < MAX_DEATHS:
        left = turn.seconds - outcome.seconds if turn.seconds is not None else None
        if left is not None and left < 1:
            break
        state, died = _watched(waiting, turn, left, number)
        if state is not None:
            outcome.runs += state.runs
            outcome.seconds += time.monotonic() - state.first
            outcome.peak_bytes = max(outcome.peak_bytes, state.peak_bytes)
        if died is None or state is None:
            if died is not None:
                (findings / f"start-{number}.txt").write_text(died, encoding="utf-8")
            break
        stem = f"{state.parser.replace(':', '-')}-{'hang' if died == HANG else 'death'}-{number}"
        (findings / f"{stem}.bin").write_bytes(state.data)
        (findings / f"{stem}.txt").write_text(f"{state.parser}: {died}\n", encoding="utf-8")
        waiting = waiting[waiting.index(state.parser) + (len(names) > 1) :]
        number += 1
    outcome.findings = len([path for path in set(findings.iterdir()) - before if path.suffix == ".txt"])
    outcome.corpus = sum(1 for name in names for _ in (turn.folder / "corpus" / name.replace(":", "-")).glob("*"))
    return outcome


HANG = "it hangs"


def _watched(names: Sequence[str], turn: Turn, seconds: float | None, seed: int) -> tuple[State | None, str | None]:
    """Run a process to its end. Returns what it was at, and of what it died if it did."""
    path = turn.folder / "state"
    path.unlink(missing_ok=True)
    limits = [*(["--seconds", str(seconds)] if seconds is not None else []), *(["--runs", str(turn.runs)] if turn.runs else [])]
    command = [sys.executable, "-m", "tests.support.fuzzing.trial", *names, "--engine", turn.engine, *limits]
    with (turn.folder / "output").open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [*command, "--seed", str(seed), "--folder", str(turn.folder)], stdout=output, stderr=subprocess.STDOUT, cwd=ROOT
        )
        try:
            return _until_ended(process, path, turn)
        finally:
            process.kill()
            process.wait()


def _until_ended(process: "subprocess.Popen[bytes]", path: Path, turn: Turn) -> tuple[State | None, str | None]:
    started = time.monotonic()
    while process.poll() is None:
        time.sleep(LOOK_S)
        state = read_state(path)
        now = time.monotonic()
        if state is not None and state.began > 0 and now - state.began > turn.input_s:
            return state, HANG
        if (state is None or state.runs == 0) and now - started > START_S:
            return None, "it does not start"
    state = read_state(path)
    if process.returncode == 0:
        return state, None
    told = (turn.folder / "output").read_text(encoding="utf-8", errors="replace")[-3000:]
    return (state if state is not None and state.began > 0 else None), f"it died with {process.returncode}\n{told}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parser", action="append", default=[], help="a name or a pattern; all of them when it is not given")
    parser.add_argument("--minutes", type=float, default=10.0, help="for each parser")
    parser.add_argument("--ends-in", type=float, help="minutes after which no parser is begun any more")
    parser.add_argument("--engine", choices=("own", "atheris"), default="atheris" if importlib.util.find_spec("atheris") else "own")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "bonafide-fuzz", help="for all that is written"
    )
    parser.add_argument("--input", type=Path, help="try this one input, here, and tell what comes of it")
    parser.add_argument("--list", action="store_true", help="the names of the parsers")
    return parser.parse_args()


def main() -> int:
    """Feed what was asked for; 1 when anything was found."""
    arguments = _arguments()
    wanted = [name for name in parsers() if not arguments.parser or any(fnmatch.fnmatch(name, p) for p in arguments.parser)]
    folder: Path = arguments.folder
    made_world(folder / "world")
    if arguments.list:
        _tell("\n".join(wanted))
        return 0
    if arguments.input is not None:
        return _tried_once(wanted, arguments.input, folder)
    found, ends_at = 0, time.monotonic() + (arguments.ends_in * 60 if arguments.ends_in is not None else float("inf"))
    for name in wanted:
        seconds = min(arguments.minutes * 60, ends_at - time.monotonic())
        if seconds < 1:
            break
        outcome = fed([name], Turn(arguments.engine, folder, seconds))
        found += outcome.findings
        _tell(outcome.line())
    _tell(f"{found} findings, in {folder / 'findings'}")
    return 1 if found else 0


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _tried_once(wanted: Sequence[str], path: Path, folder: Path) -> int:
    for name in wanted:
        scratch = folder / "scratch" / name.replace(":", "-")
        scratch.mkdir(parents=True, exist_ok=True)
        _tell(f"{name}: {tried(parsers()[name](Workshop(folder / 'world', scratch)), path.read_bytes())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
