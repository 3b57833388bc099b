"""Write the sentences of a summary about the register's data and about each comparison.

Register: name, status, formation, good standing, route and date. Comparisons: what matches, what differs and how significant that
is, and what could not be compared and why. Scores are described in bands and never computed here.
"""

from collections.abc import Iterator, Mapping

from bonafide.i18n.message import Message
from bonafide.matching.names.normalization import normalise
from bonafide.matching.summary.summary_context import FactSentence, SummaryContext
from bonafide.model.entity import NameHistoryItem, StatusCode
from bonafide.model.loading import Route
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import CheckedAddress, CheckedField, CheckedPerson, CheckStatus

GOOD_STANDING = "registryData.businessReport.details.goodStanding"
STATUS = "registryData.status"
STATUS_CODE = "registryData.statusCode"
_RETRIEVED: Mapping[Route, Message] = {
    Route.LIVE: Message("The register was queried directly on {retrieved}."),
    Route.BULK: Message("The data was downloaded from the register on {retrieved}; its date is not known."),
    Route.IMPORT: Message(
        "The data is from a file of the register that the operator loaded on {retrieved}; its date is not known."
    ),
    Route.MANUAL: Message("A person looked at the register on {retrieved} and recorded what it states."),
}
_RETRIEVED_AS_OF: Mapping[Route, Message] = {
    Route.LIVE: Message("The register was queried directly on {retrieved}; its data is as of {as_of}."),
    Route.BULK: Message("The data was downloaded from the register on {retrieved} and is as of {as_of}."),
    Route.IMPORT: Message("The data is from a file of the register that the operator loaded on {retrieved} and is as of {as_of}."),
    Route.MANUAL: Message("A person looked at the register on {retrieved} and recorded what it states as of {as_of}."),
}


def describe_register(story: SummaryContext, report: RegistryReport) -> Iterator[FactSentence]:
    """The data of the register, whatever was claimed."""
    wording = story.wording
    yield story.describe(
        Message("According to {register}, the legal name of the business is {name}."),
        "registryData.legalName",
        register=story.register,
        name=wording.quoted(report.legal_name),
    )
    yield describe_status(story, report)
    if report.incorporation_date is not None:
        date = wording.day(report.incorporation_date)
        yield story.describe(Message("The business was formed on {date}."), "registryData.incorporationDate", date=date)
    yield describe_good_standing(story, report)
    yield _describe_route(story, report)


def describe_status(story: SummaryContext, report: RegistryReport) -> FactSentence:
    """The status in the register's words, and what it means."""
    is_clear, code = report.status_code is not StatusCode.UNKNOWN, story.wording.status(report.status_code)
    if report.status is None:
        if is_clear:
            return story.describe(Message("The register shows the business as {code}."), STATUS_CODE, code=code)
        return story.describe(Message("The register does not state whether the business is active."), STATUS)
    status = story.wording.quoted(report.status)
    if is_clear:
        template = Message("The register states the status {status}, which means that the business is {code}.")
        return story.describe(template, STATUS, status=status, code=code)
    template = Message("The register states the status {status}, which does not show whether the business is active.")
    return story.describe(template, STATUS, status=status)


def describe_good_standing(story: SummaryContext, report: RegistryReport) -> FactSentence:
    """Whether the business is in good standing, if the register states it."""
    return story.describe(_choose_good_standing_sentence(report.business_report.details.good_standing), GOOD_STANDING)


def _choose_good_standing_sentence(is_good: bool | None) -> Message:  # noqa: FBT001 - a field of the report
    if is_good is None:
        return Message("The register does not state whether the business is in good standing.")
    return Message("The business is in good standing.") if is_good else Message("The business is not in good standing.")


def _describe_route(story: SummaryContext, report: RegistryReport) -> FactSentence:
    """How and when the register was queried, and the date of its data."""
    retrieved = story.wording.instant(report.retrieved_at)
    if report.as_of is None:
        return story.describe(_RETRIEVED[report.route], "registryData.retrievedAt", retrieved=retrieved)
    as_of = story.wording.day(report.as_of)
    return story.describe(_RETRIEVED_AS_OF[report.route], "registryData.asOf", retrieved=retrieved, as_of=as_of)


MISSPELT_NAME = 0.85
"""Lowest score of names that differ by a typo or in spelling."""
OTHER_NAME = 0.7
"""Names that score less are different names, as in all comparisons."""
NAME, NUMBER = "results.fields.legalName", "results.fields.registrationNumber"
ADDRESS, PEOPLE = "results.fields.address", "results.people"
_PLACE = frozenset({"city", "province", "country"})


# ------------------------------------------------------------------------------------------------------------ names


def describe_name(story: SummaryContext) -> Iterator[FactSentence]:
    """The legal name; nothing without an entry to compare with."""
    field, wording = story.findings.fields.legal_name, story.wording
    if field.provided is None or field.registry is None or field.score is None:
        return
    provided, registry = wording.quoted(field.provided), wording.quoted(field.registry)
    if field.status is CheckStatus.MATCHED:
        yield _describe_matching_name(story, field)
        return
    former = find_former_name(story)
    if former is None:
        template = Message(
            "The legal name differs: the request states {provided}, the register {registry} (score {score}; minimum {threshold})."
        )
        yield story.describe(template, NAME, **_quote_both(story, field))
    elif former.end_date is None:
        template = Message("The request states {provided}, a former name; the legal name is now {registry}.")
        yield story.describe(template, NAME, provided=provided, registry=registry)
    else:
        template = Message(
            "The request states {provided}, a former name that was used until {date}; the legal name is now {registry}."
        )
        yield story.describe(template, NAME, provided=provided, registry=registry, date=wording.day(former.end_date))
    yield story.describe(_assess_name_difference(field.score, former), NAME)


def _describe_matching_name(story: SummaryContext, field: CheckedField) -> FactSentence:
    if field.score is not None and field.score < 1:
        template = Message(
            "The legal name matches: the request states {provided}, the register {registry} (score {score}; minimum {threshold})."
        )
        return story.describe(template, NAME, **_quote_both(story, field))
    provided, registry = story.wording.quoted(field.provided or ""), story.wording.quoted(field.registry or "")
    if provided == registry:
        return story.describe(Message("The legal name matches."), NAME)
    return story.describe(Message("The legal name matches; the register spells it {registry}."), NAME, registry=registry)


def find_former_name(story: SummaryContext) -> NameHistoryItem | None:
    """The claimed former name; None if the claimed name is not a former one."""
    field, report = story.findings.fields.legal_name, story.report
    if report is None or field.provided is None or field.status is not CheckStatus.MISMATCHED:
        return None
    claimed, current = normalise(field.provided).core, {report.legal_name, *report.alternate_names}
    history = report.business_report.details.name_history
    return next((item for item in history if item.name not in current and normalise(item.name).core == claimed), None)


def _assess_name_difference(score: float, former: NameHistoryItem | None) -> Message:
    if former is not None:
        return Message("This is the same business under its former name; the information in the request is out of date.")
    if score >= MISSPELT_NAME:
        return Message("This difference is minor, such as a typo or another spelling.")
    if score >= OTHER_NAME:
        return Message("This difference is considerable, but it may still be the same business.")
    return Message("This is a serious difference: these are two different names.")


def _quote_both(story: SummaryContext, field: CheckedField) -> dict[str, str]:
    """The values of a sentence that compares two texts."""
    wording = story.wording
    return {
        "provided": wording.quoted(field.provided or ""),
        "registry": wording.quoted(field.registry or ""),
        "score": wording.score(field.score or 0.0),
        "threshold": wording.threshold(field.threshold),
    }


# ------------------------------------------------------------------------------------------------------------ numbers


def describe_number(story: SummaryContext) -> Iterator[FactSentence]:
    """The registration number; nothing without an entry to compare with."""
    field, wording = story.findings.fields.registration_number, story.wording
    if field.registry is None or field.provided is None:
        return
    provided, registry = wording.quoted(field.provided), wording.quoted(field.registry)
    if field.status is not CheckStatus.MATCHED:
        template = Message("The registration number differs: the request states {provided}, the register {registry}.")
        yield story.describe(template, NUMBER, provided=provided, registry=registry)
        yield story.describe(Message("This is a serious difference: a different number is a different registration."), NUMBER)
    elif provided == registry:
        yield story.describe(Message("The registration number matches."), NUMBER)
    else:
        template = Message("The registration number matches; the register writes it {registry}.")
        yield story.describe(template, NUMBER, registry=registry)


# ------------------------------------------------------------------------------------------------------------ addresses


def describe_address(story: SummaryContext) -> Iterator[FactSentence]:
    """The address; nothing if it was not compared."""
    address = story.findings.fields.address
    if address is None or address.score is None or address.registry is None:
        return
    if address.status is CheckStatus.MATCHED:
        yield _describe_matching_address(story, address)
        return
    differing = _list_parts(address, CheckStatus.MISMATCHED)
    yield story.describe(Message("The address differs in {parts}."), ADDRESS, parts=_format_parts(story, differing))
    for name in differing:
        yield from _describe_part(story, address, name)
    yield story.describe(_assess_address_difference(frozenset(differing)), ADDRESS)


def _describe_matching_address(story: SummaryContext, address: CheckedAddress) -> FactSentence:
    if address.score == 1:
        return story.describe(Message("The address matches in every part that could be compared."), ADDRESS)
    template = Message(
        "The address matches: the request states {provided}, the register {registry} (score {score}; minimum {threshold})."
    )
    return story.describe(template, ADDRESS, **_quote_both(story, address))


def _describe_part(story: SummaryContext, address: CheckedAddress, name: str) -> Iterator[FactSentence]:
    part, wording = address.fields[name], story.wording
    if part.provided is None or part.registry is None:
        return
    yield story.describe(
        Message("For {part}, the request states {provided}, the register {registry}."),
        f"{ADDRESS}.fields.{name}",
        part=wording.address_part(name),
        provided=wording.quoted(part.provided),
        registry=wording.quoted(part.registry),
    )


def _list_parts(address: CheckedAddress, status: CheckStatus) -> list[str]:
    return [name for name, part in address.fields.items() if part.status is status]


def _format_parts(story: SummaryContext, names: list[str]) -> str:
    return story.wording.listed([story.wording.address_part(name) for name in names])


def _assess_address_difference(differing: frozenset[str]) -> Message:
    if not differing.isdisjoint(_PLACE):
        return Message("This is a serious difference: it is a different place.")
    if "street" in differing:
        return Message("This difference is considerable: it is a different street address.")
    return Message("This difference is minor, a detail of the same place.")


# ------------------------------------------------------------------------------------------------------------ people


def describe_people(story: SummaryContext) -> Iterator[FactSentence]:
    """All confirmed people in one sentence, each of the others in one of their own."""
    yield from describe_confirmed_people(story)
    for person in describe_differing_people(story):
        yield person
        yield story.describe(Message("This difference matters if the person is to act for the business."), person.field)
    yield from describe_unclaimed_people(story)


def describe_confirmed_people(story: SummaryContext) -> Iterator[FactSentence]:
    """The people whom the register confirms; in a sentence of their own those for whom it states no role."""
    confirmed = story.list_people_with_status(CheckStatus.MATCHED)
    without_roles = [person for person in confirmed if person.role is not None and person.registry and not person.registry.roles]
    as_claimed = [person for person in confirmed if person not in without_roles]
    if as_claimed:
        yield story.describe(Message("The register confirms {people}."), PEOPLE, people=story.format_people(as_claimed))
    if without_roles:
        template = Message("The register names {people} but states no role.")
        yield story.describe(template, PEOPLE, people=story.format_people(without_roles))


def describe_differing_people(story: SummaryContext) -> Iterator[FactSentence]:
    """Each person whom the register doesn't confirm."""
    for place, person in enumerate(story.findings.people):
        if person.status is CheckStatus.MISMATCHED:
            yield _describe_person(story, person, f"{PEOPLE}.{place}")


def describe_unclaimed_people(story: SummaryContext) -> Iterator[FactSentence]:
    """The people whom only the register names, if they count as discrepancies."""
    unclaimed = story.list_people_with_status(CheckStatus.NOT_PROVIDED) if story.findings.counts_not_provided else []
    if unclaimed:
        template = Message("The register names {people}, whom the request does not name.")
        yield story.describe(template, PEOPLE, people=story.format_people(unclaimed))


def _describe_person(story: SummaryContext, person: CheckedPerson, field: str) -> FactSentence:
    wording, found = story.wording, person.registry
    shown = wording.person(person.name, person.role)
    if found is None or person.score is None:
        return story.describe(Message("The request names {person}, whom the register does not name."), field, person=shown)
    if person.score >= person.threshold:
        roles = wording.listed([wording.quoted(role) for role in found.roles])
        template = Message("The request names {person}; the register names a person with this name as {roles}.")
        return story.describe(template, field, person=shown, roles=roles)
    return story.describe(
        Message(
            "The request names {person}, whom the register does not name; the most similar name is {registry}"
            " (score {score}; minimum {threshold})."
        ),
        field,
        person=shown,
        registry=wording.quoted(found.name),
        score=wording.score(person.score),
        threshold=wording.threshold(person.threshold),
    )


# ------------------------------------------------------------------------------------------------------------ not compared

_ADDRESS_UNCOMPARED: Mapping[CheckStatus, Message] = {
    CheckStatus.NOT_PUBLISHED: Message("The address could not be compared because the register data does not include it."),
    CheckStatus.NOT_PROVIDED: Message("The address could not be compared because the request states no part that can be parsed."),
    CheckStatus.NOT_CHECKED: Message("The address could not be compared because no registration was found."),
}
_PEOPLE_UNCOMPARED: Mapping[CheckStatus, Message] = {
    CheckStatus.NOT_PUBLISHED: Message(
        "The connection of {people} to the business could not be checked because the register data does not include people."
    ),
    CheckStatus.NOT_CHECKED: Message(
        "The connection of {people} to the business could not be checked because no registration was found."
    ),
}


def describe_unknown_fields(story: SummaryContext) -> Iterator[FactSentence]:
    """What could not be compared, and why; at the end, that the report has notes."""
    fields = story.findings.fields
    if fields.legal_name.status is CheckStatus.NOT_CHECKED:
        yield story.describe(Message("The legal name could not be compared because no registration was found."), NAME)
    if fields.registration_number.status is CheckStatus.NOT_PUBLISHED:
        yield story.describe(Message("The registration number could not be compared because the register states none."), NUMBER)
    yield from _describe_unknown_address(story)
    yield from _describe_unknown_people(story)
    if story.report is not None and story.report.notes:
        template = Message("The report has notes on its limits, which should be read with this summary.")
        yield story.describe(template, "registryData.notes")


def _describe_unknown_address(story: SummaryContext) -> Iterator[FactSentence]:
    address = story.findings.fields.address
    if story.subject.address is None:
        yield story.describe_request(Message("The address was not compared because the request states none."), ADDRESS)
    elif address is None:
        template = Message("The address was not compared because the settings of this verification exclude it.")
        yield story.describe_request(template, "meta.thresholds.address")
    elif address.status in _ADDRESS_UNCOMPARED:
        yield story.describe(_ADDRESS_UNCOMPARED[address.status], ADDRESS)
    else:
        unpublished = _list_parts(address, CheckStatus.NOT_PUBLISHED)
        if unpublished:
            template = Message("The register does not publish {parts} of the address.")
            yield story.describe(template, f"{ADDRESS}.fields", parts=_format_parts(story, unpublished))


def _describe_unknown_people(story: SummaryContext) -> Iterator[FactSentence]:
    if not story.subject.people:
        yield story.describe_request(Message("People were not compared because the request names none."), PEOPLE)
    elif story.thresholds.people is None:
        template = Message("People were not compared because the settings of this verification exclude them.")
        yield story.describe_request(template, "meta.thresholds.people")
    for status, template in _PEOPLE_UNCOMPARED.items():
        people = story.list_people_with_status(status)
        if people:
            yield story.describe(template, PEOPLE, people=story.format_people(people))
