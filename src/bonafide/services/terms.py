"""The operator's acceptance of sources' terms, written down when a process first sees it in the settings.

Whether a source may be asked follows from the settings alone (`asking`); this is the record of who accepted what, and since when.
"""

from bonafide.errors import ConfigurationError
from bonafide.log import get_logger
from bonafide.runtime import Runtime
from bonafide.store import terms

_log = get_logger(__name__)


async def record_acceptances(runtime: Runtime) -> None:
    """Record each acceptance that is new. Raises `ConfigurationError` for a source that is unknown or has no terms."""
    settings = runtime.settings
    accepted = [_acceptance(runtime, key, version) for key, version in settings.accepted_terms.items()]
    async with runtime.store.write() as connection:
        new = [item for item in accepted if item is not None and await terms.record(connection, item)]
    for item in new:
        _log.info("terms accepted", source=item.source, version=item.version, accepted_by=item.accepted_by)


def _acceptance(runtime: Runtime, key: str, version: str) -> terms.Acceptance | None:
    """What is to be recorded; None for another version of the terms than there is: it opens nothing, and the coverage says so."""
    source = runtime.sources.get(key)
    wanted = source.metadata.live.terms if source is not None and source.metadata.live is not None else None
    if wanted is None:
        raise ConfigurationError(f"accepted_terms: there is no source {key!r} whose terms could be accepted")
    if wanted.version != version:
        _log.warning("terms have changed", source=key, accepted=version, current=wanted.version)
        return None
    return terms.Acceptance(key, version, runtime.settings.terms_accepted_by or "", wanted.text, runtime.clock())
