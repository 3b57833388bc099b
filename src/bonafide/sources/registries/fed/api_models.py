"""The JSON of the register's two interfaces: the look-up by number, and the directors.

The shapes are those of one saved answer and of what public clients document. What a part means is read elsewhere.
"""

from datetime import date
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.registries.fed.corporation import parse_day

OptionalText = Annotated[
    str | None, BeforeValidator(lambda value: normalize_whitespace(value) if isinstance(value, str) else value)
]
OptionalDay = Annotated[date | None, BeforeValidator(lambda value: parse_day(value) if isinstance(value, str) else value)]


class FedApiModel(BaseModel):
    """Base of the parts of an answer: null means absent, and keys that nobody has seen are kept to be told."""

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=to_camel, coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data

    def note_unknown_keys(self, where: str, context: ParseContext) -> None:
        """Note what is not known and not read."""
        for key in self.model_extra or ():
            context.note(f"{where} has a part that is not known and not read: {key}")


S = TypeVar("S", bound=FedApiModel)


def validate_answer(shape: type[S], said: Any, where: str) -> S:
    """The answer in its shape. Raises `ParseFailed` that names the first part which is missing or of another kind."""
    try:
        return shape.model_validate(said)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the answer"
        raise ParseFailed(f"{where} is not of the known shape: {place}: {first['msg']}") from error


# ------------------------------------------------------------------------------------------------------------ the look-up


class FedApiName(FedApiModel):
    """A name with its days."""

    name: OptionalText = None
    name_type: OptionalText = None
    current: bool | None = None
    effective_date: OptionalDay = None
    expiry_date: OptionalDay = None


class FedApiNameItem(FedApiModel):
    """How a name is wrapped."""

    said: FedApiName = Field(alias="CorporationName")


class FedApiAddress(FedApiModel):
    """An address with its kind, of which `2` is the registered office."""

    address_line: tuple[OptionalText, ...] = ()
    city: OptionalText = None
    postal_code: OptionalText = None
    province_code: OptionalText = None
    country_code: OptionalText = None
    type_code: OptionalText = None
    current: bool = False


class FedApiAddressItem(FedApiModel):
    """How an address is wrapped."""

    said: FedApiAddress = Field(alias="address")


class FedApiActivity(FedApiModel):
    """Something that was done to the corporation, and when."""

    activity: str
    date: OptionalDay = None


class FedApiActivityItem(FedApiModel):
    """How an activity is wrapped."""

    said: FedApiActivity = Field(alias="activity")


class FedApiAnnualReturn(FedApiModel):
    """An annual return."""

    year_of_filing: OptionalText = None


class FedApiAnnualReturnItem(FedApiModel):
    """How an annual return is wrapped."""

    said: FedApiAnnualReturn = Field(alias="annualReturn")


class FedApiBusinessNumber(FedApiModel):
    """The business number."""

    business_number: OptionalText = None


class FedApiCorporation(FedApiModel):
    """A corporation."""

    corporation_id: str
    act: OptionalText = None
    status: str
    names: tuple[FedApiNameItem, ...] = Field(alias="corporationNames")
    addresses: tuple[FedApiAddressItem, ...] = Field(default=(), alias="adresses")  # so the register spells it
    director_limits: Any = None
    """Numbers, no people: known and not read."""
    business_numbers: FedApiBusinessNumber = FedApiBusinessNumber()
    annual_returns: tuple[FedApiAnnualReturnItem, ...] = ()
    activities: tuple[FedApiActivityItem, ...] = ()


# ------------------------------------------------------------------------------------------------------------ the directors


class FedApiServiceAddress(FedApiModel):
    """Where papers reach a director. The province's names in words say nothing more than its code."""

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
    """How the directors are wrapped."""

    directors: tuple[FedApiDirector, ...]


class FedApiDirectorList(FedApiModel):
    """All directors of a corporation; with nothing but links where none is on file."""

    links: dict[str, Any] = Field(alias="_links")
    embedded: FedApiEmbeddedDirectors | None = Field(default=None, alias="_embedded")
