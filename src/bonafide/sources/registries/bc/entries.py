"""What OrgBook BC says of a business, as an entry of the register.

Historical is all that OrgBook calls a business that has ended; the reason of the credential by which it became so tells how. A
reason that is not in the table changes nothing: most of the 554 are about something else.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from bonafide.errors import ParseFailed
from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.model.entity import NameHistoryItem, RegistrationNumber, StatusCode, StatusHistoryItem
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.live import LiveContext
from bonafide.sources.registries.bc.orgbook import NAME, STATUS, OrgBookCredential, OrgBookStatement, OrgBookTopic, parse_day

ASSUMED = "entity_name_assumed"
"""What a company from elsewhere is called here because its own name was taken."""
TRANSLATED = "entity_name_trans"
BUSINESS_NUMBER = "business_number"
STATUS_EFFECTIVE = "entity_status_effective"
REASON = "reason_description"
HISTORICAL = "HIS"
BN_LABEL = "Business Number (BN)"


def build_entry(topic: OrgBookTopic, context: LiveContext) -> RegistryEntry | None:
    """The business as it stands; None, with a note, for one that OrgBook gives no name."""
    name, status, kind = topic.name(NAME), topic.fact(STATUS), topic.fact("entity_type")
    if name is None:
        context.words.note(f"OrgBook gives no name for {topic.source_id}; it is passed over")
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
        # The register's rule rests on annual reports, of which OrgBook says nothing.
        good_standing=False if status == HISTORICAL else None,
        incorporation_date=topic.day("registration_date"),
        home_jurisdiction=_find_home(topic, context),
    )


def build_report_entry(topic: OrgBookTopic, credentials: Sequence[OrgBookCredential], context: LiveContext) -> RegistryEntry:
    """The business with its past, of which the credentials are the stages in order. Raises `ParseFailed` for one without a name."""
    entry = build_entry(topic, context)
    if entry is None:
        raise ParseFailed(f"OrgBook gives no name for {topic.source_id}")
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
    """Where a business from elsewhere was formed. Its number there is known to the register, and not published."""
    home = topic.fact("home_jurisdiction")
    return parse_home_jurisdiction(context.metadata.terms.get(f"home {home}", home), Jurisdiction.BC)


# ------------------------------------------------------------------------------------------------------------ status


def _read_status_code(statement: OrgBookStatement, context: LiveContext) -> StatusCode:
    reason = statement.fact(REASON)
    ending = context.words.find_status(reason) if reason is not None and _is_historical(statement) else None
    return ending if ending is not None else context.words.status(statement.fact(STATUS))


def _build_former_statuses(credentials: Sequence[OrgBookCredential], context: LiveContext) -> Iterator[StatusHistoryItem]:
    """The statuses before the one in force."""
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
    """The register's date of registration is that of whatever began the registration."""
    beginning = context.metadata.terms.get(f"begins by {first.fact(REASON)}")
    if beginning is not None:
        context.words.note(f"{topic.source_id}: the date of registration is that of {beginning}, not of an incorporation")


# ------------------------------------------------------------------------------------------------------------ names


def _build_former_names(credentials: Sequence[OrgBookCredential]) -> Iterator[NameHistoryItem]:
    for kind in (NAME, ASSUMED, TRANSLATED):
        yield from _build_abandoned_names(kind, credentials)


def _build_abandoned_names(kind: str, credentials: Sequence[OrgBookCredential]) -> Iterator[NameHistoryItem]:
    """The names of a kind that another took the place of, or none did."""
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
