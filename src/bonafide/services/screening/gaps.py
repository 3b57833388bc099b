"""Lists that could not be screened, and why the screening is incomplete.

"Nothing found" and "not screened" are never the same result.
"""

from collections.abc import Sequence

from bonafide.errors import SourceErrorCode
from bonafide.model.search.match import UnscreenedList
from bonafide.model.search.result import CheckError
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.results.document_parts import find_check_error

NOT_LOADED = "No data of it is loaded"


def find_unscreened_lists(results: Sequence[SourceResult]) -> tuple[UnscreenedList, ...]:
    """The lists that failed, and those of which nothing is loaded."""
    return tuple(item for item in map(_to_unscreened_list, results) if item is not None)


def _to_unscreened_list(result: SourceResult) -> UnscreenedList | None:
    key, error = result.source.key, result.error
    if error is not None:
        return UnscreenedList(source=key, code=error.code, message=error.message, retryable=error.retryable)
    if result.origin is not None:
        return None
    metadata = result.source.metadata
    # For a list that no program may download, the note says how to import a file of it.
    note = result.note or metadata.access_note or NOT_LOADED
    message = f"{metadata.title}: {' '.join(note.split())}"
    return UnscreenedList(source=key, code=SourceErrorCode.UNAVAILABLE, message=message, retryable=False)


def find_incompleteness(results: Sequence[SourceResult]) -> CheckError | None:
    """Why a screening is incomplete, with the keys of all lists that are missing; None when all of them were screened."""
    missing = find_unscreened_lists(results)
    if len(results) != 1 and len(missing) == len(results):
        return find_check_error("sanctions list", results)
    if not missing:
        return None
    first, *others = missing
    more = f" Not screened either: {', '.join(item.source for item in others)}." if others else ""
    message = f"{first.source} was not screened. {first.message.rstrip('. ')}.{more}"
    return CheckError(code=first.code, message=message, retryable=first.retryable)
