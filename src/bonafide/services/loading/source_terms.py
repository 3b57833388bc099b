"""The operator's acceptance of the terms of sources.

Whether a source may be asked follows from the settings alone (`asking`); this is the record of who accepted what, and since when.
"""

from bonafide.errors import ConfigurationError
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import TermsOfUse
from bonafide.store.records import source_rows as acceptances

_log = get_logger(__name__)


def find_acceptance_blocker(runtime: Runtime, key: str, terms: TermsOfUse | None) -> str | None:
    """What the operator has to accept before a program may use a source so; None where nothing is asked for, or it is accepted."""
    if terms is None or runtime.settings.accepted_terms.get(key) == terms.version:
        return None
    title = runtime.sources[key].metadata.title if key in runtime.sources else key
    return (
        f"{title} is asked only when the operator has accepted its terms "
        f"(accepted_terms, version {terms.version}): {terms.text.strip()}"
    )


async def record_acceptances(runtime: Runtime) -> None:
    """Record each acceptance that is new. Raises `ConfigurationError` for a source that is unknown or has no terms."""
    settings = runtime.settings
    accepted = [_build_acceptance(runtime, key, version) for key, version in settings.accepted_terms.items()]
    async with runtime.store.write() as connection:
        new = [item for item in accepted if item is not None and await acceptances.record_acceptance(connection, item)]
    for item in new:
        _log.info("terms accepted", source=item.source, version=item.version, accepted_by=item.accepted_by)


def _build_acceptance(runtime: Runtime, key: str, version: str) -> acceptances.TermsAcceptance | None:
    """What is to be recorded; None for another version of the terms than there is: it opens nothing, and the coverage says so."""
    source = runtime.sources.get(key)
    wanted = _get_terms(source) if source is not None else None
    if wanted is None:
        raise ConfigurationError(f"accepted_terms: there is no source {key!r} whose terms could be accepted")
    if wanted.version != version:
        _log.warning("terms have changed", source=key, accepted=version, current=wanted.version)
        return None
    return acceptances.TermsAcceptance(key, version, runtime.settings.terms_accepted_by or "", wanted.text, runtime.clock())


def _get_terms(source: Source) -> TermsOfUse | None:
    """The terms of its files, or else of asking it."""
    live = source.metadata.live
    return source.metadata.acceptance or (live.terms if live is not None else None)
