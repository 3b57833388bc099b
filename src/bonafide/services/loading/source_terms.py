"""The operator's acceptance of the terms of sources.

Only the settings determine whether a source may be used; this is the record of who accepted which terms, and when.
"""

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import TermsOfUse
from bonafide.store.records import source_rows as acceptances

_log = get_logger(__name__)


def find_acceptance_blocker(runtime: Runtime, key: str, terms: TermsOfUse | None) -> Message | None:
    """The terms that the operator must accept first; None if there are none or they are accepted."""
    if terms is None or runtime.settings.accepted_terms.get(key) == terms.version:
        return None
    title = runtime.sources[key].metadata.title if key in runtime.sources else key
    return Message(
        "The operator must accept the terms of {source} first (`accepted_terms`, version {version}): {terms}",
        source=title,
        version=terms.version,
        terms=terms.text,
    )


async def record_acceptances(runtime: Runtime) -> None:
    """Record each acceptance that is new. Raises `ConfigurationError` for a source that is unknown or has no terms."""
    settings = runtime.settings
    accepted = [_build_acceptance(runtime, key, version) for key, version in settings.accepted_terms.items()]
    async with runtime.store.write() as connection:
        new = [item for item in accepted if item is not None and await acceptances.record_acceptance(connection, item)]
    for item in new:
        _log.info("terms.accepted", source=item.source, version=item.version, accepted_by=item.accepted_by)


def _build_acceptance(runtime: Runtime, key: str, version: str) -> acceptances.TermsAcceptance | None:
    """The acceptance to record; None for another version than the current one, which has no effect."""
    source = runtime.sources.get(key)
    terms = _get_terms(source) if source is not None else None
    if terms is None:
        raise ConfigurationError(Message("`accepted_terms`: '{source}' is not a source with terms.", source=key))
    if terms.version != version:
        _log.warning("terms.changed", source=key, accepted=version, current=terms.version)
        return None
    return acceptances.TermsAcceptance(key, version, runtime.settings.terms_accepted_by or "", terms.text, runtime.clock())


def _get_terms(source: Source) -> TermsOfUse | None:
    """The terms of its files, or else those of live queries."""
    live = source.metadata.live
    return source.metadata.acceptance or (live.terms if live is not None else None)
