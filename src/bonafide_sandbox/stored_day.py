"""The day of the sandbox's calendar, and the folder of its world, in the data directory.

The day is stored in `sandbox/calendar.json`. Replacing this file moves the sandbox to another day: the demo continues on the stored
day after a restart, and a running sandbox server serves the stored day from its next request on (`current_world`).
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import Field, ValidationError

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.index.format.segment_files import sync_folder, write_durably
from bonafide.index.generations.generation_store import hold_exclusive_lock
from bonafide.model.base import Document
from bonafide.settings import Settings
from bonafide_sandbox.generator.changes.schedule import LAST_DAY

CALENDAR_FILE = "calendar.json"
_LATER_WORLD_NAME = re.compile(r"\d+-day-\d+")


class StoredDay(Document):
    """The size and the day of the sandbox of a data directory."""

    size: int
    """The number of generated businesses on day 0."""
    day: int = Field(ge=0, le=LAST_DAY)


def resolve_calendar_path(settings: Settings) -> Path:
    """Return the path of the file that contains the day."""
    return _resolve_folder(settings) / CALENDAR_FILE


def resolve_world_folder(settings: Settings, stored: StoredDay) -> Path:
    """Return the folder of the world of this size and day."""
    return _resolve_folder(settings) / (f"{stored.size}-day-{stored.day}" if stored.day else str(stored.size))


def read_stored_day(settings: Settings) -> StoredDay | None:
    """Return the stored day, or None before the first start of the demo. Raises `ConfigurationError` if the file is damaged."""
    path = resolve_calendar_path(settings)
    try:
        return StoredDay.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        problem = f"{path} is damaged. Delete it, and the sandbox starts on day 0."
        raise ConfigurationError(Message.untranslated(problem)) from error


def store_day(settings: Settings, stored: StoredDay) -> None:
    """Store the day durably."""
    path = resolve_calendar_path(settings)
    draft = path.with_suffix(".draft")
    write_durably(draft, stored.to_json().encode())
    draft.replace(path)
    sync_folder(path.parent)


@contextmanager
def lock_sandbox(settings: Settings) -> Iterator[None]:
    """Lock the sandbox of a data directory. Raises `RefreshRefused` while another process moves or loads it."""
    folder = _resolve_folder(settings)
    folder.mkdir(parents=True, exist_ok=True)
    with hold_exclusive_lock(folder, "sandbox"):
        yield


def delete_other_days(settings: Settings, kept: set[StoredDay]) -> None:
    """Delete the worlds of days after day 0 that are not to be kept."""
    names = {resolve_world_folder(settings, stored).name for stored in kept}
    for folder in _resolve_folder(settings).iterdir():
        if folder.is_dir() and _LATER_WORLD_NAME.fullmatch(folder.name) and folder.name not in names:
            shutil.rmtree(folder, ignore_errors=True)


def _resolve_folder(settings: Settings) -> Path:
    return settings.data_dir / "sandbox"
