"""Build entries from the businesses of OrgBook BC.

OrgBook has one status, historical, for all businesses that have ended. The reason of the credential gives the status code. Reasons
that are not in the table are ignored: most of the 554 do not concern the status.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.model.entity import NameHistoryItem, RegistrationNumber, StatusCode, StatusHistoryItem
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.live import LiveContext
from bonafide.sources.registries.bc.orgbook import NAME, STATUS, OrgBookCredential, OrgBookStatement, OrgBookTopic, parse_day

ASSUMED = "entity_name_assumed"
"""The name under which an extraprovincial company is registered because its own name was taken."""
TRANSLATED = "entity_name_trans"
BUSINESS_NUMBER = "business_number"
STATUS_EFFECTIVE = "entity_status_effective"
REASON = "reason_description"
HISTORICAL = "HIS"
BN_LABEL = "Business Number (BN)"
_BEGINNINGS = {
    "amalgamation": Message("{number}: the registration date is that of an amalgamation, not of an incorporation"),
    "continuation": Message("{number}: the registration date is that of a continuation, not of an incorporation"),
    "society": Message("{number}: the registration date is that of a conversion from a society, not of an incorporation"),
    "special act": Message(
        "{number}: the registration date is that of a conversion from a special act corporation, not of an incorporation"
    ),
}
"""Notes about registration dates, by the meanings of reasons in `terms` of `source.yml`."""


def build_entry(topic: OrgBookTopic, context: LiveContext) -> RegistryEntry | None:
    """The business as it is now; None, with a note, for one without a name."""
    name, status, kind = topic.name(NAME), topic.fact(STATUS), topic.fact("entity_type")
    if name is None:
        context.words.note(Message("OrgBook has no name for {number}, which was skipped", number=topic.source_id))
        return None
    template = context.metadata.entry_url
    others = [other for other in (*topic.named(ASSUMED), *topic.named(TRANSLATED)) if other != name]
    return RegistryEntry(
        entry_id=topic.source_id,
        source_url=template.format(number=topic.source_id) if template is not None else None,
        jurisdiction=Jurisdiction.BC,
        legal_name=name,
        alternate_names=tuple(dict.fromkeys(others)),
        registration_numbers=tuple(_build_numbers(topic, context)),
        entity_type=context.words.term(kind) if kind is not None else None,
        status=context.metadata.terms.get(status, status) if status is not None else None,
        status_code=_read_status_code(topic, context),
        # Good standing depends on annual reports, which OrgBook does not have.
        good_standing=False if status == HISTORICAL else None,
        incorporation_date=topic.day("registration_date"),
        home_jurisdiction=_find_home(topic, context),
    )


def build_report_entry(topic: OrgBookTopic, credentials: Sequence[OrgBookCredential], context: LiveContext) -> RegistryEntry:
    """The business with its history from its credentials in order. Raises `ParseFailed` for one without a name."""
    entry = build_entry(topic, context)
    if entry is None:
        raise ParseFailed(Message("OrgBook has no name for {number}", number=topic.source_id))
    if entry.incorporation_date is not None:
        _note_registration_date(topic, credentials[0], context)
    ended = list(takewhile(_is_historical, reversed(credentials)))
    return entry.model_copy(
        update={
            "name_history": tuple(_build_former_names(credentials)),
            "status_history": tuple(_build_former_statuses(credentials, context)),
            "status_code": _read_status_code(ended[-1], context) if ended else entry.status_code,
        }
    )


def _build_numbers(topic: OrgBookTopic, context: LiveContext) -> Iterator[RegistrationNumber]:
    yield RegistrationNumber(label=str(context.metadata.number_label), value=topic.source_id)
    for number in dict.fromkeys(topic.named(BUSINESS_NUMBER)):
        yield RegistrationNumber(label=BN_LABEL, value=number)


def _find_home(topic: OrgBookTopic, context: LiveContext) -> str | None:
    """The home jurisdiction of an extraprovincial business. Its number there is not published."""
    home = topic.fact("home_jurisdiction")
    return parse_home_jurisdiction(context.metadata.terms.get(f"home {home}", home), Jurisdiction.BC)


# ------------------------------------------------------------------------------------------------------------ status


def _read_status_code(statement: OrgBookStatement, context: LiveContext) -> StatusCode:
    reason = statement.fact(REASON)
    ending = context.words.find_status(reason) if reason is not None and _is_historical(statement) else None
    return ending if ending is not None else context.words.status(statement.fact(STATUS))


def _build_former_statuses(credentials: Sequence[OrgBookCredential], context: LiveContext) -> Iterator[StatusHistoryItem]:
    """The statuses before the current one."""
    stages: list[OrgBookCredential] = []
    for credential in credentials:
        if credential.fact(STATUS) is not None and (not stages or stages[-1].fact(STATUS) != credential.fact(STATUS)):
            stages.append(credential)
    for credential, following in pairwise(stages):
        word = str(credential.fact(STATUS))
        yield StatusHistoryItem(
            status=context.metadata.terms.get(word, word),
            status_code=_read_status_code(credential, context),
            effective_date=credential.day(STATUS_EFFECTIVE) or parse_day(credential.effective_date, "effective_date"),
            end_date=following.day(STATUS_EFFECTIVE) or parse_day(following.effective_date, "effective_date"),
        )


def _is_historical(statement: OrgBookStatement) -> bool:
    return statement.fact(STATUS) == HISTORICAL


def _note_registration_date(topic: OrgBookTopic, first: OrgBookCredential, context: LiveContext) -> None:
    """Add a note if the registration date is not that of an incorporation."""
    beginning = _BEGINNINGS.get(context.metadata.terms.get(f"begins by {first.fact(REASON)}", ""))
    if beginning is not None:
        context.words.note(beginning.fill(number=topic.source_id))


# ------------------------------------------------------------------------------------------------------------ names


def _build_former_names(credentials: Sequence[OrgBookCredential]) -> Iterator[NameHistoryItem]:
    for kind in (NAME, ASSUMED, TRANSLATED):
        yield from _build_abandoned_names(kind, credentials)


def _build_abandoned_names(kind: str, credentials: Sequence[OrgBookCredential]) -> Iterator[NameHistoryItem]:
    """The names of a kind that were replaced or given up."""
    stages: list[OrgBookCredential] = []
    for credential in credentials:
        if not stages or stages[-1].name(kind) != credential.name(kind):
            stages.append(credential)
    effective = f"{kind}_effective"
    for credential, following in pairwise(stages):
        name = credential.name(kind)
        if name is not None:
            end = following.day(effective) or parse_day(following.effective_date, "effective_date")
            yield NameHistoryItem(type="former", name=name, effective_date=credential.day(effective), end_date=end)
