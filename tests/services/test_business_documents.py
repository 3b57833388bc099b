"""Documents of a business record: a file that is not recorded is not kept."""

import asyncio
from uuid import uuid4, uuid5

import pytest

from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.accounts.organizations import Principal
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.documents import MAX_BUSINESS_DOCUMENTS
from bonafide.runtime import Runtime
from bonafide.services.records import business_records
from bonafide.services.records.documents import add_document
from bonafide.services.records.uploads import UploadedDocument
from bonafide.store.records import business_documents
from bonafide.store.records.business_documents import StoredBusinessDocument
from tests.support.services.runtimes import principal_of
from tests.support.services.sanctions_lists import ANALYST

pytestmark = pytest.mark.anyio
PDF = UploadedDocument("register.pdf", b"%PDF-1.7\nregister")


@pytest.fixture
async def north(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north")


async def list_files(runtime: Runtime) -> list[str]:
    return [name async for _, name in runtime.files.list_all()]


async def test_no_file_is_stored_for_a_business_that_is_full(empty_runtime: Runtime, north: Principal) -> None:
    wanted = BusinessUpsert.model_validate({"name": "Sandbox Bakery Inc."})
    record = (await business_records.upsert(empty_runtime, north.organization_id, wanted, ANALYST)).record
    kept = await add_document(empty_runtime, north.organization_id, record.id, PDF, ANALYST)
    files = await list_files(empty_runtime)
    async with empty_runtime.store.write() as connection:
        for number in range(MAX_BUSINESS_DOCUMENTS - 1):
            row = StoredBusinessDocument(uuid5(record.id, str(number)), record.id, kept.uploaded_at, kept.to_json())
            await business_documents.add(connection, north.organization_id, row)
    with pytest.raises(ValidationFailed):
        await add_document(empty_runtime, north.organization_id, record.id, PDF, ANALYST)
    assert await list_files(empty_runtime) == files


async def test_no_file_is_stored_for_an_unknown_business(empty_runtime: Runtime, north: Principal) -> None:
    with pytest.raises(NotFound):
        await add_document(empty_runtime, north.organization_id, uuid4(), PDF, ANALYST)
    assert await list_files(empty_runtime) == []


async def test_of_uploads_at_the_limit_only_files_with_a_description_are_kept(empty_runtime: Runtime, north: Principal) -> None:
    """All of them pass the first check; the last one that fits is recorded, and the files of the others are removed."""
    wanted = BusinessUpsert.model_validate({"name": "Sandbox Bakery Inc."})
    record = (await business_records.upsert(empty_runtime, north.organization_id, wanted, ANALYST)).record
    kept = await add_document(empty_runtime, north.organization_id, record.id, PDF, ANALYST)
    async with empty_runtime.store.write() as connection:
        for number in range(MAX_BUSINESS_DOCUMENTS - 2):
            row = StoredBusinessDocument(uuid5(record.id, str(number)), record.id, kept.uploaded_at, kept.to_json())
            await business_documents.add(connection, north.organization_id, row)
    uploads = [add_document(empty_runtime, north.organization_id, record.id, PDF, ANALYST) for _ in range(4)]
    results = await asyncio.gather(*uploads, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["BusinessDocument", *["ValidationFailed"] * 3]
    assert len(await list_files(empty_runtime)) == 2
