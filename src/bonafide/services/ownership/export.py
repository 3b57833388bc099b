"""Export the ownership of a business as a file of one of the formats of `formats/`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.diagrams.ownership_svg import draw_ownership
from bonafide.i18n.language import Language
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.file_format import OwnershipFormat
from bonafide.runtime import Runtime
from bonafide.services.ownership.formats.bods_export import write_bods
from bonafide.services.ownership.formats.bods_statements import BODS_MEDIA_TYPE
from bonafide.services.ownership.formats.csv_interests import CSV_MEDIA_TYPE, write_csv
from bonafide.services.ownership.formats.follow_the_money import FTM_MEDIA_TYPE, write_follow_the_money
from bonafide.services.ownership.formats.parquet_table import PARQUET_MEDIA_TYPE, write_parquet

SVG_MEDIA_TYPE = "image/svg+xml"


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The organization that publishes an export, by name, and the language of its texts."""

    publisher: str
    language: Language


@dataclass(frozen=True, slots=True)
class OwnershipFileType:
    """What files of a format are called, and what writes them."""

    media_type: str
    suffix: str
    write: Callable[[OwnershipAnswer, ExportOptions], bytes]


@dataclass(frozen=True, slots=True)
class OwnershipFile:
    """An export: its content, its media type and the name to save it under."""

    content: bytes
    media_type: str
    name: str


FILE_TYPES: Mapping[OwnershipFormat, OwnershipFileType] = MappingProxyType(
    {
        OwnershipFormat.JSON: OwnershipFileType("application/json", "json", lambda answer, _: answer.to_json().encode()),
        OwnershipFormat.BODS: OwnershipFileType(
            BODS_MEDIA_TYPE, "bods.json", lambda answer, options: write_bods(answer, options.publisher)
        ),
        OwnershipFormat.FTM: OwnershipFileType(
            FTM_MEDIA_TYPE, "ftm.json", lambda answer, options: write_follow_the_money(answer, options.publisher)
        ),
        OwnershipFormat.CSV: OwnershipFileType(CSV_MEDIA_TYPE, "csv", lambda answer, _: write_csv(answer)),
        OwnershipFormat.PARQUET: OwnershipFileType(PARQUET_MEDIA_TYPE, "parquet", lambda answer, _: write_parquet(answer)),
        OwnershipFormat.SVG: OwnershipFileType(
            SVG_MEDIA_TYPE, "svg", lambda answer, options: draw_ownership(answer, options.language, has_own_colours=True).encode()
        ),
    }
)


async def write_ownership(
    runtime: Runtime, organization_id: UUID, answer: OwnershipAnswer, file_format: OwnershipFormat, options: ExportOptions
) -> OwnershipFile:
    """The ownership of a business as a file. A large diagram takes half a second of a processor."""
    file_type = FILE_TYPES[file_format]
    with runtime.compute_for(organization_id):
        content = await run_cpu_bound(file_type.write, answer, options)
    return OwnershipFile(content, file_type.media_type, f"ownership-{answer.business_id}.{file_type.suffix}")
