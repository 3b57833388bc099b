"""Registrations as entities with an identifier: the jurisdiction and the number, as in `ON:1000017`."""

from collections.abc import Iterable
from dataclasses import dataclass

from bonafide.errors import ServerBusy, SourceError, SourceNotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.entity import RegistrationNumber
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.runtime import Runtime
from bonafide.services.lookup.registration_lookup import RegistrationResult, read_loaded_registration
from bonafide.sources.framework.live import RegistrationQuery

SEPARATOR = ":"
MAX_ID_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class RegistrationId:
    """The identifier of a registration: its jurisdiction, and its number as the register writes it."""

    jurisdiction: Jurisdiction
    number: str

    def __str__(self) -> str:
        """The identifier as text."""
        return f"{self.jurisdiction.value}{SEPARATOR}{self.number}"

    @classmethod
    def parse(cls, text: str) -> "RegistrationId | None":
        """The identifier of a text; None if it is none."""
        code, separator, number = text.strip().partition(SEPARATOR)
        if not separator or not number.strip() or len(text) > MAX_ID_CHARACTERS or code not in Jurisdiction.__members__:
            return None
        return cls(Jurisdiction(code), number.strip())

    @classmethod
    def of_entry(cls, jurisdiction: Jurisdiction, numbers: Iterable[RegistrationNumber]) -> "RegistrationId | None":
        """The identifier of an entry, whose first number is that of its register; None without a number."""
        first = next(iter(numbers), None)
        return cls(jurisdiction, first.value) if first is not None else None


async def read_registration(runtime: Runtime, world: World, identifier: RegistrationId) -> RegistrationResult | None:
    """A registration in loaded data; None if the loaded register does not have it.

    Raises `ServerBusy` if the register is not loaded or can't be read: then nobody knows whether it exists.
    """
    try:
        found = await read_loaded_registration(runtime, world, RegistrationQuery(identifier.jurisdiction, identifier.number))
    except SourceNotFound:
        return None
    except SourceError as error:
        raise ServerBusy(error.message) from error
    if found is None:
        raise ServerBusy(
            Message("The register of {jurisdiction} is not loaded.", jurisdiction=Message(identifier.jurisdiction.label))
        )
    return found


async def read_registrations(runtime: Runtime, world: World, texts: Iterable[str]) -> dict[str, RegistrationResult | None]:
    """The registrations with these identifiers; None for a text that is none, and for an unknown one. Raises `ServerBusy`."""
    identifiers = {text: RegistrationId.parse(text) for text in texts}
    return {
        text: await read_registration(runtime, world, identifier) if identifier is not None else None
        for text, identifier in identifiers.items()
    }
