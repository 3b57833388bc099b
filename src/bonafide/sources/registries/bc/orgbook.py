"""OrgBook BC's answers in its interface v4: topics (businesses) and the credentials that were issued about them.

An answer is read strictly: a key that is missing, or of another type, is an error that names it. Keys that are not needed are
passed over. What the words mean for an entry is not decided here.
"""

from datetime import date, datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from bonafide.errors import ParseFailed, SourceNotFound
from bonafide.net.http_messages import SourceResponse
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.live import read_json

REGISTRATION = "registration.registries.ca"
"""The type of topics that are businesses, and of the credential that says what they are."""
NAME = "entity_name"
STATUS = "entity_status"
FIRST_YEAR = 1600
"""The register writes the years 1 and 2 where it does not know a date."""
ZONE = "America/Vancouver"
"""Dates are given as instants in UTC, in which an evening's filing is of the next day."""
T = TypeVar("T")


class _OrgBookModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class OrgBookName(_OrgBookModel):
    """One name, or a business number: OrgBook makes it a name so that it is found."""

    type: str
    text: str


class OrgBookAttribute(_OrgBookModel):
    """One fact, its value always text."""

    type: str
    value: str | None


class OrgBookStatement(_OrgBookModel):
    """Names and facts: what a business is now, or what was said of it at one time."""

    names: list[OrgBookName]
    attributes: list[OrgBookAttribute]

    def named(self, kind: str) -> list[str]:
        """The names of a kind, as they stand."""
        texts = (normalize_whitespace(name.text) for name in self.names if name.type == kind)
        return [text for text in texts if text is not None]

    def name(self, kind: str) -> str | None:
        """The name of a kind; the first, should there be several."""
        return next(iter(self.named(kind)), None)

    def fact(self, kind: str) -> str | None:
        """The value of an attribute; None when it is absent or blank."""
        return next((normalize_whitespace(attribute.value) for attribute in self.attributes if attribute.type == kind), None)

    def day(self, kind: str) -> date | None:
        """The value of an attribute as a day in British Columbia. Raises `ParseFailed` for what is no date."""
        return parse_day(self.fact(kind), kind)


class OrgBookTopic(OrgBookStatement):
    """A business as it stands."""

    id: int
    """OrgBook's own, by which its credentials are asked for."""
    source_id: str
    """The register's number, with the letters of its series."""
    type: str


class OrgBookPage(_OrgBookModel):
    """A page of topics that were searched for, the best first."""

    total: int
    next: str | None
    results: list[OrgBookTopic]

    def businesses(self) -> list[OrgBookTopic]:
        """The topics that are businesses; other authorities of the province issue credentials about things that are none.

        Raises `ParseFailed` where not one of them has what every business has: it is called something else now.
        """
        found = [topic for topic in self.results if topic.type == REGISTRATION]
        for kind, had in ((NAME, OrgBookStatement.name), (STATUS, OrgBookStatement.fact)):
            if found and all(had(topic, kind) is None for topic in found):
                raise ParseFailed(f"OrgBook gives no business its {kind}")
        return found


class OrgBookCredentialType(_OrgBookModel):
    """What a credential is about."""

    description: str


class OrgBookCredential(OrgBookStatement):
    """What was said of a business at one time; a later credential of the same set takes its place."""

    credential_type: OrgBookCredentialType
    effective_date: str | None


class OrgBookCredentialSet(_OrgBookModel):
    """The credentials of one type, past and present, in the order in which they were issued."""

    credentials: list[OrgBookCredential]


_PAGE = TypeAdapter(OrgBookPage)
_SETS = TypeAdapter(list[OrgBookCredentialSet])


def read_page(answer: SourceResponse) -> OrgBookPage:
    """A page of search results. Raises a `SourceError` for an answer that is none."""
    page = _validate_answer(answer, _PAGE)
    if page.total > 0 and not page.results:
        raise ParseFailed(f"OrgBook counts {page.total:,} businesses and lists none")
    return page


def read_credentials(answer: SourceResponse) -> list[OrgBookCredential]:
    """All that was ever said of a business as registered, in the order in which it took effect. Raises a `SourceError`."""
    every = [credential for issued in _validate_answer(answer, _SETS) for credential in issued.credentials]
    found = [credential for credential in every if credential.credential_type.description == REGISTRATION]
    if not found:
        raise ParseFailed(f"OrgBook has a business without any credential {REGISTRATION}")
    return sorted(found, key=_get_effective_date)


def parse_day(text: str | None, what: str) -> date | None:
    """The day in British Columbia of an instant; None for a date that the register does not know. Raises `ParseFailed`."""
    if text is None:
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise ParseFailed(f"OrgBook's {what} is not a date: {text!r}") from None
    if instant.year < FIRST_YEAR:
        return None
    return instant.astimezone(ZoneInfo(ZONE)).date() if instant.tzinfo is not None else instant.date()


def _get_effective_date(credential: OrgBookCredential) -> str:
    """OrgBook writes these in local time, so that as text they are in order; what was issued together stays as it was."""
    return credential.effective_date or ""


def _validate_answer(answer: SourceResponse, shape: TypeAdapter[T]) -> T:
    if not answer.found:
        raise SourceNotFound(f"OrgBook has nothing at {answer.call.url} (HTTP {answer.status})")
    try:
        return shape.validate_python(read_json(answer))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"])) or "the answer"
        raise ParseFailed(f"OrgBook's answer is not in the shape that is known: {place}: {problem['msg']}") from error
