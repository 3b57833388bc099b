"""Parse responses of OrgBook BC's API v4: topics (businesses) and the credentials that were issued about them.

Responses are validated strictly: a missing key, or one of another type, is an error. Keys that are not needed are ignored. The
meaning of the words is defined in `entries`.
"""

from datetime import date, datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from bonafide.errors import ParseFailed, SourceNotFound
from bonafide.i18n.message import Message
from bonafide.net.http_messages import SourceResponse
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.live import NO_RESULTS_LISTED, read_json

REGISTRATION = "registration.registries.ca"
"""The type of topics that are businesses, and of their registration credential."""
NAME = "entity_name"
STATUS = "entity_status"
FIRST_YEAR = 1600
"""The register writes the years 1 and 2 for unknown dates."""
ZONE = "America/Vancouver"
"""Dates are instants in UTC, where a filing in the evening has the date of the next day."""
T = TypeVar("T")


class _OrgBookModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class OrgBookName(_OrgBookModel):
    """One name, or a business number, which OrgBook stores as a name to make it searchable."""

    type: str
    text: str


class OrgBookAttribute(_OrgBookModel):
    """One attribute; its value is always text."""

    type: str
    value: str | None


class OrgBookStatement(_OrgBookModel):
    """Names and attributes of a business: now (topic) or at one time (credential)."""

    names: list[OrgBookName]
    attributes: list[OrgBookAttribute]

    def named(self, kind: str) -> list[str]:
        """The names of a kind, in order."""
        texts = (normalize_whitespace(name.text) for name in self.names if name.type == kind)
        return [text for text in texts if text is not None]

    def name(self, kind: str) -> str | None:
        """The first name of a kind; None without one."""
        return next(iter(self.named(kind)), None)

    def fact(self, kind: str) -> str | None:
        """The value of an attribute; None when it is absent or blank."""
        return next((normalize_whitespace(attribute.value) for attribute in self.attributes if attribute.type == kind), None)

    def day(self, kind: str) -> date | None:
        """The value of an attribute as a day in British Columbia. Raises `ParseFailed` for an invalid date."""
        return parse_day(self.fact(kind), kind)


class OrgBookTopic(OrgBookStatement):
    """A business as it is now."""

    id: int
    """OrgBook's ID, by which credentials are requested."""
    source_id: str
    """The register's number, with the letters of its series."""
    type: str


class OrgBookPage(_OrgBookModel):
    """A page of search results, the best first."""

    total: int
    next: str | None
    results: list[OrgBookTopic]

    def businesses(self) -> list[OrgBookTopic]:
        """The topics that are businesses. Other authorities of the province issue credentials about other subjects.

        Raises `ParseFailed` if none has a name, or none a status: these have then been renamed.
        """
        found = [topic for topic in self.results if topic.type == REGISTRATION]
        for kind, had in ((NAME, OrgBookStatement.name), (STATUS, OrgBookStatement.fact)):
            if found and all(had(topic, kind) is None for topic in found):
                raise ParseFailed(Message("OrgBook: no business has the field {field}", field=kind))
        return found


class OrgBookCredentialType(_OrgBookModel):
    """The type of a credential."""

    description: str


class OrgBookCredential(OrgBookStatement):
    """The state of a business at one time. A later credential of the same set replaces it."""

    credential_type: OrgBookCredentialType
    effective_date: str | None


class OrgBookCredentialSet(_OrgBookModel):
    """The credentials of one type, past and present, in the order in which they were issued."""

    credentials: list[OrgBookCredential]


_PAGE = TypeAdapter(OrgBookPage)
_SETS = TypeAdapter(list[OrgBookCredentialSet])


def read_page(answer: SourceResponse) -> OrgBookPage:
    """Parse a page of search results. Raises a `SourceError` for any other response."""
    page = _validate_answer(answer, _PAGE)
    if page.total > 0 and not page.results:
        raise ParseFailed(NO_RESULTS_LISTED.fill(n=page.total))
    return page


def read_credentials(answer: SourceResponse) -> list[OrgBookCredential]:
    """Parse the registration credentials of a business, by effective date. Raises a `SourceError`."""
    every = [credential for issued in _validate_answer(answer, _SETS) for credential in issued.credentials]
    found = [credential for credential in every if credential.credential_type.description == REGISTRATION]
    if not found:
        raise ParseFailed(Message("OrgBook: the business has no credential {type}", type=REGISTRATION))
    return sorted(found, key=_get_effective_date)


def parse_day(text: str | None, what: str) -> date | None:
    """The day in British Columbia of an instant; None for an unknown date. Raises `ParseFailed`."""
    if text is None:
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise ParseFailed(Message("OrgBook: {field} is not a date: '{text}'", field=what, text=text)) from None
    if instant.year < FIRST_YEAR:
        return None
    return instant.astimezone(ZoneInfo(ZONE)).date() if instant.tzinfo is not None else instant.date()


def _get_effective_date(credential: OrgBookCredential) -> str:
    """The sort key of a credential. The instants are in local time, so their order as text is right."""
    return credential.effective_date or ""


def _validate_answer(answer: SourceResponse, shape: TypeAdapter[T]) -> T:
    if not answer.found:
        raise SourceNotFound(Message("OrgBook: {url} was not found (HTTP {status})", url=answer.call.url, status=answer.status))
    try:
        return shape.validate_python(read_json(answer))
    except ValidationError as error:
        problem = error.errors()[0]
        field = ".".join(map(str, problem["loc"])) or "-"
        sentence = Message("OrgBook: unexpected response: {field}: {problem}", field=field, problem=problem["msg"])
        raise ParseFailed(sentence) from error
