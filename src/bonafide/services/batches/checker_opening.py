"""Open what the rows of a batch are compared with, as it is loaded now."""

import asyncio
from uuid import UUID

from bonafide.i18n.message import Message
from bonafide.model.accounts.account_settings import VerificationSettings
from bonafide.model.batches.batch import BatchKind
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.batches.row_checks import BatchTask, RowChecker
from bonafide.services.batches.screening_rows import ScreeningRowChecker
from bonafide.services.batches.search_rows import SearchRowChecker
from bonafide.services.batches.verification_rows import VerificationRowChecker
from bonafide.services.indexing.combined_index import get_current_generations, open_indexes
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.screening.list_cache import open_lists
from bonafide.services.screening.standalone import get_official_lists

NOT_QUERIED = Message("The register is not loaded, and a batch does not query live registers.")


async def open_checker(runtime: Runtime, kind: BatchKind, task: BatchTask, organization_id: UUID) -> RowChecker:
    """The checker of a batch of the organization, whose settings say how strictly rows are verified."""
    if kind is BatchKind.VERIFY:
        settings = (await read_settings(runtime, organization_id)).verification
        return await open_verification_checker(runtime, task, settings)
    return await open_plain_checker(runtime, kind, task)


async def open_plain_checker(runtime: Runtime, kind: BatchKind, task: BatchTask) -> RowChecker:
    """The checker of a kind without an organization; rows are verified as the default settings say."""
    if kind is BatchKind.VERIFY:
        return await open_verification_checker(runtime, task, VerificationSettings())
    rarity = await get_loaded_rarity(runtime, task.world)
    if kind is BatchKind.SCREEN:
        lists = await asyncio.to_thread(open_lists, runtime, task.world, get_official_lists(runtime))
        return ScreeningRowChecker(task, lists, rarity)
    registers = runtime.list_registers()
    await open_indexes(runtime, task.world, registers)
    current = get_current_generations(runtime, task.world, registers)
    loaded = [source for source in registers if source.key in current]
    others = {
        source.key: (source, NOT_QUERIED if source.live is not None else source.metadata.access_note or NOT_QUERIED)
        for source in registers
        if source.key not in current
    }
    return SearchRowChecker(runtime, task, loaded, others, rarity)


async def open_verification_checker(runtime: Runtime, task: BatchTask, settings: VerificationSettings) -> RowChecker:
    """The checker of verifications, with the indexes of all registers open."""
    registers = runtime.list_registers()
    await open_indexes(runtime, task.world, registers)
    return VerificationRowChecker(runtime, task, settings)
