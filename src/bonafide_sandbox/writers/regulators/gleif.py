"""GLEIF's golden copy: entities with an LEI, a few of them Canadian, and the response that contains the file's URL."""

import csv
import io
import json
import zipfile
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator import check_digits
from bonafide_sandbox.generator.business import FIRM_KINDS, LIVE_STATUSES, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import ListWriterFactory, TargetFile
from bonafide_sandbox.writers.regulators.gleif_columns import COLUMNS

NAME = f"{TODAY:%Y%m%d}-0000-gleif-goldencopy-lei2-golden-copy.csv"
URL = f"https://goldencopy.gleif.org/storage/golden-copy-files/{TODAY:%Y/%m/%d}/1290001/{NAME}.zip"
LIMIT = 70_000
"""Approximately the number of Canadian entities."""
ONE_IN = 12
FOREIGNERS = 3
"""This many foreign entities precede each Canadian one."""
PREFIX = "999900"
"""No LEI issuer has this prefix: an issuer's four characters are followed by two zeros."""
FORMS = {Jurisdiction.FED: "UDLA", Jurisdiction.ON: "O90R", Jurisdiction.AB: "8ZH8"}
ABROAD = (("US", "US-DE", "RA000602", "XTIQ"), ("GB", "GB", "RA000585", "H0PO"), ("LU", "LU", "RA000432", "5GGB"))
"""The country, jurisdiction, register and legal form of foreign entities."""
_AUTHORITIES = {
    jurisdiction: f"RA{72 + place:06d}" for place, jurisdiction in enumerate(("FED", "AB", "BC", "MB", "NB", "NL", "NS", "ON"))
} | {jurisdiction: f"RA{80 + place:06d}" for place, jurisdiction in enumerate(("PE", "QC", "SK", "NT", "NU", "YT"))}


class LegalEntitiesWriter:
    """Writes one row per entity, compressed as it is written. All cells are quoted, as in the real file."""

    targets = (
        TargetFile("gleif", "publications", "gleif/publications.json", DeliveryRoute.PAGE),
        TargetFile("gleif", "golden_copy", f"gleif/{NAME}.zip", DeliveryRoute.DOWNLOAD, URL),
    )

    def __init__(self, folder: Path, _seed: int) -> None:
        self._answer, self._packed = (folder / target.path for target in self.targets)
        self._packed.parent.mkdir(parents=True, exist_ok=True)
        self._archive = zipfile.ZipFile(self._packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        member = zipfile.ZipInfo(NAME, TODAY.timetuple()[:6])
        member.compress_type = zipfile.ZIP_DEFLATED
        self._text = io.TextIOWrapper(self._archive.open(member, "w", force_zip64=True), "utf-8", newline="")
        self._writer = csv.writer(self._text, quoting=csv.QUOTE_ALL, lineterminator="\n")
        self._writer.writerow(COLUMNS)
        self._count = 0

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it has an LEI."""
        if has_lei(business) and self._count < LIMIT:
            self._add(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business."""
        self._add(fixed.business)

    def close(self) -> None:
        """Finish the file, and write the response that links to it."""
        self._text.close()
        self._archive.close()
        file = {"type": "csv", "url": URL, "size": self._packed.stat().st_size, "record_count": self._count * (FOREIGNERS + 1)}
        publication = {"publish_date": f"{TODAY} 00:00:00", "lei2": {"type": "LEI_3.1", "full_file": {"csv": file}}}
        self._answer.write_text(json.dumps({"data": [publication]}, indent=1), encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        for _ in range(FOREIGNERS):
            self._write(self._foreigner(business))
        self._write(build_cells(business))
        self._count += 1

    def _write(self, cells: dict[str, str]) -> None:
        self._writer.writerow([cells.get(column, "") for column in COLUMNS])

    def _foreigner(self, business: SandboxBusiness) -> dict[str, str]:
        """Return an entity in another country whose name resembles a Canadian one."""
        serial = business.random_bits % 1_000_000
        country, jurisdiction, authority, form = ABROAD[serial % len(ABROAD)]
        return _registration(f"{PREFIX}SBF{serial:09d}", business) | {
            "Entity.LegalName": f"{business.name} {country}",
            "Entity.LegalName.xmllang": "en",
            **{f"Entity.{kind}.FirstAddressLine": business.address.street for kind in ("LegalAddress", "HeadquartersAddress")},
            **{f"Entity.{kind}.City": "Elsewhere" for kind in ("LegalAddress", "HeadquartersAddress")},
            **{f"Entity.{kind}.Country": country for kind in ("LegalAddress", "HeadquartersAddress")},
            "Entity.RegistrationAuthority.RegistrationAuthorityID": authority,
            "Entity.RegistrationAuthority.RegistrationAuthorityEntityID": str(serial),
            "Entity.LegalJurisdiction": jurisdiction,
            "Entity.LegalForm.EntityLegalFormCode": form,
        }


def has_lei(business: SandboxBusiness) -> bool:
    """Return whether a generated business has an LEI. For fixed businesses, their lists decide."""
    return business.random_bits % ONE_IN == 5 and business.standing in LIVE_STATUSES and business.kind not in FIRM_KINDS  # noqa: PLR2004


def build_cells(business: SandboxBusiness) -> dict[str, str]:
    """Return the row of a business by column name. Missing columns are blank."""
    cells = _registration(f"{PREFIX}SBX{business.business_number}", business) | {
        "Entity.LegalName": business.name,
        "Entity.LegalName.xmllang": "fr" if business.french else "en",
        "Entity.RegistrationAuthority.RegistrationAuthorityID": _AUTHORITIES[business.register],
        "Entity.RegistrationAuthority.RegistrationAuthorityEntityID": business.number,
        "Entity.LegalJurisdiction": "CA" if business.register is Jurisdiction.FED else f"CA-{business.register}",
        "Entity.LegalForm.EntityLegalFormCode": FORMS.get(business.register, "8888"),
        "Entity.LegalForm.OtherLegalForm": "" if business.register in FORMS else "COMPANY",
        "Entity.EntityCreationDate": f"{business.registered_on}T00:00:00Z",
    }
    names = [(name, "TRADING_OR_OPERATING_NAME") for name in business.other_names]
    names += [(former.name, "PREVIOUS_LEGAL_NAME") for former in business.former_names]
    for place, (name, kind) in enumerate(names[:5], start=1):
        cells[f"Entity.OtherEntityNames.OtherEntityName.{place}"] = name
        cells[f"Entity.OtherEntityNames.OtherEntityName.{place}.type"] = kind
    return cells | _address("LegalAddress", business) | _address("HeadquartersAddress", business)


def _address(kind: str, business: SandboxBusiness) -> dict[str, str]:
    address = business.address
    return {
        f"Entity.{kind}.FirstAddressLine": address.street,
        f"Entity.{kind}.AdditionalAddressLine.1": f"Suite {address.unit}" if address.unit is not None else "",
        f"Entity.{kind}.City": address.city,
        f"Entity.{kind}.Region": f"CA-{address.province}",
        f"Entity.{kind}.Country": "CA",
        f"Entity.{kind}.PostalCode": address.postal_code,
    }


def _registration(payload: str, business: SandboxBusiness) -> dict[str, str]:
    """Return the LEI and the cells that are the same for all kinds of entities."""
    lapsed = business.standing is not LifecycleStatus.ACTIVE or business.random_bits // ONE_IN % 3 == 0
    return {
        "LEI": payload + check_digits.compute_lei(payload),
        "Entity.EntityCategory": "GENERAL",
        "Entity.EntityStatus": "ACTIVE",
        "Registration.InitialRegistrationDate": "2015-03-02T09:30:00Z",
        "Registration.LastUpdateDate": "2026-02-03T10:00:00Z",
        "Registration.RegistrationStatus": "LAPSED" if lapsed else "ISSUED",
        "Registration.NextRenewalDate": "2025-03-02T09:30:00Z" if lapsed else "2027-03-02T09:30:00Z",
        "Registration.ManagingLOU": PREFIX + "SANDBOXLOU00" + check_digits.compute_lei(PREFIX + "SANDBOXLOU00"),
        "Registration.ValidationSources": "FULLY_CORROBORATED",
        "ConformityFlag": "CONFORMING",
    }


WRITERS = (ListWriterFactory("gleif", tuple(Jurisdiction), LegalEntitiesWriter, follows_register=True),)
