"""Make examiner's packs in this process, as a worker does."""

from io import BytesIO
from uuid import UUID
from zipfile import ZipFile

from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Principal
from bonafide.model.packs.pack import Pack, PackFormat, PackRequest
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.packs.building import build_pack
from bonafide.services.packs.requests import open_download, read_pack, request_pack

ANALYST = Author("analyst@north.example")


async def ask_for_pack(runtime: Runtime, principal: Principal, request: PackRequest, language: Language = Language.ENGLISH) -> UUID:
    """Request a pack, which is not made yet."""
    return (await request_pack(runtime, principal, request, language, ANALYST)).id


async def make_pack(runtime: Runtime, principal: Principal, request: PackRequest, language: Language = Language.ENGLISH) -> Pack:
    """Request a pack and make it."""
    pack_id = await ask_for_pack(runtime, principal, request, language)
    await build_pack(runtime, principal.organization_id, pack_id, is_last_attempt=True)
    return await read_pack(runtime, principal.organization_id, pack_id)


async def download(runtime: Runtime, principal: Principal, pack_id: UUID, file_format: PackFormat = PackFormat.ZIP) -> bytes:
    """A file of a ready pack."""
    found = await open_download(runtime, principal.organization_id, pack_id, file_format)
    return b"".join([part async for part in found.parts])


def list_names(packed: bytes) -> list[str]:
    """The names of the files of a ZIP."""
    with ZipFile(BytesIO(packed)) as archive:
        return archive.namelist()


def read_packed(packed: bytes, name: str) -> bytes:
    """One file of a ZIP."""
    with ZipFile(BytesIO(packed)) as archive:
        return archive.read(name)
