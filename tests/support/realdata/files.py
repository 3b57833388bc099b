"""Which real files are loaded, how many rows their publishers' lists have, and how all of them come into one runtime.

It states counts only; no name of these files is in the repository.
"""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import override

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import ENTRY_TYPES, AnyEntry, SourceKind
from bonafide.model.loading import LoadRecord
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import FileImport, LoadRequest, load_source


@dataclass(frozen=True, slots=True)
class RealSource:
    """A source, its files below the folder of real data, and what their rows become."""

    key: str
    files: tuple[str, ...]
    rows: int
    merged: int = 0
    rejected: int = 0
    is_part: bool = False
    """A cut of the publisher's list, or one of years ago, with fewer entries than a load of it must have."""


def _laws(*numbers: str) -> tuple[str, ...]:
    """The files of Canadian regulations."""
    return tuple(f"sanctions/ca/regulations_2026-07/SOR-{number}.xml.gz" for number in numbers)


REAL_SOURCES = (
    RealSource("yt", ("registries/YT/corporate_entities_2023-01.csv",), 54_467, merged=1_825),
    RealSource("on", ("registries/ON/OntarioTOB_LegalCorpSample.csv", "registries/ON/OntarioTOB_BNLPSample.csv"), 260),
    RealSource("agcoCannabis", ("regulatory/agcoCannabis/agco_crsa_web_export_2025-11.csv",), 2_493, merged=17, rejected=1),
    RealSource("aglcCannabis", ("regulatory/aglcCannabis/aglc_cannabis_licensee_report_2025-11.csv",), 931),
    RealSource(
        "mohServiceProviders", ("regulatory/mohServiceProviders/moh_service_provider_locations_2025-04.csv",), 11_974, merged=8
    ),
    RealSource(
        "vancouverBusinessLicences",
        ("regulatory/vancouverBusinessLicences/business-licences_restaurants_2024-2025_export.csv",),
        3_385,
        merged=1_505,
        is_part=True,
    ),
    RealSource(
        "ca-sanctions-autonomous",
        (
            "sanctions/ca/sema-lmes_reconstructed_2026-07.xml.gz",
            *_laws(
                "2007-285",
                "2008-248",
                "2010-165",
                "2011-114",
                "2011-78",
                "2014-235",
                "2014-44",
                "2014-58",
                "2014-60",
                "2017-204",
                "2017-233",
                "2019-232",
                "2020-214",
                "2021-49",
                "2022-226",
                "2023-109",
                "2023-2",
                "2024-17",
                "2024-23",
                "2024-61",
                "2024-91",
            ),
        ),
        11_394,
        merged=5_685,
    ),
    RealSource("ca-sanctions-terrorist-entities", _laws("2002-284", "2001-360"), 125),
    RealSource("un-sanctions-consolidated", ("sanctions/un_sc/consolidated_2026-02-27.xml.gz",), 1_003),
    RealSource(
        "us-sanctions-ofac-sdn",
        tuple(f"sanctions/us_ofac/set_2021-07/{name}.csv.gz" for name in ("sdn", "alt", "add", "sdn_comments")),
        34_728,
        merged=25_752,
        is_part=True,
    ),
    RealSource("us-sanctions-ofac-consolidated", ("sanctions/us_ofac/cons_enhanced_2025-01-10.zip",), 443),
    RealSource(
        "uk-sanctions-list",
        ("sanctions/uk/UK-Sanctions-List_reconstructed_from_ConList.csv.gz",),
        9_487,
        merged=7_381,
        is_part=True,
    ),
)


@dataclass(frozen=True, slots=True)
class RealData:
    """Every real file loaded, what came of each, and somebody who may search in them."""

    runtime: Runtime
    principal: Principal
    records: Mapping[str, LoadRecord]
    entries: "ServedEntries"
    lists_s: float
    """What loading all sanctions lists took."""

    def kind(self, key: str) -> SourceKind:
        """What kind of source it is."""
        return self.runtime.sources[key].metadata.kind


@dataclass(frozen=True, slots=True)
class ServedEntries(Mapping[str, list[AnyEntry]]):
    """All entries by source, in the order of the file, as they are served.

    They are read from the indexes each time: all of them in memory take more than all else of the tests together.
    """

    runtime: Runtime

    @override
    def __getitem__(self, key: str) -> list[AnyEntry]:
        generation = self.runtime.generations[World.LIVE].current(key)
        if generation is None:
            raise KeyError(key)
        read = ENTRY_TYPES[self.runtime.sources[key].metadata.kind].model_validate_json
        return [read(generation.index.payload(number)) for number in range(len(generation.index))]

    @override
    def __iter__(self) -> Iterator[str]:
        return (source.key for source in REAL_SOURCES)

    @override
    def __len__(self) -> int:
        return len(REAL_SOURCES)


async def load(runtime: Runtime, source: RealSource, shared_data: Path, scratch: Path) -> LoadRecord:
    """Import a source's files as an operator would, all in one import."""
    files = tuple(_unpacked(shared_data / name, scratch) for name in source.files)
    fetcher = Fetcher(runtime.settings, runtime.clock)
    try:
        order = LoadRequest(runtime.sources[source.key], World.LIVE, FileImport(files), force=source.is_part)
        return await load_source(runtime, fetcher, order)
    finally:
        await fetcher.close()


def _unpacked(path: Path, scratch: Path) -> Path:
    if path.suffix != ".gz":
        return path
    target = scratch / path.stem
    target.write_bytes(gzip.decompress(path.read_bytes()))
    return target
