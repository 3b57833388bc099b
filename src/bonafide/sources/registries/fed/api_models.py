"""Models of the JSON of the register's two interfaces: the lookup by number, and the directors.

They follow one saved response and the documentation of public clients. `number_lookup` and `live` interpret the fields.
"""

from datetime import date
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.registries.fed.corporation import parse_day

OptionalText = Annotated[
    str | None, BeforeValidator(lambda value: normalize_whitespace(value) if isinstance(value, str) else value)
]
OptionalDay = Annotated[date | None, BeforeValidator(lambda value: parse_day(value) if isinstance(value, str) else value)]


class FedApiModel(BaseModel):
    """Base of the parts of a response. Null means absent; unknown keys are kept and reported."""

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=to_camel, coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data

    def note_unknown_keys(self, document: Message, context: ParseContext) -> None:
        """Add a note for each unknown key."""
        for key in self.model_extra or ():
            context.note(Message("{document}: the unknown field {field} was ignored", document=document, field=key))


S = TypeVar("S", bound=FedApiModel)


def validate_answer(shape: type[S], content: Any, document: Message) -> S:
    """Validate a response. Raises `ParseFailed` with the first field that is missing or invalid."""
    try:
        return shape.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "-"
        sentence = Message(
            "{document}: unexpected response: {field}: {problem}", document=document, field=field, problem=first["msg"]
        )
        raise ParseFailed(sentence) from error


# ------------------------------------------------------------------------------------------------------------ lookup by number


class FedApiName(FedApiModel):
    """A name with its dates."""

    name: OptionalText = None
    name_type: OptionalText = None
    current: bool | None = None
    effective_date: OptionalDay = None
    expiry_date: OptionalDay = None


class FedApiNameItem(FedApiModel):
    """The wrapper of a name."""

    content: FedApiName = Field(alias="CorporationName")


class FedApiAddress(FedApiModel):
    """An address with its type; `2` is the registered office."""

    address_line: tuple[OptionalText, ...] = ()
    city: OptionalText = None
    postal_code: OptionalText = None
    province_code: OptionalText = None
    country_code: OptionalText = None
    type_code: OptionalText = None
    current: bool = False


class FedApiAddressItem(FedApiModel):
    """The wrapper of an address."""

    content: FedApiAddress = Field(alias="address")


class FedApiActivity(FedApiModel):
    """An event in the history of the corporation."""

    activity: str
    date: OptionalDay = None


class FedApiActivityItem(FedApiModel):
    """The wrapper of an activity."""

    content: FedApiActivity = Field(alias="activity")


class FedApiAnnualReturn(FedApiModel):
    """An annual return."""

    year_of_filing: OptionalText = None


class FedApiAnnualReturnItem(FedApiModel):
    """The wrapper of an annual return."""

    content: FedApiAnnualReturn = Field(alias="annualReturn")


class FedApiBusinessNumber(FedApiModel):
    """The business number."""

    business_number: OptionalText = None


class FedApiCorporation(FedApiModel):
    """A corporation."""

    corporation_id: str
    act: OptionalText = None
    status: str
    names: tuple[FedApiNameItem, ...] = Field(alias="corporationNames")
    addresses: tuple[FedApiAddressItem, ...] = Field(default=(), alias="adresses")  # spelled so in the API
    director_limits: Any = None
    """Minimum and maximum numbers of directors, which are not read."""
    business_numbers: FedApiBusinessNumber = FedApiBusinessNumber()
    annual_returns: tuple[FedApiAnnualReturnItem, ...] = ()
    activities: tuple[FedApiActivityItem, ...] = ()


# ------------------------------------------------------------------------------------------------------------ directors


class FedApiServiceAddress(FedApiModel):
    """The address for service of a director. The names of the province are not read, since its code is."""

    line1: OptionalText = None
    city: OptionalText = None
    subdivision_code: OptionalText = None
    subdivision_names: Any = None
    postal_code: OptionalText = None
    country_code: OptionalText = None


class FedApiDirector(FedApiModel):
    """A director."""

    first_name: OptionalText = None
    last_name: OptionalText = None
    service_address: FedApiServiceAddress | None = None


class FedApiEmbeddedDirectors(FedApiModel):
    """The wrapper of the directors."""

    directors: tuple[FedApiDirector, ...]


class FedApiDirectorList(FedApiModel):
    """All directors of a corporation; only links if none is on file."""

    links: dict[str, Any] = Field(alias="_links")
    embedded: FedApiEmbeddedDirectors | None = Field(default=None, alias="_embedded")
