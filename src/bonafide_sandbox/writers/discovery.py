"""Discover the writers of publishers' files, and compute the version of the worlds that they write.

Every module in this package can define `WRITERS`, a tuple of factories. A register without its own writer is written in the
canonical layout.
"""

import hashlib
import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.writers.canonical import create_writer_factory
from bonafide_sandbox.writers.framework.writer import AnyListWriterFactory, RegisterWriterFactory

_PACKAGE = Path(__file__).parents[1]
_VERSIONED = ("generator", "world", "writers")
"""The folders of the package that determine the bytes of a world."""
_VERSION_BYTES = 6
"""Keeps the version below 2 ** 53, the largest integer that JSON readers in other languages support exactly."""


@cache
def discover_register_writers() -> Mapping[Jurisdiction, tuple[RegisterWriterFactory, ...]]:
    """Return the factories of every register, ordered by module name."""
    own = [factory for factory in _discover_factories() if isinstance(factory, RegisterWriterFactory)]
    return {
        register: tuple(factory for factory in own if factory.register is register)
        or (RegisterWriterFactory(register, create_writer_factory(register)),)
        for register in Jurisdiction
    }


@cache
def discover_list_writers() -> Mapping[str, AnyListWriterFactory]:
    """Return the factory of every list by the list's key. Raises `ConfigurationError` if two modules write the same list."""
    found: dict[str, AnyListWriterFactory] = {}
    for factory in _discover_factories():
        if not isinstance(factory, RegisterWriterFactory):
            if factory.source in found:
                raise ConfigurationError(Message.untranslated(f"two modules of {__package__} write {factory.source!r}"))
            found[factory.source] = factory
    return found


def _discover_factories() -> Iterator[RegisterWriterFactory | AnyListWriterFactory]:
    package = importlib.import_module("bonafide_sandbox.writers")
    names = sorted(module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))
    for name in names:
        yield from getattr(importlib.import_module(name), "WRITERS", ())


@cache
def compute_world_version() -> int:
    """Return the version of the generator, writers and tables. A world with another version is regenerated."""
    return compute_source_digest(_PACKAGE / folder for folder in _VERSIONED)


def compute_source_digest(folders: Iterable[Path]) -> int:
    """Return a digest of the paths and contents of all modules and YAML tables in the folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".yml"}):
            content = path.read_bytes()
            digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return int.from_bytes(digest.digest()[:_VERSION_BYTES])
