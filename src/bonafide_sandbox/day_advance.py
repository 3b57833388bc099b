"""Move the sandbox of a data directory to another day: write the world of that day, and load what has changed.

A running demo serves the new day and uses the new generations without a restart. If the process is killed after the day has been
stored, the next start of the demo or the next move loads the rest.
"""

import asyncio

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import Progress
from bonafide_sandbox.demo import load_world
from bonafide_sandbox.entry_changes import ChangeRecorder
from bonafide_sandbox.generator.changes.schedule import check_day
from bonafide_sandbox.stored_day import (
    StoredDay,
    delete_other_days,
    lock_sandbox,
    read_stored_day,
    resolve_world_folder,
    store_day,
)
from bonafide_sandbox.world.builder import write_world


async def advance_days(runtime: Runtime, days: int, progress: Progress) -> tuple[StoredDay, ChangeRecorder]:
    """Let a number of days pass. Returns the new day, and what has changed in the entries of the loaded sources.

    Raises `ConfigurationError` if the number of days is not positive, the last day of the calendar is exceeded or the data
    directory has no sandbox, and `RefreshRefused` while another process moves or loads it.
    """
    if days < 1:
        raise ConfigurationError(Message.untranslated(f"the number of days must be positive, not {days:,}"))
    with lock_sandbox(runtime.settings):
        today = _read_today(runtime)
        return await _move(runtime, today, today.day + days, progress)


async def return_to_first_day(runtime: Runtime, progress: Progress) -> tuple[StoredDay, ChangeRecorder]:
    """Return to day 0, as `advance_days` moves to a later day."""
    with lock_sandbox(runtime.settings):
        return await _move(runtime, _read_today(runtime), 0, progress)


def _read_today(runtime: Runtime) -> StoredDay:
    today = read_stored_day(runtime.settings)
    if today is None:
        problem = f"{runtime.settings.data_dir} has no sandbox: start `bonafide demo` first"
        raise ConfigurationError(Message.untranslated(problem))
    return today


async def _move(runtime: Runtime, today: StoredDay, day: int, progress: Progress) -> tuple[StoredDay, ChangeRecorder]:
    check_day(day)
    settings, wanted = runtime.settings, StoredDay(size=today.size, day=day)
    folder = resolve_world_folder(settings, wanted)
    manifest = await asyncio.to_thread(
        write_world,
        folder,
        size=wanted.size,
        day=day,
        earlier=resolve_world_folder(settings, today),
        progress=lambda done: progress("invent", done, wanted.size),
    )
    store_day(settings, wanted)
    recorder = ChangeRecorder(runtime)
    await load_world(runtime, folder, manifest, progress, recorder)
    # A running server may still answer a request from the day before.
    delete_other_days(settings, {today, wanted})
    return wanted, recorder
