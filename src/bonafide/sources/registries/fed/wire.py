"""The JSON of the register's two interfaces, key by key: the look-up by number, and the directors for holders of a key.

The shapes are those of one saved answer and of what public clients document. What a part means is read elsewhere.
"""

from datetime import date
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from bonafide.errors import ParseFailed
from bonafide.sources.context import ParseContext
from bonafide.sources.parse import squeeze
from bonafide.sources.registries.fed.naming import day

Text = Annotated[str | None, BeforeValidator(lambda value: squeeze(value) if isinstance(value, str) else value)]
Day = Annotated[date | None, BeforeValidator(lambda value: day(value) if isinstance(value, str) else value)]


class Said(BaseModel):
    """Base of the parts of an answer: null means absent, and keys that nobody has seen are kept to be told."""

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=to_camel, coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data

    def tell_new_parts(self, where: str, context: ParseContext) -> None:
        """Note what is not known and not read."""
        for key in self.model_extra or ():
            context.note(f"{where} has a part that is not known and not read: {key}")


S = TypeVar("S", bound=Said)


def validated(shape: type[S], said: Any, where: str) -> S:
    """The answer in its shape. Raises `ParseFailed` that names the first part which is missing or of another kind."""
    try:
        return shape.model_validate(said)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the answer"
        raise ParseFailed(f"{where} is not of the known shape: {place}: {first['msg']}") from error


# ------------------------------------------------------------------------------------------------------------ the look-up


class SaidName(Said):
    """A name with its days."""

    name: Text = None
    name_type: Text = None
    current: bool | None = None
    effective_date: Day = None
    expiry_date: Day = None


class NameItem(Said):
    """How a name is wrapped."""

    said: SaidName = Field(alias="CorporationName")


class SaidAddress(Said):
    """An address with its kind, of which `2` is the registered office."""

    address_line: tuple[Text, ...] = ()
    city: Text = None
    postal_code: Text = None
    province_code: Text = None
    country_code: Text = None
    type_code: Text = None
    current: bool = False


class AddressItem(Said):
    """How an address is wrapped."""

    said: SaidAddress = Field(alias="address")


class SaidActivity(Said):
    """Something that was done to the corporation, and when."""

    activity: str
    date: Day = None


class ActivityItem(Said):
    """How an activity is wrapped."""

    said: SaidActivity = Field(alias="activity")


class SaidReturn(Said):
    """An annual return."""

    year_of_filing: Text = None


class ReturnItem(Said):
    """How an annual return is wrapped."""

    said: SaidReturn = Field(alias="annualReturn")


class SaidNumbers(Said):
    """The business number."""

    business_number: Text = None


class SaidCorporation(Said):
    """A corporation."""

    corporation_id: str
    act: Text = None
    status: str
    names: tuple[NameItem, ...] = Field(alias="corporationNames")
    addresses: tuple[AddressItem, ...] = Field(default=(), alias="adresses")  # so the register spells it
    director_limits: Any = None
    """Numbers, no people: known and not read."""
    business_numbers: SaidNumbers = SaidNumbers()
    annual_returns: tuple[ReturnItem, ...] = ()
    activities: tuple[ActivityItem, ...] = ()


# ------------------------------------------------------------------------------------------------------------ the directors


class ServiceAddress(Said):
    """Where papers reach a director. The province's names in words say nothing more than its code."""

    line1: Text = None
    city: Text = None
    subdivision_code: Text = None
    subdivision_names: Any = None
    postal_code: Text = None
    country_code: Text = None


class SaidDirector(Said):
    """A director."""

    first_name: Text = None
    last_name: Text = None
    service_address: ServiceAddress | None = None


class Embedded(Said):
    """How the directors are wrapped."""

    directors: tuple[SaidDirector, ...]


class SaidDirectors(Said):
    """All directors of a corporation; with nothing but links where none is on file."""

    links: dict[str, Any] = Field(alias="_links")
    embedded: Embedded | None = Field(default=None, alias="_embedded")
