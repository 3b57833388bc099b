"""Every parser of the product by name, with inputs to begin from. Sources are those that are there, models those that routes read.

A parser may give a result or raise one of the product's own errors: whatever else comes of an input is a finding.
"""

import importlib
import os
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bonafide.errors import BonafideError

Run = Callable[[bytes], object]


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where parsers find what they need: a small made-up Canada, and a folder of their own to write to."""

    world: Path
    scratch: Path


@dataclass(frozen=True, slots=True)
class Parser:
    """One parser: what is done with an input, and the inputs to begin from."""

    run: Run
    seeds: list[bytes]


Make = Callable[[Workshop], Parser]
MODULES = {
    "tests.support.fuzzing.source_parsers": frozenset({"source", "pages", "live", "canonical"}),
    "tests.support.fuzzing.web_parsers": frozenset({"website", "naics"}),
    "tests.support.fuzzing.input_parsers": frozenset({"body", "query", "headers", "records", "token", "text", "settings", "index"}),
}
"""The modules that have parsers, and the kinds of each."""


def _misbehaving(run: Run, _workshop: Workshop) -> Parser:
    return Parser(run, [b"x"])


def parsers(kinds: Collection[str] = ()) -> Mapping[str, Make]:
    """Every parser by its name, `kind:what`; where kinds are named, those of the modules that have these.

    The modules are loaded here, so that whoever wants to watch the product's own can have it so, and only as many as are wanted.
    """
    found: dict[str, Make] = {}
    for module, has in MODULES.items():
        if not kinds or not has.isdisjoint(kinds):
            found |= importlib.import_module(module).parsers()
    return found


def _hangs(_data: bytes) -> None:
    while True:
        time.sleep(1)


def _dies(_data: bytes) -> None:
    os.abort()


def _devours(_data: bytes) -> None:
    bytes(1 << 30)


CHECKS: Mapping[str, Make] = {
    name: partial(_misbehaving, run) for name, run in (("check:hangs", _hangs), ("check:dies", _dies), ("check:devours", _devours))
}
"""What misbehaves, to see that the fuzzer notices."""


def tried(parser: Parser, data: bytes) -> str:
    """What came of an input, in a word or two: `read`, or the name of the product's own error. Raises what is a finding."""
    try:
        parser.run(data)
    except BonafideError as error:
        return type(error).__name__
    return "read"
