"""The schema of `source.yml`: what a person would look up about a source, and what its parser needs to know.

Publishers change any of it without notice, so none of it is in code. This module reads no file.

Texts of the type `MessageTemplate` are English; their French is in the gettext catalogue. Names and addresses of a publisher and of
its pages have their French beside them (`name_fr`, `url_fr`, `page_fr`, `entry_url_fr`).
"""

from datetime import date
from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, join_values
from bonafide.model.base import MessageTemplate
from bonafide.model.entity import Part, RoleCategory, StatusCode
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.load_limits import LoadLimits
from bonafide.sources.framework.table_metadata import ADDRESS_FIELDS, ENTRY_FIELDS, TableMetadata


class AccessMethod(StrEnum):
    """How the data of a source is obtained."""

    BULK = "bulk"
    """The whole data set is downloaded from the publisher and indexed."""
    IMPORT = "import"
    """The operator imports a file."""
    LIVE = "live"
    """The source is queried live. Only requested reports are stored."""
    NONE = "none"
    """No automated access is known or permitted. A register can still be imported in the canonical layout."""


class Cadence(StrEnum):
    """How often the publisher updates the data."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"
    IRREGULAR = "irregular"
    SNAPSHOT = "snapshot"
    """Published once and not updated."""


DEFAULT_MAX_AGE_DAYS = {Cadence.DAILY: 2, Cadence.WEEKLY: 14, Cadence.MONTHLY: 62, Cadence.YEARLY: 732}
"""Twice a cadence, in days."""


def _choose(english: str, french: str | None, language: Language) -> str:
    return french if language is Language.FRENCH and french is not None else english


class _StrictModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class SourcePublisher(_StrictModel):
    """The organization that publishes the data."""

    name: str
    name_fr: str | None = None
    """The official French name; None where the publisher has none, or `name` is the name in both languages."""
    url: str
    url_fr: str | None = None
    """The French version of `url`; None where there is none."""

    def get_name(self, language: Language) -> str:
        """The name in the language."""
        return _choose(self.name, self.name_fr, language)

    def get_url(self, language: Language) -> str:
        """The address of the publisher's site in the language."""
        return _choose(self.url, self.url_fr, language)


class DataLicence(_StrictModel):
    """The terms under which the data may be used."""

    name: MessageTemplate
    url: str | None = None
    url_fr: str | None = None
    """The French version of `url`; None where there is none."""
    note: MessageTemplate | None = None
    """What the operator must observe."""

    @property
    def warning(self) -> Message | None:
        """The note with the licence's name: printed at every load and stored with it. None without a note."""
        return Message("{licence}: {note}", licence=self.name, note=self.note) if self.note is not None else None

    def get_url(self, language: Language) -> str | None:
        """The address of the licence's text in the language; None where the publisher gives none."""
        return None if self.url is None else _choose(self.url, self.url_fr, language)


class ResourceMetadata(_StrictModel):
    """One file that the publisher offers. The source's `fetch` fills in fields in braces in `url` (`{year}`)."""

    name: str
    url: str
    format: str
    encoding: str = "utf-8"
    form: dict[str, str] | None = None
    """Fields of a form that is sent (POST) to download the file. None for a GET request."""
    note: str | None = None


class HeaderLayout(_StrictModel):
    """A known header. A file with a missing column is refused, and one with an unknown column unless `allow_extra` is set."""

    columns: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    """Known columns that are not read."""
    allow_extra: bool = False


class LoadChecks(_StrictModel):
    """Conditions under which a load replaces the last good one."""

    min_entries: int = 1
    max_rejected_share: float = 0.01
    max_drop_share: float = 0.3
    """Maximum decrease in entries from the last good load."""
    max_unknown_share: float = 0.02
    """Maximum share of rows with an unknown word."""
    min_fill: dict[str, float] = Field(default_factory=dict)
    """Entry field to the minimum share of entries that have it."""


class TermsOfUse(_StrictModel):
    """Terms that the operator must accept before the source is queried or downloaded."""

    version: str
    """Incremented when the terms change in substance. Earlier acceptances then no longer apply."""
    text: MessageTemplate
    url: str | None = None


class LiveMetadata(_StrictModel):
    """How a source is queried live."""

    base_url: str
    rate_per_minute: int = Field(ge=1)
    """Maximum number of requests, whatever the source allows."""
    timeout_s: float = Field(gt=0, le=30)
    """For all requests of one query."""
    terms: TermsOfUse | None = None
    """None where the publisher permits automated queries. Otherwise the operator must accept them first."""
    key: str | None = None
    """What a key is needed for, if the publisher issues keys."""
    publishes: tuple[Part, ...] = ()
    """Of a register: the parts of a report besides name and number."""
    is_repeatable: bool = True
    """Whether the terms permit that monitoring repeats a query, and not only single queries that a person requests."""
    note: str | None = None


class DetailField(_StrictModel):
    """One declared key of an entry's `details`, where its kind has them."""

    key: str
    label: MessageTemplate
    type: str = Field(pattern="^(string|number|boolean|date|strings)$")


class SourceLabel(_StrictModel):
    """The short name of a source on pages and in printed documents. Authorities have their official French names."""

    en: str = Field(min_length=1)
    fr: str = Field(min_length=1)


class SourceMetadata(_StrictModel):
    """What is known about a source; the schema of `source.yml`."""

    key: str
    """Its name in `coverage`, on the command line and in `regulatory` or `listings`."""
    kind: SourceKind
    order: int | None = Field(default=None, ge=1)
    """Of a regulator: the position of its key in `regulatory`. Keys without one follow the others in alphabetical order."""
    title: MessageTemplate
    """The publisher's name of the register or list. The catalogue has its official French name, so that it can be a value of a
    message and is then translated with it."""
    label: SourceLabel | None = None
    """Required for a regulator, because several have similar titles. Other sources are displayed by their title."""
    jurisdiction: Jurisdiction | None = None
    publisher: SourcePublisher
    licence: DataLicence
    page: str
    """The page where a person can search or read the source."""
    page_fr: str | None = None
    """The French version of `page`; None where there is none."""
    entry_url: str | None = None
    """The publisher's page of one entry, with `{number}` in it."""
    entry_url_fr: str | None = None
    """The French version of `entry_url`; None where there is none."""
    access: AccessMethod
    access_note: MessageTemplate | None = None
    description: MessageTemplate
    gaps: MessageTemplate | None = None
    """The registered businesses that the data lacks, so that a number without an entry may exist. None if the data has the whole
    register."""
    publishes: tuple[Part, ...] = ()
    """Of a register: the parts of an entry in its files, besides name and number. The files have no other parts."""
    good_standing_rule: MessageTemplate | None = None
    """Of a register: how good standing is determined."""
    cadence: Cadence = Cadence.IRREGULAR
    stale_after_days: int | None = None
    resources: tuple[ResourceMetadata, ...] = ()
    acceptance: TermsOfUse | None = None
    """Terms that the operator must accept before files are downloaded; None without any."""
    live: LiveMetadata | None = None
    """How the source is queried live, besides or instead of files."""
    pause_s: float = 0.0
    """Seconds between two downloads of a load with many files."""
    snapshot_as_of: date | None = None
    """The date of the only data that exists in the source's own layout. It applies to an imported file of that layout if neither
    the file nor the operator states a date, and never to a file in the canonical layout."""
    layouts: dict[str, HeaderLayout] = Field(default_factory=dict)
    checks: LoadChecks = LoadChecks()
    limits: LoadLimits = LoadLimits()
    statuses: dict[str, StatusCode] = Field(default_factory=dict)
    """Status words of the source, compared without case, to common codes."""
    roles: dict[str, RoleCategory] = Field(default_factory=dict)
    terms: dict[str, str] = Field(default_factory=dict)
    """Other code words of the source, with their meaning."""
    number_label: MessageTemplate | None = None
    """The label of its registration numbers."""
    details: tuple[DetailField, ...] = ()
    table: TableMetadata | None = None
    """How rows of its tables become entries; None if code reads all of them."""

    @model_validator(mode="after")
    def _check_table(self) -> Self:
        """Every field of the table is one that an entry has, and every column one of its layout."""
        if self.table is None:
            return self
        known = {*ENTRY_FIELDS, *ADDRESS_FIELDS, *(detail.key for detail in self.details)}
        unknown = self.table.list_fields() - known
        if unknown:
            fields = join_values(sorted(unknown))
            raise ValueError(Message("table: neither fields of an entry nor declared details: {fields}", fields=fields))
        for name, layout in self.layouts.items():
            absent = self.table.list_columns(name) - {*layout.columns, *layout.ignored}
            if absent:
                columns = join_values(sorted(absent))
                raise ValueError(Message("table: not columns of the layout {layout}: {columns}", layout=name, columns=columns))
        return self

    @property
    def max_age_days(self) -> int | None:
        """The number of days after which the data is stale: that of the source, or twice its cadence."""
        return self.stale_after_days if self.stale_after_days is not None else DEFAULT_MAX_AGE_DAYS.get(self.cadence)

    def get_title(self, language: Language) -> str:
        """The title in the language."""
        return translate(self.title, language)

    def get_display_name(self, language: Language) -> str:
        """The label in the language, or the title of a source without a label."""
        return self.get_title(language) if self.label is None else _choose(self.label.en, self.label.fr, language)

    def get_page(self, language: Language) -> str:
        """The page where a person looks, in the language if the publisher has it."""
        return _choose(self.page, self.page_fr, language)

    def get_localized_url(self, url: str, language: Language) -> str:
        """The version in the language of a page of this source, such as the `source_url` of an entry; else the address itself."""
        if language is not Language.FRENCH:
            return url
        if url == self.page:
            return self.get_page(language)
        if self.entry_url is not None and self.entry_url_fr is not None:
            before, _, after = self.entry_url.partition("{number}")
            number = url.removeprefix(before).removesuffix(after)
            if url == f"{before}{number}{after}":
                return self.entry_url_fr.replace("{number}", number)
        return url

    def resource(self, name: str) -> ResourceMetadata:
        """The resource of that name. Raises `KeyError` for a name that `source.yml` does not have."""
        return {resource.name: resource for resource in self.resources}[name]
