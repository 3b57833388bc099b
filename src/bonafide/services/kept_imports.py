"""Files that somebody has sent to be imported, kept while they look at what would become of it, and then what became of it.

The key of an import says until when it may be used, an hour from its beginning. A job removes what is left of it.
"""

import re
import secrets
from datetime import UTC, datetime, timedelta
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.runtime import Runtime
from bonafide.services.errand import Errand
from bonafide.services.import_result import ImportResult
from bonafide.store.work import jobs
from bonafide.store.work.jobs import NewJob

FORGET_JOB = "forget-import"
KEPT_FOR = timedelta(hours=1)
MAX_ATTEMPTS = 5
GONE = "This file is not kept any more: send it again."
_RANDOM_BYTES = 16
_KEY = re.compile(r"([0-9]{1,12})-[0-9a-f]{32}", re.ASCII)
_SENT, _RESULT, _REFUSED = "{}.csv", "{}.json", "{}-refused.csv"


async def keep_import(runtime: Runtime, organization_id: UUID, content: bytes) -> str:
    """Keep a file for the organization; returns its key."""
    ends_at = runtime.clock() + KEPT_FOR
    key = f"{int(ends_at.timestamp())}-{secrets.token_hex(_RANDOM_BYTES)}"
    async with runtime.store.write() as connection:
        await jobs.enqueue(connection, organization_id, NewJob(FORGET_JOB, key, Errand.now().to_json(), ends_at, MAX_ATTEMPTS))
    await runtime.files.put(organization_id, _name(_SENT, key), content, "text/csv")
    return key


async def kept_import(runtime: Runtime, organization_id: UUID, key: str) -> bytes:
    """The file. Raises `NotFound` when it is not kept, or not any more."""
    return await _kept(runtime, organization_id, _SENT, key)


async def keep_result(runtime: Runtime, organization_id: UUID, key: str, result: ImportResult, refusals: bytes | None) -> None:
    """Keep what became of the import in place of the file, with the refused rows if there are some.

    Of two that were begun at once the first counts: to the other one most rows had changed nothing.
    """
    if refusals is not None:
        await runtime.files.put_new(organization_id, _name(_REFUSED, key), refusals, "text/csv")
    await runtime.files.put_new(organization_id, _name(_RESULT, key), result.to_json().encode(), "application/json")
    await runtime.files.delete(organization_id, _name(_SENT, key))


async def kept_result(runtime: Runtime, organization_id: UUID, key: str) -> ImportResult | None:
    """What became of the import; None for one that nobody has confirmed yet."""
    try:
        return ImportResult.model_validate_json(await _kept(runtime, organization_id, _RESULT, key))
    except NotFound:
        return None


async def kept_refusals(runtime: Runtime, organization_id: UUID, key: str) -> bytes:
    """The file of refused rows. Raises `NotFound`."""
    return await _kept(runtime, organization_id, _REFUSED, key)


async def forget_import(runtime: Runtime, organization_id: UUID, key: str) -> None:
    """Remove whatever is kept of an import; it may be gone already."""
    if _KEY.fullmatch(key) is not None:
        for form in (_SENT, _RESULT, _REFUSED):
            await runtime.files.delete(organization_id, _name(form, key))


async def _kept(runtime: Runtime, organization_id: UUID, form: str, key: str) -> bytes:
    found = _KEY.fullmatch(key)
    if found is None or datetime.fromtimestamp(int(found[1]), UTC) <= runtime.clock():
        raise NotFound(GONE)
    try:
        return await runtime.files.get(organization_id, _name(form, key))
    except NotFound:
        raise NotFound(GONE) from None


def _name(form: str, key: str) -> str:
    return f"imports/{form.format(key)}"
