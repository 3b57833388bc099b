"""Business numbers of the Canada Revenue Agency, and the formats of the fourteen registers' numbers.

A business number has nine digits, optionally followed by a program account ("RC0001"); the digits are the same for every account.
Formats determine the possible types of a number and why it looks invalid. A failed check is a warning and never a reason to refuse,
because only the issuer knows which numbers it assigned. `number_matching` compares numbers.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bonafide.i18n.message import Message, join_messages, join_values
from bonafide.matching.identifiers.number_labels import (
    REGISTER_LETTERS,
    LabelledNumber,
    NumberType,
    compact_number,
    is_label,
    parse_label_type,
    parse_labelled_number,
)
from bonafide.matching.identifiers.number_matching import is_federal_number_valid, is_lei, is_luhn_valid
from bonafide.matching.text.tables import read_table
from bonafide.model.jurisdiction import Jurisdiction

_SHAPE = re.compile(r"([0-9]{9})(?:([A-Z]{2})([0-9]{0,4}))?")
_BN_IN_FRONT = re.compile(r"([0-9]{9}) *- *[0-9]{5,7}")


@dataclass(frozen=True, slots=True)
class BusinessNumber:
    """A business number in normal form: its nine digits, and its account if one was written ("RC0001", or "RC" alone)."""

    root: str
    account: str | None = None

    @property
    def passes_check(self) -> bool:
        """Whether the check digit is valid (Luhn)."""
        return is_luhn_valid(self.root)


def parse_business_number(text: str) -> BusinessNumber | None:
    """The business number in any usual spelling, valid or not; None for another form, or a text labelled as another number."""
    number = parse_labelled_number(compact_number(text))
    found = _SHAPE.fullmatch(number.number)
    if found is None or number.type not in {None, NumberType.BUSINESS_NUMBER}:
        return None
    root, program, reference = found.groups()
    account = f"{program}{reference:0>4}" if reference else program
    return BusinessNumber(root, account)


def parse_stated_business_number(label: str, value: str) -> str | None:
    """The nine digits that a register states under a label, if they are a valid business number.

    Prince Edward Island prints it in front of its own number ("832815864-141006"). Nine digits under another label are another
    number: Ontario's Business Identification Number has the same form.
    """
    in_front = _BN_IN_FRONT.fullmatch(value.strip())
    if in_front is not None:
        return in_front[1] if is_luhn_valid(in_front[1]) else None
    number = parse_business_number(value) if _labels_business_number(label) else None
    return number.root if number is not None and number.passes_check else None


@lru_cache(maxsize=2**8)  # registers have few labels, and every candidate has several
def _labels_business_number(label: str) -> bool:
    return parse_labelled_number(f"{compact_number(label)}0").type is NumberType.BUSINESS_NUMBER


_BN_DIGITS = 9
_CHECKS: dict[str, Callable[[str], bool]] = {"federal": is_federal_number_valid, "lei": is_lei, "luhn": is_luhn_valid}
_PE_PAIR = re.compile(r"\d{9} *- *\d{5,7}")
_LETTERS_IN_FRONT = re.compile(r"([A-Z]+)(\d+)")


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """One type of number, from `number_types.yml`; `title` and `form` are for messages. No jurisdiction means all of Canada."""

    type: NumberType
    title: Message
    form: Message
    shape: re.Pattern[str]
    jurisdiction: Jurisdiction | None
    check: Callable[[str], bool] | None
    hard: bool

    def fits(self, number: str) -> bool:
        """Whether a compact number has the form."""
        return number.isascii() and self.shape.fullmatch(number) is not None

    def passes(self, number: str) -> bool:
        """Whether the check digit is valid, if there is one. The program account of a business number is ignored."""
        digits = number[:_BN_DIGITS] if self.type is NumberType.BUSINESS_NUMBER else number
        return self.check is None or self.check(digits)


def _build_format(kind: NumberType, facts: dict[str, str]) -> NumberFormat:
    home, check = facts.get("jurisdiction"), facts.get("check")
    title, form = facts["title"], facts["form"]
    return NumberFormat(
        type=kind,
        title=Message(title),
        form=Message(form),
        shape=re.compile(facts["shape"]),
        jurisdiction=Jurisdiction(home) if home is not None else None,
        check=_CHECKS[check] if check is not None else None,
        hard=bool(facts.get("hard", False)),
    )


_TABLE = read_table("number_types")
NUMBER_FORMATS = {kind: _build_format(kind, _TABLE[kind]) for kind in NumberType}
_ANYWHERE = frozenset(kind for kind, form in NUMBER_FORMATS.items() if form.jurisdiction is None)


def list_number_types(jurisdiction: Jurisdiction) -> list[NumberType]:
    """The types of numbers that a register assigns."""
    return [kind for kind, form in NUMBER_FORMATS.items() if form.jurisdiction is jurisdiction]


@lru_cache(maxsize=2**8)
def detect_number_types(text: str) -> frozenset[NumberType]:
    """The types of number that a text states by words or letters in front of the number; empty if it states none."""
    return _detect_types(parse_labelled_number(compact_number(text)))


@lru_cache(maxsize=2**8)  # registers have few labels, and every candidate has one
def parse_published_type(label: str, jurisdiction: Jurisdiction | None) -> NumberType | None:
    """The type of number under a register's label; None for an ambiguous label."""
    plain = label.partition("(")[0]  # "Registry Number (former name)"
    kind = parse_label_type(label) or parse_label_type(plain)
    if kind is not None or jurisdiction is None or not is_label(plain):
        return kind
    own = list_number_types(jurisdiction)
    return own[0] if len(own) == 1 else None


def _detect_types(number: LabelledNumber) -> frozenset[NumberType]:
    if number.type is not None:
        return frozenset({number.type})
    lettered = _LETTERS_IN_FRONT.fullmatch(number.number)
    if lettered is not None and lettered[1] in REGISTER_LETTERS and lettered[1] in set(Jurisdiction):
        return frozenset(list_number_types(Jurisdiction(lettered[1])))
    if NUMBER_FORMATS[NumberType.BUSINESS_NUMBER].fits(number.number) and not number.number.isdecimal():
        return frozenset({NumberType.BUSINESS_NUMBER})
    return frozenset()


# ------------------------------------------------------------------------------------------------------------ doubts


@lru_cache(maxsize=2**8)  # one number is compared with many candidates
def find_number_problem(text: str, jurisdictions: tuple[Jurisdiction, ...] = ()) -> Message | None:
    """Why a submitted number looks invalid; None if it can be valid.

    It is checked as the type that it states ("NEQ …", "BC…", "… RC0001"), otherwise as a number of the given registers, or of any.
    A business number and a LEI are always possible.
    """
    if _PE_PAIR.search(text) is not None:
        return _find_pair_problem(text)
    number = parse_labelled_number(compact_number(text))
    stated = _detect_types(number)
    plain = _strip_register_letters(number.number) if stated else number.number
    if stated:
        return _find_problem(plain, sorted(stated))
    own = [kind for jurisdiction in jurisdictions for kind in list_number_types(jurisdiction)]
    if own:
        return _find_problem(plain, [*own, *sorted(_ANYWHERE)])
    return _find_problem(plain, list(NumberType)) or _explain_unlikely(plain)


def _find_pair_problem(text: str) -> Message | None:
    """The problem of a business number followed by a number of Prince Edward Island; only the business number is checked."""
    root = "".join(filter(str.isdecimal, text))[:_BN_DIGITS]
    return None if is_luhn_valid(root) else _explain_failed_check(root, [NUMBER_FORMATS[NumberType.BUSINESS_NUMBER]])


@lru_cache(maxsize=2**8)
def find_type_problem(text: str, kind: NumberType) -> Message | None:
    """Why a text does not look like a number of one type; None if it does."""
    return _find_problem(_strip_register_letters(parse_labelled_number(compact_number(text)).number), [kind])


def _find_problem(number: str, kinds: Sequence[NumberType]) -> Message | None:
    fitting = _find_fitting_formats(number, kinds)
    if not fitting:
        return _explain_wrong_format(number, [NUMBER_FORMATS[kind] for kind in kinds])
    return _explain_failed_check(number, fitting) if not any(form.passes(number) for form in fitting) else None


def _explain_unlikely(number: str) -> Message | None:
    """The problem of a number that fails every hard check, and can only be the number of a register without check digits.

    Soft checks are ignored, because nine of ten numbers of other registers fail them.
    """
    fitting = _find_fitting_formats(number, list(NumberType))
    failing = [form for form in fitting if form.hard and not form.passes(number)]
    others = [form for form in fitting if form not in failing]
    if not failing or any(form.check is not None and form.passes(number) for form in others):
        return None
    possible = Message("It may still be a number of another type: {types}.", types=join_values([form.title for form in others]))
    return join_messages([_explain_failed_check(number, failing), possible], " ")


def _find_fitting_formats(number: str, kinds: Sequence[NumberType]) -> list[NumberFormat]:
    return [NUMBER_FORMATS[kind] for kind in kinds if NUMBER_FORMATS[kind].fits(_normalize_for_type(number, kind))]


def _normalize_for_type(number: str, kind: NumberType) -> str:
    """The number without leading zeros, except a business number, which is never padded."""
    padded = number.isdecimal() and kind not in {NumberType.BUSINESS_NUMBER, NumberType.ONTARIO_FIRM}
    unpadded = number.lstrip("0") or "0"
    return unpadded if padded and not NUMBER_FORMATS[kind].fits(number) else number


def _strip_register_letters(number: str) -> str:
    """The number without a register's letters in front of it, except those of British Columbia, which are part of it."""
    lettered = _LETTERS_IN_FRONT.fullmatch(number)
    return lettered[2] if lettered is not None and lettered[1] in REGISTER_LETTERS - {Jurisdiction.BC} else number


def _explain_wrong_format(number: str, forms: Sequence[NumberFormat]) -> Message:
    own = [form for form in forms if form.type not in _ANYWHERE] or list(forms)
    if len(own) > len(list_number_types(Jurisdiction.ON)):
        return Message("{number} is not in the format of any Canadian registration number.", number=number)
    expected = [Message("{type} ({format})", type=form.title, format=form.form) for form in own]
    return Message("{number} is not in the expected format: {formats}.", number=number, formats=join_values(expected, "; "))


def _explain_failed_check(number: str, forms: Sequence[NumberFormat]) -> Message:
    types = join_values([form.title for form in forms])
    if all(form.hard for form in forms):
        return Message("{number} has an invalid check digit ({types}). A digit may be wrong.", number=number, types=types)
    return Message(
        "{number} has an unusual check digit ({types}). The rule is unofficial, but a digit may be wrong.",
        number=number,
        types=types,
    )
