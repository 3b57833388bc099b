"""A made-up Canada on disk: every publisher's files and a manifest, written beside their place and moved there whole.

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
from bonafide.sandbox.business import Business
from bonafide.sandbox.directory import DirectoryWriter
from bonafide.sandbox.fixed import FIXED
from bonafide.sandbox.generator import MAX_SIZE, MIN_SIZE, businesses
from bonafide.sandbox.manifest import MANIFEST_NAME, WORLD_VERSION, WorldFile, WorldManifest, digest, read_manifest
from bonafide.sandbox.writers import canonical, odbus
from bonafide.sandbox.writers.ab import AlbertaWriter
from bonafide.sandbox.writers.agco import CannabisStoresWriter
from bonafide.sandbox.writers.aglc import CannabisLicenseesWriter
from bonafide.sandbox.writers.aglc_gaming import GamingRegistrantsWriter
from bonafide.sandbox.writers.bank_of_canada import PaymentProvidersWriter
from bonafide.sandbox.writers.base import ListWriter, Target, Writer
from bonafide.sandbox.writers.bc_cannabis import BritishColumbiaStoresWriter
from bonafide.sandbox.writers.calgary import CalgaryLicencesWriter
from bonafide.sandbox.writers.cra import CharitiesWriter
from bonafide.sandbox.writers.dfat import australian_list
from bonafide.sandbox.writers.edmonton import EdmontonLicencesWriter
from bonafide.sandbox.writers.eu_list import european_list
from bonafide.sandbox.writers.fed import FederalWriter
from bonafide.sandbox.writers.fintrac import MoneyServicesWriter
from bonafide.sandbox.writers.gleif import LegalEntitiesWriter
from bonafide.sandbox.writers.health_canada import LicenceHoldersWriter
from bonafide.sandbox.writers.mb import ManitobaWriter
from bonafide.sandbox.writers.moh import HealthProvidersWriter
from bonafide.sandbox.writers.montreal import MontrealPremisesWriter
from bonafide.sandbox.writers.naics import write_naics
from bonafide.sandbox.writers.nl_list import dutch_list
from bonafide.sandbox.writers.ofac import ConsolidatedWriter, SdnWriter
from bonafide.sandbox.writers.on_corporations import OntarioCorporationsWriter
from bonafide.sandbox.writers.on_firms import OntarioFirmsWriter
from bonafide.sandbox.writers.on_licences import OntarioLicencesWriter
from bonafide.sandbox.writers.qc import QuebecWriter
from bonafide.sandbox.writers.rbq import BuildingLicencesWriter
from bonafide.sandbox.writers.seco import swiss_list
from bonafide.sandbox.writers.sema import SanctionsWriter
from bonafide.sandbox.writers.sk import SaskatchewanWriter
from bonafide.sandbox.writers.terrorist_entities import TerroristEntitiesWriter
from bonafide.sandbox.writers.toronto import TorontoLicencesWriter
from bonafide.sandbox.writers.uk_list import british_list
from bonafide.sandbox.writers.un_list import security_council_list
from bonafide.sandbox.writers.vancouver import VancouverLicencesWriter
from bonafide.sandbox.writers.wsib import ClassificationsWriter
from bonafide.sandbox.writers.yt import YukonWriter

__all__ = ["DEFAULT_SEED", "WorldManifest", "write_world"]

DEFAULT_SEED = 1867
PROGRESS_STEP = 10_000
"""Businesses between two reports of progress."""

W = TypeVar("W", bound=Writer)
Take = Callable[[Business], None]

REGISTERS: Mapping[Jurisdiction, tuple[Callable[[Path], Writer], ...]] = {
    **{jurisdiction: (canonical.maker(jurisdiction),) for jurisdiction in Jurisdiction},
    Jurisdiction.AB: (AlbertaWriter,),
    Jurisdiction.FED: (FederalWriter,),
    Jurisdiction.MB: (ManitobaWriter,),
    Jurisdiction.ON: (OntarioCorporationsWriter, OntarioFirmsWriter),
    Jurisdiction.QC: (QuebecWriter,),
    Jurisdiction.SK: (SaskatchewanWriter,),
    Jurisdiction.YT: (YukonWriter,),
}
"""Who writes the files of each register."""

LISTS: Mapping[str, tuple[tuple[Jurisdiction, ...], Callable[[Path, int], ListWriter]]] = {
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
    "ca-sanctions-autonomous": ((), SanctionsWriter),
    "ca-sanctions-terrorist-entities": ((), TerroristEntitiesWriter),
    "un-sanctions-consolidated": ((), security_council_list),
    "us-sanctions-ofac-sdn": ((), SdnWriter),
    "us-sanctions-ofac-consolidated": ((), ConsolidatedWriter),
    "eu-sanctions-consolidated": ((), european_list),
    "uk-sanctions-list": ((), british_list),
    "ch-seco-sanctions": ((), swiss_list),
    "au-sanctions-consolidated": ((), australian_list),
    "nl-sanctions-terrorism": ((), dutch_list),
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
        targets = [*_fill(draft, size, seed, progress), *write_naics(draft)]
        manifest = WorldManifest(
            version=WORLD_VERSION, seed=seed, size=size, files=tuple(_described(draft, target) for target in targets)
        )
        (draft / MANIFEST_NAME).write_text(manifest.to_json(), encoding="utf-8")
        _move_into_place(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return manifest


def _fill(folder: Path, size: int, seed: int, progress: Callable[[int], None] | None) -> list[Target]:
    """Write every file, business by business, the fixed ones first. Returns what was written."""
    with ExitStack() as stack:

        def opened(writer: W) -> W:
            stack.callback(writer.close)
            return writer

        registers = {jurisdiction: [opened(make(folder)) for make in makers] for jurisdiction, makers in REGISTERS.items()}
        lists = {source: opened(make(folder, seed)) for source, (_, make) in LISTS.items()}
        directory = opened(DirectoryWriter(folder))
        for fixed in FIXED:
            for writer in registers[fixed.business.register]:
                writer.take(fixed.business)
            for source in fixed.lists:
                lists[source].list_fixed(fixed)
            directory.take(fixed.business)
        _hand_out(_takers(registers, lists, directory), size, seed, progress)
    return [
        target
        for writer in (*(writer for row in registers.values() for writer in row), *lists.values(), directory)
        for target in writer.targets
    ]


def _takers(
    registers: Mapping[Jurisdiction, list[Writer]], lists: Mapping[str, ListWriter], directory: DirectoryWriter
) -> dict[Jurisdiction, list[Take]]:
    """Who is handed the businesses of each register."""
    takers: dict[Jurisdiction, list[Take]] = {
        jurisdiction: [*(writer.take for writer in writers), directory.take] for jurisdiction, writers in registers.items()
    }
    for source, (jurisdictions, _) in LISTS.items():
        for jurisdiction in jurisdictions:
            takers[jurisdiction].append(lists[source].take)
    return takers


def _hand_out(takers: Mapping[Jurisdiction, list[Take]], size: int, seed: int, progress: Callable[[int], None] | None) -> None:
    for number, business in enumerate(businesses(seed, 0, size), start=1):
        for take in takers[business.register]:
            take(business)
        if progress is not None and (number % PROGRESS_STEP == 0 or number == size):
            progress(number)


def _described(folder: Path, target: Target) -> WorldFile:
    path = folder / target.path
    return WorldFile(
        source=target.source,
        resource=target.resource,
        path=target.path,
        route=target.route,
        size=path.stat().st_size,
        sha256=digest(path),
        url=target.url,
    )


def _move_into_place(draft: Path, folder: Path) -> None:
    """Rename the draft to the folder; what stood there goes when the new world is in its place."""
    old = draft.with_name(f"{draft.name}-old")
    if folder.exists():
        folder.rename(old)
    draft.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
