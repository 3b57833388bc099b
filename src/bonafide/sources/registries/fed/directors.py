"""The directors of a corporation, which the register gives only to holders of a key.

It says nothing of how long a director has been one, and knows no other roles.
"""

from bonafide.errors import ParseFailed
from bonafide.model.entity import Address, Person, RoleDetail
from bonafide.net.http_messages import SourceResponse
from bonafide.sources.formats.delimited_text import build_postal_address
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.live import read_json
from bonafide.sources.registries.fed import register_rules
from bonafide.sources.registries.fed.api_models import FedApiDirector, FedApiDirectorList, FedApiServiceAddress, validate_answer

DOCUMENT = "the list of directors"
ROLE = "Director"


def read_directors(answer: SourceResponse, context: ParseContext) -> tuple[Person, ...]:
    """Everyone on the list; nobody when the register says that none is on file. Raises a `SourceError`."""
    if not answer.found:  # one of its two ways to say so
        return ()
    said = validate_answer(FedApiDirectorList, read_json(answer), DOCUMENT)
    said.note_unknown_keys(DOCUMENT, context)
    if said.embedded is None:
        return ()
    if "next" in said.links:
        context.note(f"{DOCUMENT} goes on in another answer, which is not read")
    return tuple(_build_person(director, context) for director in said.embedded.directors)


def _build_person(said: FedApiDirector, context: ParseContext) -> Person:
    said.note_unknown_keys(DOCUMENT, context)
    name = " ".join(part for part in (said.first_name, said.last_name) if part is not None)
    if name == "":
        raise ParseFailed(f"{DOCUMENT} has somebody without a name")
    address = _build_address(said.service_address, context) if said.service_address is not None else None
    return Person(
        name=name,
        roles=(ROLE,),
        role_details=(RoleDetail(category=context.role(ROLE), label=ROLE),),
        addresses=(address,) if address is not None else (),
    )


def _build_address(said: FedApiServiceAddress, context: ParseContext) -> Address | None:
    said.note_unknown_keys(DOCUMENT, context)
    return build_postal_address(
        street=said.line1,
        city=said.city,
        province=register_rules.normalize_province(said.subdivision_code, context),
        postal_code=said.postal_code,
        country=said.country_code,
    )
