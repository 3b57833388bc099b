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
from bonafide.i18n.message import Message, MessageTemplate
from bonafide.model.entity import Part, RoleCategory, StatusCode
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.table_metadata import ADDRESS_FIELDS, ENTRY_FIELDS, TableMetadata


class AccessMethod(StrEnum):
    """How a source can be read."""

    BULK = "bulk"
    """Downloaded whole from its publisher and indexed here."""
    IMPORT = "import"
    """Only from a file that the operator holds."""
    LIVE = "live"
    """Asked one question at a time; nothing is kept of it but the reports that somebody asked for."""
    NONE = "none"
    """By no machine that is known or permitted; a register can still be imported in the canonical layout."""


class Cadence(StrEnum):
    """How often the publisher renews the data."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"
    IRREGULAR = "irregular"
    SNAPSHOT = "snapshot"
    """Published once and not renewed."""


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
    """One file that the publisher offers. What stands in braces in `url` (`{year}`) the source's own `fetch` fills in."""

    name: str
    url: str
    format: str
    encoding: str = "utf-8"
    form: dict[str, str] | None = None
    """Fields that are sent as a form (POST), where the publisher hands the file out so. None for a plain address."""
    note: str | None = None


class HeaderLayout(_StrictModel):
    """A header that the parser knows. A missing column refuses the file; so does an unknown one, unless `allow_extra`."""

    columns: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    """Columns that are known and deliberately not read."""
    allow_extra: bool = False


class LoadChecks(_StrictModel):
    """What a load must satisfy to replace the last good one."""

    min_entries: int = 1
    max_rejected_share: float = 0.01
    max_drop_share: float = 0.3
    """How much smaller than the last good load it may be."""
    max_unknown_share: float = 0.02
    """Share of rows that may carry a word the vocabulary does not know."""
    min_fill: dict[str, float] = Field(default_factory=dict)
    """Entry field to the share of entries that must have it."""


class TermsOfUse(_StrictModel):
    """What the operator must accept before a program may ask the source."""

    version: str
    """Raised with any change of the text: an earlier acceptance does not cover it."""
    text: MessageTemplate
    url: str | None = None


class LiveMetadata(_StrictModel):
    """How a source is asked one question at a time."""

    base_url: str
    rate_per_minute: int = Field(ge=1)
    """Calls that we allow ourselves, whatever the source would bear."""
    timeout_s: float = Field(gt=0, le=30)
    """For all the calls of one question."""
    terms: TermsOfUse | None = None
    """None where the publisher lets programs ask. Where it stands, nothing is asked before the operator has accepted it."""
    key: str | None = None
    """What a key is needed for, where the publisher hands out keys."""
    publishes: tuple[Part, ...] = ()
    """Of a register: what a report says of a business, beside its name and number."""
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
    """Which businesses the data lacks though they are registered: a number that it doesn't have may exist all the same. None
    where it holds the whole register."""
    publishes: tuple[Part, ...] = ()
    """Of a register: what its files say of a business, beside its name and number. Of what is not named they never say anything."""
    good_standing_rule: MessageTemplate | None = None
    """Of a register: from what it follows whether a business is in good standing."""
    cadence: Cadence = Cadence.IRREGULAR
    stale_after_days: int | None = None
    resources: tuple[ResourceMetadata, ...] = ()
    acceptance: TermsOfUse | None = None
    """What the operator must accept before a program may download the files; None where the publisher asks for nothing."""
    live: LiveMetadata | None = None
    """Beside or in place of files: how the source is asked while somebody waits."""
    pause_s: float = 0.0
    """Seconds between two downloads, where one load takes many files of one publisher."""
    snapshot_as_of: date | None = None
    """The day of the only data that exists in the source's own layout: what an imported file of that layout is dated to when
    neither it nor the operator says. A file in the canonical layout is never dated by it."""
    layouts: dict[str, HeaderLayout] = Field(default_factory=dict)
    checks: LoadChecks = LoadChecks()
    statuses: dict[str, StatusCode] = Field(default_factory=dict)
    """The source's status words, compared without case, to the common codes."""
    roles: dict[str, RoleCategory] = Field(default_factory=dict)
    terms: dict[str, str] = Field(default_factory=dict)
    """Other code words of the source and what they mean."""
    number_label: MessageTemplate | None = None
    """The label of its registration numbers."""
    details: tuple[DetailField, ...] = ()
    table: TableMetadata | None = None
    """How the rows of its tables become entries; None where code reads all of them."""

    @model_validator(mode="after")
    def _check_table(self) -> Self:
        """Every field of the table is one that an entry has, and every column one of its layout."""
        if self.table is None:
            return self
        known = {*ENTRY_FIELDS, *ADDRESS_FIELDS, *(detail.key for detail in self.details)}
        unknown = self.table.list_fields() - known
        if unknown:
            raise ValueError(f"table: neither a field of an entry nor a declared detail: {', '.join(sorted(unknown))}")
        for name, layout in self.layouts.items():
            absent = self.table.list_columns(name) - {*layout.columns, *layout.ignored}
            if absent:
                raise ValueError(f"table: not columns of the layout {name}: {', '.join(sorted(absent))}")
        return self

    @property
    def max_age_days(self) -> int | None:
        """After how many days the data is called stale: as the source says, else after twice its cadence."""
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
        """The resource of that name; a `KeyError` for one that is not there is a fault of the source's folder."""
        return {resource.name: resource for resource in self.resources}[name]
