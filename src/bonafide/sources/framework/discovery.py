"""Find every source folder and load its metadata (`source.yml`) and code (`source.py` for files, `live.py` for live queries).

Tables that `source.yml` describes need no code. A source folder with neither code nor a table is a source that can't be read
automatically: its `access_note` gives the reason, and a register can still be imported in the canonical layout. This module neither
fetches nor parses data.
"""

import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message, join_values
from bonafide.model.entry import AnyEntry, SourceKind
from bonafide.package_data import parse_yaml
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.live import LiveConnector
from bonafide.sources.framework.metadata import SourceMetadata
from bonafide.sources.tables.parser import parse_table

KIND_PACKAGES = {
    SourceKind.REGISTRY: "registries",
    SourceKind.REGULATOR: "regulators",
    SourceKind.SANCTIONS: "sanctions",
    SourceKind.LISTING: "listings",
    SourceKind.RELATIONSHIPS: "relationships",
}


ParseFunction = Callable[[Sequence[Resource], ParseContext], Iterator[AnyEntry]]
FetchFunction = Callable[[FetchContext], Awaitable[list[Resource]]]


@dataclass(frozen=True, slots=True)
class Source:
    """A source: its metadata and its code. `parse` is None for a source without code or table."""

    metadata: SourceMetadata
    package: str
    parse: ParseFunction | None
    fetch: FetchFunction | None
    live: LiveConnector | None = None

    @property
    def key(self) -> str:
        """The source's key."""
        return self.metadata.key


async def download_all(context: FetchContext) -> list[Resource]:
    """The default `fetch`: download every resource of the metadata."""
    return [await context.download(resource) for resource in context.metadata.resources]


@cache
def discover_sources() -> dict[str, Source]:
    """Every source by key, registers first. Raises `ConfigurationError` with the folder that is invalid."""
    found: dict[str, Source] = {}
    for kind, name in KIND_PACKAGES.items():
        package = importlib.import_module(f"bonafide.sources.{name}")
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
            source = _load_source(f"bonafide.sources.{name}.{module.name}")
            if source.metadata.kind is not kind or source.key in found:
                problem = Message(
                    "{folder}: the kind doesn’t fit the folder, or another source has the same key", folder=source.package
                )
                raise ConfigurationError(problem)
            found[source.key] = source
    return found


@cache
def list_regulator_keys() -> tuple[str, ...]:
    """The keys of `regulatory`, in the order of the result: by `order`, then alphabetically. Raises as `discover_sources` does."""
    regulators = (source.metadata for source in discover_sources().values() if source.metadata.kind is SourceKind.REGULATOR)
    return tuple(found.key for found in sorted(regulators, key=lambda found: (found.order is None, found.order or 0, found.key)))


def get_source(key: str) -> Source:
    """A source by its key in any case. Raises `ConfigurationError` with the list of keys for an unknown one."""
    for source in discover_sources().values():
        if source.key.casefold() == key.casefold():
            return source
    keys = join_values(discover_sources())
    raise ConfigurationError(Message("There is no source '{key}'. The sources are {keys}.", key=key, keys=keys))


def _load_source(package: str) -> Source:
    folder = resources.files(package)
    try:
        text = (folder / "source.yml").read_text(encoding="utf-8")
        raw: Any = parse_yaml(text)
        metadata = SourceMetadata.model_validate(raw)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ConfigurationError(Message("{folder}: source.yml: {error}", folder=package, error=str(error))) from error
    live = _load_connector(package) if metadata.live is not None else None
    parse = parse_table if metadata.table is not None else None
    if not (folder / "source.py").is_file():
        return Source(metadata, package, parse=parse, fetch=download_all if parse is not None else None, live=live)
    module = importlib.import_module(f"{package}.source")
    return Source(metadata, package, parse=getattr(module, "parse", parse), fetch=getattr(module, "fetch", download_all), live=live)


def _load_connector(package: str) -> LiveConnector:
    module = importlib.import_module(f"{package}.live")
    return LiveConnector(find=getattr(module, "find", None), report=getattr(module, "report", None))
