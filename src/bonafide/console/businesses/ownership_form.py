"""The form of an ownership statement: created from a statement, and parsed from a submission.

Rows are parties and interests. Each row of a party has an ID before anybody has typed a name into it, so that an interest can refer
to it without scripts. Shares are typed in per cent, with a decimal point or comma.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.frame.forms import list_problems, parse_percent
from bonafide.i18n.message import Message
from bonafide.model.ownership.statement import (
    Claimant,
    InterestKind,
    OwnershipInterest,
    OwnershipParty,
    OwnershipStatement,
    PartyKind,
    ShareBand,
)
from bonafide.services.ownership.statements import StatementVersion
from bonafide.web.validation_errors import to_api_error

BLANK_ROWS = 3
"""Empty rows at the end of each list, and how many more are added at once."""
MAX_ROWS = 40
"""The longest list that a form can edit, because the number of form fields is limited."""
PARTY_FIELDS = ("kind", "name", "jurisdiction", "registrationNumber", "dateOfBirth", "countries")
INTEREST_FIELDS = ("owner", "owned", "kind", "share.exact", "share.min", "share.max", "share.ends", "from", "to", "evidence")
ENDS: Mapping[str, tuple[bool, bool]] = {"": (False, False), "min": (True, False), "max": (False, True), "both": (True, True)}
"""Which ends of a band are excluded: the lower, the upper."""
_HIDDEN_OF_PARTY = ("id", "businessId")
_SHOWN_AT = {"": "owner", "share": "share.exact"}
"""The fields of an interest that show the problems of the whole interest and of its share."""
Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class OwnershipForm:
    """The content of the form: rows, who states it and when, the version of the stored statement, problems by field."""

    as_of: str
    declared_by: str
    parties: Sequence[Row]
    interests: Sequence[Row]
    version: StatementVersion
    problems: Mapping[str, Message] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SentOwnership:
    """A submitted form: its content, to show it again, and the statement; None if there are problems."""

    form: OwnershipForm
    statement: OwnershipStatement | None


def is_editable(statement: OwnershipStatement | None) -> bool:
    """Whether the form has room for the statement."""
    return statement is None or max(len(statement.parties), len(statement.interests)) <= MAX_ROWS


def build_ownership_form(
    statement: OwnershipStatement | None, version: StatementVersion, known: Sequence[OwnershipParty], today: date
) -> OwnershipForm:
    """The form of a stored statement, or of a new one, which begins with the parties that others name, `known`."""
    parties = statement.parties if statement is not None else known
    return OwnershipForm(
        as_of=(statement.as_of if statement is not None else today).isoformat(),
        declared_by=(statement.declared_by or "") if statement is not None else "",
        parties=_add_blank_parties([_write_party(party) for party in parties[:MAX_ROWS]], BLANK_ROWS),
        interests=_add_blank_interests(
            [_write_interest(interest) for interest in statement.interests] if statement else [], BLANK_ROWS
        ),
        version=version,
    )


def build_business_party(business_id: UUID, name: str) -> OwnershipParty:
    """The party that is the business itself."""
    return OwnershipParty(id=f"business-{business_id}", kind=PartyKind.BUSINESS, name=name, business_id=business_id)


def parse_ownership_form(sent: FormData, claimant: Claimant) -> SentOwnership:
    """Parse a submitted form. It is shown again with its empty rows after the others: an interest may refer to one of a party."""
    parties, blank_parties = _split_rows(_read_rows(sent, "parties", (*_HIDDEN_OF_PARTY, *PARTY_FIELDS)), ignored=frozenset({"id"}))
    interests, blank_interests = _split_rows(
        _read_rows(sent, "interests", ("id", *INTEREST_FIELDS)), ignored=frozenset({"id", "kind", "share.ends"})
    )
    form = OwnershipForm(
        as_of=_read_text(sent, "asOf"),
        declared_by=_read_text(sent, "declaredBy"),
        parties=_add_blank_parties([*parties, *blank_parties], BLANK_ROWS - len(blank_parties)),
        interests=_add_blank_interests([*interests, *blank_interests], BLANK_ROWS - len(blank_interests)),
        version=_read_text(sent, "version"),
    )
    problems: dict[str, Message] = {}
    numbers = _number_interests(interests, blank_interests)
    values: dict[str, Any] = {
        "claimedBy": claimant,
        **({"asOf": form.as_of} if form.as_of else {}),
        "declaredBy": form.declared_by or None,
        "parties": [_parse_party(row) for row in parties],
        "interests": [_parse_interest(row, numbers[place], f"interests.{place}", problems) for place, row in enumerate(interests)],
    }
    if not parties:
        problems["parties"] = Message("has no party. To withdraw the statement, use the button on the page before.")
    if problems:
        return SentOwnership(replace(form, problems=problems), None)
    try:
        return SentOwnership(form, OwnershipStatement.model_validate(values))
    except ValidationError as error:
        found = list_problems(to_api_error(error, OwnershipStatement))
        return SentOwnership(replace(form, problems=place_problems(found)), None)


def add_rows(form: OwnershipForm) -> OwnershipForm:
    """The form with more empty rows, and without its problems."""
    parties, interests = _add_blank_parties(form.parties, BLANK_ROWS), _add_blank_interests(form.interests, BLANK_ROWS)
    return replace(form, parties=parties, interests=interests, problems={})


def place_problems(problems: Mapping[str, Message]) -> dict[str, Message]:
    """The problems by the form's fields: those of an interest as a whole are shown at one of its fields."""
    placed: dict[str, Message] = {}
    for path, message in problems.items():
        part, _, rest = path.partition(".")
        number, _, name = rest.partition(".")
        if part == "interests" and name in _SHOWN_AT:
            placed[f"{part}.{number}.{_SHOWN_AT[name]}"] = message
        else:
            placed[path] = message
    return placed


# ------------------------------------------------------------------------------------------------------------- writing


def _write_party(party: OwnershipParty) -> Row:
    return {
        "id": party.id,
        "businessId": str(party.business_id) if party.business_id is not None else "",
        "kind": party.kind.value,
        "name": party.name or "",
        "jurisdiction": party.jurisdiction or "",
        "registrationNumber": party.registration_number or "",
        "dateOfBirth": party.date_of_birth or "",
        "countries": ", ".join(party.countries),
    }


def _write_interest(interest: OwnershipInterest) -> Row:
    share = interest.share
    return {
        "id": interest.id,
        "owner": interest.owner,
        "owned": interest.owned,
        "kind": interest.kind.value,
        "share.exact": _write_percent(share.exact) if share is not None else "",
        "share.min": _write_percent(share.min) if share is not None else "",
        "share.max": _write_percent(share.max) if share is not None else "",
        "share.ends": _write_ends(share) if share is not None else "",
        "from": interest.from_ or "",
        "to": interest.to or "",
        "evidence": interest.evidence or "",
    }


def _write_percent(fraction: float | None) -> str:
    """All digits of the fraction, so that saving the form doesn't change it."""
    if fraction is None:
        return ""
    text = f"{Decimal(repr(fraction)) * 100:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _write_ends(share: ShareBand) -> str:
    return next(code for code, ends in ENDS.items() if ends == (share.exclusive_min, share.exclusive_max))


def _add_blank_parties(rows: Sequence[Row], count: int) -> list[Row]:
    """The rows with so many more, as far as there is room."""
    blanks = [
        {"id": f"party-{uuid4().hex}", "businessId": "", **dict.fromkeys(PARTY_FIELDS, "")}
        for _ in range(min(count, MAX_ROWS - len(rows)))
    ]
    return [*rows, *blanks]


def _add_blank_interests(rows: Sequence[Row], count: int) -> list[Row]:
    blank = {"id": "", **dict.fromkeys(INTEREST_FIELDS, ""), "kind": InterestKind.SHARES.value}
    return [*rows, *([blank] * min(count, MAX_ROWS - len(rows)))]


# ------------------------------------------------------------------------------------------------------------- reading


def _read_rows(sent: FormData, part: str, names: Sequence[str]) -> Iterator[Row]:
    for number in range(MAX_ROWS):
        if f"{part}.{number}.{names[0]}" not in sent:
            return
        yield {name: _read_text(sent, f"{part}.{number}.{name}") for name in names}


def _split_rows(rows: Iterator[Row], ignored: Collection[str]) -> tuple[list[Row], list[Row]]:
    """The rows with content, and the empty ones; what stands in the `ignored` fields is no content."""
    filled: list[Row] = []
    blank: list[Row] = []
    for row in rows:
        has_content = any(text for name, text in row.items() if name not in ignored)
        (filled if has_content else blank).append(row)
    return filled, blank


def _read_text(sent: FormData, name: str) -> str:
    value = sent.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def _number_interests(rows: Sequence[Row], blank: Sequence[Row]) -> list[str]:
    """An ID for each interest: its own, or for a new one the next number that no row has."""
    used = {row["id"] for row in (*rows, *blank)}
    free = (str(number) for number in range(1, 2 * MAX_ROWS + 1) if str(number) not in used)
    return [row["id"] or next(free) for row in rows]


def _parse_party(row: Row) -> dict[str, Any]:
    given: dict[str, Any] = {name: text for name, text in row.items() if text}
    if "countries" in given:
        given["countries"] = [part.strip() for part in row["countries"].replace(";", ",").split(",") if part.strip()]
    return given


def _parse_interest(row: Row, interest_id: str, path: str, problems: dict[str, Message]) -> dict[str, Any]:
    given: dict[str, Any] = {name: text for name, text in row.items() if text and not name.startswith("share.")}
    given["id"] = interest_id
    share: dict[str, Any] = {}
    for name in ("exact", "min", "max"):
        text = row[f"share.{name}"]
        if text:
            fraction = parse_percent(text)
            if fraction is None:
                problems[f"{path}.share.{name}"] = Message("must be a number from 0 to 100")
            else:
                share[name] = fraction
    if share and "exact" not in share:
        share["exclusiveMin"], share["exclusiveMax"] = ENDS.get(row["share.ends"], ENDS[""])
    return {**given, "share": share} if share else given
