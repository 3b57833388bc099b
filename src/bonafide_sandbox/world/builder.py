"""Write a made-up Canada to disk: every publisher's files and a manifest, moved into place at once.

It writes and reuses; it never deletes a folder that is not a world.
"""

import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

from bonafide.errors import ConfigurationError
from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.businesses import MAX_SIZE, MIN_SIZE, create_businesses
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.world.directory import DirectoryWriter
from bonafide_sandbox.writers import canonical, odbus
from bonafide_sandbox.writers.framework.manifest import (
    MANIFEST_NAME,
    WORLD_VERSION,
    WorldFile,
    WorldManifest,
    compute_digest,
    read_manifest,
)
from bonafide_sandbox.writers.framework.writer import ListWriter, SourceWriter, TargetFile
from bonafide_sandbox.writers.naics import write_naics
from bonafide_sandbox.writers.registries.ab import AlbertaWriter
from bonafide_sandbox.writers.registries.fed import FederalWriter
from bonafide_sandbox.writers.registries.mb import ManitobaWriter
from bonafide_sandbox.writers.registries.on_corporations import OntarioCorporationsWriter
from bonafide_sandbox.writers.registries.on_firms import OntarioFirmsWriter
from bonafide_sandbox.writers.registries.qc import QuebecWriter
from bonafide_sandbox.writers.registries.sk import SaskatchewanWriter
from bonafide_sandbox.writers.registries.yt import YukonWriter
from bonafide_sandbox.writers.regulators.agco_cannabis import CannabisStoresWriter
from bonafide_sandbox.writers.regulators.aglc_cannabis import CannabisLicenseesWriter
from bonafide_sandbox.writers.regulators.aglc_gaming import GamingRegistrantsWriter
from bonafide_sandbox.writers.regulators.bank_of_canada import PaymentProvidersWriter
from bonafide_sandbox.writers.regulators.bc_cannabis import BritishColumbiaStoresWriter
from bonafide_sandbox.writers.regulators.calgary import CalgaryLicencesWriter
from bonafide_sandbox.writers.regulators.cra_charities import CharitiesWriter
from bonafide_sandbox.writers.regulators.edmonton import EdmontonLicencesWriter
from bonafide_sandbox.writers.regulators.fintrac import MoneyServicesWriter
from bonafide_sandbox.writers.regulators.gleif import LegalEntitiesWriter
from bonafide_sandbox.writers.regulators.health_canada import LicenceHoldersWriter
from bonafide_sandbox.writers.regulators.moh_providers import HealthProvidersWriter
from bonafide_sandbox.writers.regulators.montreal import MontrealPremisesWriter
from bonafide_sandbox.writers.regulators.on_licences import OntarioLicencesWriter
from bonafide_sandbox.writers.regulators.rbq import BuildingLicencesWriter
from bonafide_sandbox.writers.regulators.toronto import TorontoLicencesWriter
from bonafide_sandbox.writers.regulators.vancouver import VancouverLicencesWriter
from bonafide_sandbox.writers.regulators.wsib import ClassificationsWriter
from bonafide_sandbox.writers.sanctions.dfat import create_australian_writer
from bonafide_sandbox.writers.sanctions.eu import create_eu_writer
from bonafide_sandbox.writers.sanctions.nl import create_dutch_writer
from bonafide_sandbox.writers.sanctions.ofac import OfacConsolidatedWriter, OfacSdnWriter
from bonafide_sandbox.writers.sanctions.seco import create_swiss_writer
from bonafide_sandbox.writers.sanctions.sema import AutonomousSanctionsWriter
from bonafide_sandbox.writers.sanctions.terrorist_entities import TerroristEntitiesWriter
from bonafide_sandbox.writers.sanctions.uk import create_british_writer
from bonafide_sandbox.writers.sanctions.un import create_un_writer

__all__ = ["DEFAULT_SEED", "WorldManifest", "write_world"]

DEFAULT_SEED = 1867
PROGRESS_STEP = 10_000
"""Businesses between two reports of progress."""

W = TypeVar("W", bound=SourceWriter)
BusinessConsumer = Callable[[SandboxBusiness], None]

REGISTRY_WRITERS: Mapping[Jurisdiction, tuple[Callable[[Path], SourceWriter], ...]] = {
    **{jurisdiction: (canonical.create_writer_factory(jurisdiction),) for jurisdiction in Jurisdiction},
    Jurisdiction.AB: (AlbertaWriter,),
    Jurisdiction.FED: (FederalWriter,),
    Jurisdiction.MB: (ManitobaWriter,),
    Jurisdiction.ON: (OntarioCorporationsWriter, OntarioFirmsWriter),
    Jurisdiction.QC: (QuebecWriter,),
    Jurisdiction.SK: (SaskatchewanWriter,),
    Jurisdiction.YT: (YukonWriter,),
}
"""Who writes the files of each register."""

LIST_WRITERS: Mapping[str, tuple[tuple[Jurisdiction, ...], Callable[[Path, int], ListWriter]]] = {
    "craCharities": (tuple(Jurisdiction), CharitiesWriter),
    "fintracMsb": (tuple(Jurisdiction), MoneyServicesWriter),
    "healthCanadaCannabis": (tuple(Jurisdiction), LicenceHoldersWriter),
    "bankOfCanadaRps": (tuple(Jurisdiction), PaymentProvidersWriter),
    "wsibClassifications": ((Jurisdiction.ON,), ClassificationsWriter),
    "agcoCannabis": ((Jurisdiction.ON,), CannabisStoresWriter),
    "onBusinessLicences": ((Jurisdiction.ON,), OntarioLicencesWriter),
    "mohServiceProviders": ((Jurisdiction.ON,), HealthProvidersWriter),
    "aglcCannabis": ((Jurisdiction.AB,), CannabisLicenseesWriter),
    "aglcGamingRegistrants": ((Jurisdiction.AB,), GamingRegistrantsWriter),
    "bcCannabisRetail": ((Jurisdiction.BC,), BritishColumbiaStoresWriter),
    "rbqLicences": ((Jurisdiction.QC,), BuildingLicencesWriter),
    "torontoBusinessLicences": ((Jurisdiction.ON, Jurisdiction.FED), TorontoLicencesWriter),
    "vancouverBusinessLicences": ((Jurisdiction.BC, Jurisdiction.FED), VancouverLicencesWriter),
    "calgaryBusinessLicences": ((Jurisdiction.AB, Jurisdiction.FED), CalgaryLicencesWriter),
    "edmontonBusinessLicences": ((Jurisdiction.AB, Jurisdiction.FED), EdmontonLicencesWriter),
    "montrealCommercialEstablishments": ((Jurisdiction.QC, Jurisdiction.FED), MontrealPremisesWriter),
    "gleif": (tuple(Jurisdiction), LegalEntitiesWriter),
    "ca-sanctions-autonomous": ((), AutonomousSanctionsWriter),
    "ca-sanctions-terrorist-entities": ((), TerroristEntitiesWriter),
    "un-sanctions-consolidated": ((), create_un_writer),
    "us-sanctions-ofac-sdn": ((), OfacSdnWriter),
    "us-sanctions-ofac-consolidated": ((), OfacConsolidatedWriter),
    "eu-sanctions-consolidated": ((), create_eu_writer),
    "uk-sanctions-list": ((), create_british_writer),
    "ch-seco-sanctions": ((), create_swiss_writer),
    "au-sanctions-consolidated": ((), create_australian_writer),
    "nl-sanctions-terrorism": ((), create_dutch_writer),
    "odbus": (odbus.JURISDICTIONS, odbus.OpenBusinessesWriter),
}
"""For each list the jurisdictions whose businesses it draws holders from, and who writes it."""


def write_world(
    folder: Path, *, size: int, seed: int = DEFAULT_SEED, progress: Callable[[int], None] | None = None
) -> WorldManifest:
    """Write the world of this size and seed, or find it in the folder; other worlds there are replaced.

    `progress` is told how many businesses are written. Raises `ConfigurationError` for a size out of range, or a folder that holds
    something else than a world.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ConfigurationError(f"a sandbox has from {MIN_SIZE:,} to {MAX_SIZE:,} businesses, not {size:,}")
    known = read_manifest(folder)
    if known is not None and (known.version, known.seed, known.size) == (WORLD_VERSION, seed, size):
        return known
    if folder.exists() and any(folder.iterdir()) and not (folder / MANIFEST_NAME).exists():
        raise ConfigurationError(f"{folder} holds something else than a sandbox; it is left alone")
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        targets = [*_write_files(draft, size, seed, progress), *write_naics(draft)]
        manifest = WorldManifest(
            version=WORLD_VERSION, seed=seed, size=size, files=tuple(_describe_file(draft, target) for target in targets)
        )
        (draft / MANIFEST_NAME).write_text(manifest.to_json(), encoding="utf-8")
        _move_into_place(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return manifest


def _write_files(folder: Path, size: int, seed: int, progress: Callable[[int], None] | None) -> list[TargetFile]:
    """Write every file, business by business, the fixed ones first. Returns what was written."""
    with ExitStack() as stack:

        def opened(writer: W) -> W:
            stack.callback(writer.close)
            return writer

        registers = {jurisdiction: [opened(make(folder)) for make in makers] for jurisdiction, makers in REGISTRY_WRITERS.items()}
        lists = {source: opened(make(folder, seed)) for source, (_, make) in LIST_WRITERS.items()}
        directory = opened(DirectoryWriter(folder))
        for fixed in KNOWN_BUSINESSES:
            for writer in registers[fixed.business.register]:
                writer.take(fixed.business)
            for source in fixed.lists:
                lists[source].list_known(fixed)
            directory.take(fixed.business)
        _distribute(_list_consumers(registers, lists, directory), size, seed, progress)
    return [
        target
        for writer in (*(writer for row in registers.values() for writer in row), *lists.values(), directory)
        for target in writer.targets
    ]


def _list_consumers(
    registers: Mapping[Jurisdiction, list[SourceWriter]], lists: Mapping[str, ListWriter], directory: DirectoryWriter
) -> dict[Jurisdiction, list[BusinessConsumer]]:
    """Who is handed the businesses of each register."""
    takers: dict[Jurisdiction, list[BusinessConsumer]] = {
        jurisdiction: [*(writer.take for writer in writers), directory.take] for jurisdiction, writers in registers.items()
    }
    for source, (jurisdictions, _) in LIST_WRITERS.items():
        for jurisdiction in jurisdictions:
            takers[jurisdiction].append(lists[source].take)
    return takers


def _distribute(
    takers: Mapping[Jurisdiction, list[BusinessConsumer]], size: int, seed: int, progress: Callable[[int], None] | None
) -> None:
    for number, business in enumerate(create_businesses(seed, 0, size), start=1):
        for take in takers[business.register]:
            take(business)
        if progress is not None and (number % PROGRESS_STEP == 0 or number == size):
            progress(number)


def _describe_file(folder: Path, target: TargetFile) -> WorldFile:
    path = folder / target.path
    return WorldFile(
        source=target.source,
        resource=target.resource,
        path=target.path,
        route=target.route,
        size=path.stat().st_size,
        sha256=compute_digest(path),
        url=target.url,
    )


def _move_into_place(draft: Path, folder: Path) -> None:
    """Rename the draft to the folder; what stood there goes when the new world is in its place."""
    old = draft.with_name(f"{draft.name}-old")
    if folder.exists():
        folder.rename(old)
    draft.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
