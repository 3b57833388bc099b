"""The directors of a corporation, which the register gives only to holders of a key.

It says nothing of how long a director has been one, and knows no other roles.
"""

from bonafide.calls import Answer
from bonafide.errors import ParseFailed
from bonafide.model.entity import Address, Person, RoleDetail
from bonafide.sources.context import ParseContext
from bonafide.sources.live import read_json
from bonafide.sources.parse import postal_address
from bonafide.sources.registries.fed import terms
from bonafide.sources.registries.fed.wire import SaidDirector, SaidDirectors, ServiceAddress, validated

WHERE = "the list of directors"
ROLE = "Director"


def read_directors(answer: Answer, context: ParseContext) -> tuple[Person, ...]:
    """Everyone on the list; nobody when the register says that none is on file. Raises a `SourceError`."""
    if not answer.found:  # one of its two ways to say so
        return ()
    said = validated(SaidDirectors, read_json(answer), WHERE)
    said.tell_new_parts(WHERE, context)
    if said.embedded is None:
        return ()
    if "next" in said.links:
        context.note(f"{WHERE} goes on in another answer, which is not read")
    return tuple(_person(director, context) for director in said.embedded.directors)


def _person(said: SaidDirector, context: ParseContext) -> Person:
    said.tell_new_parts(WHERE, context)
    name = " ".join(part for part in (said.first_name, said.last_name) if part is not None)
    if name == "":
        raise ParseFailed(f"{WHERE} has somebody without a name")
    address = _address(said.service_address, context) if said.service_address is not None else None
    return Person(
        name=name,
        roles=(ROLE,),
        role_details=(RoleDetail(category=context.role(ROLE), label=ROLE),),
        addresses=(address,) if address is not None else (),
    )


def _address(said: ServiceAddress, context: ParseContext) -> Address | None:
    said.tell_new_parts(WHERE, context)
    return postal_address(
        street=said.line1,
        city=said.city,
        province=terms.province(said.subdivision_code, context),
        postal_code=said.postal_code,
        country=said.country_code,
    )
