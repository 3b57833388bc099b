"""An entry of a register in its stored form, for bulk loads, which would spend most of their time on a model for each row."""

from typing import NamedTuple

from bonafide.model.entity import StatusCode
from bonafide.model.jurisdiction import Jurisdiction


class SerializedEntry(NamedTuple):
    """What an index needs of a `RegistryEntry`. `document` is its JSON without defaults, as `model_dump_json` writes it.

    `addresses` are the lines that are searched; `filled` are the fields, among those that the checks of the load count, that
    are not empty.
    """

    entry_id: str
    document: str
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    addresses: tuple[str, ...]
    jurisdiction: Jurisdiction
    status_code: StatusCode
    filled: tuple[str, ...] = ()
