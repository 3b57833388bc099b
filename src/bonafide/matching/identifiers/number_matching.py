"""Compare registration numbers in any spelling by their keys, and validate check digits.

A valid check digit does not mean that the number exists.
"""

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from bonafide.matching.identifiers.number_labels import REGISTER_LETTERS, compact_number, parse_labelled_number
from bonafide.matching.text.folding import fold

_BN_DIGITS = 9
_PROGRAM_ACCOUNT = re.compile(r"(\d{9})([A-Z]{2})(\d{0,4})")
"""Also without leading zeros, or without the account number: "835752437 RT1", "835752437 RT"."""
_LONG = 6  # too many shorter numbers differ in one digit only
# Prince Edward Island prints business number and register number together; Corporations Canada puts a dash before the last digit.
_BN_AND_NUMBER = re.compile(r"\D*(\d{9}) *- *(\d{5,7})\D*")
_LETTERS_AND_DIGITS = re.compile(r"([A-Z]+)(\d+)")
_LEI = re.compile(r"[A-Z0-9]{18}\d{2}")


@lru_cache(maxsize=2**10)  # the requested number is compared with every candidate's
def build_number_keys(text: str) -> frozenset[str]:
    """The keys of a registration number: two numbers are the same if they share a key. Empty for a text without any number.

    Spaces, dashes, periods and case are ignored, as are labels in front ("BN", "NEQ", "Corporation No.") and leading zeros, except
    in a 9-digit number that can be a business number. Letters that only name the register ("BC0772006") are optional.
    """
    if text.isascii() and text.isdigit():
        return frozenset(_build_digit_keys(text))
    plain = fold(text).upper()
    both = _BN_AND_NUMBER.fullmatch(plain)
    if both is not None:
        return frozenset({both[1], _strip_padding(both[2])})
    number = parse_labelled_number("".join(filter(str.isalnum, plain))).number
    return frozenset(_build_keys(number)) if number else frozenset()


def _build_keys(number: str) -> set[str]:
    account = _PROGRAM_ACCOUNT.fullmatch(number)
    if account is not None:
        root, program, reference = account.groups()
        return {root, f"{root}{program}{reference:0>4}"} if reference else {root}
    lettered = _LETTERS_AND_DIGITS.fullmatch(number)
    if lettered is None:
        return _build_digit_keys(number) if number.isdecimal() else {number}
    letters, digits = lettered.groups()
    own = letters + (digits.lstrip("0") or "0")
    return {own, _strip_padding(digits)} if letters in REGISTER_LETTERS else {own}


def _build_digit_keys(digits: str) -> set[str]:
    """The number without leading zeros, and a 9-digit number also unchanged. One that can be a business number is never padded."""
    if len(digits) != _BN_DIGITS or not digits.startswith("0"):
        return {_strip_padding(digits)}
    # No known business number begins with two zeros, but printed Ontario numbers do.
    return {digits} if is_luhn_valid(digits) and not digits.startswith("00") else {digits, digits.lstrip("0") or "0"}


def _strip_padding(digits: str) -> str:
    return digits if len(digits) == _BN_DIGITS else digits.lstrip("0") or "0"


def compare_numbers(one: str, other: str) -> float:
    """How similar two numbers are: 1 if they are the same, otherwise the share of matching characters."""
    left, right = build_number_keys(one), build_number_keys(other)
    if not left.isdisjoint(right):
        return 1.0
    return max((OSA.normalized_similarity(key, rival) for key in left for rival in right), default=0.0)


def is_misread(one: str, other: str) -> bool:
    """Whether exactly one character of a long number differs, is missing or is transposed."""
    pairs = ((key, rival) for key in build_number_keys(one) for rival in build_number_keys(other))
    return any(min(len(key), len(rival)) >= _LONG and OSA.distance(key, rival) == 1 for key, rival in pairs)


def is_same_series(one: str, other: str) -> bool:
    """Whether two numbers look like numbers of one register, so that a difference is significant.

    Only numbers of the same type are compared: business numbers, LEIs, numbers with the same letters, and numbers of about the
    same length.
    """
    left, right = _get_series(one), _get_series(other)
    return left[0] == right[0] and abs(left[1] - right[1]) <= 1


def _get_series(text: str) -> tuple[str, int]:
    number = parse_labelled_number(compact_number(text)).number
    if is_business_number(number):
        return "BN", _BN_DIGITS
    lettered = _LETTERS_AND_DIGITS.fullmatch(number)
    letters, digits = lettered.groups() if lettered is not None else ("", number)
    if letters in REGISTER_LETTERS:
        letters = ""
    return (letters, len(_strip_padding(digits))) if digits.isdecimal() else ("LEI" if is_lei(number) else "other", len(number))


def is_luhn_valid(digits: str) -> bool:
    """Whether decimal digits pass the Luhn check (ISO/IEC 7812), which business numbers and some provincial numbers carry."""
    if not (digits.isascii() and digits.isdecimal()):
        return False
    doubled = [int(digit) * (1 + position % 2) for position, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0  # noqa: PLR2004  # the rule's own numbers


def is_business_number(text: str) -> bool:
    """Whether this is a business number of the Canada Revenue Agency, with or without a program account ("RC0001")."""
    number = parse_labelled_number(compact_number(text)).number
    account = _PROGRAM_ACCOUNT.fullmatch(number)
    root = account[1] if account is not None else number
    return len(root) == _BN_DIGITS and is_luhn_valid(root)


def is_federal_number_valid(text: str) -> bool:
    """Whether the check digit of a federal corporation number is valid.

    No rule is published; this one was derived from 44 genuine numbers, so a failure is a warning, never a reason to refuse. From
    the right, the digits before the last have the weights 2 to 7, a seventh has none; the last is 11 minus the sum modulo 11.
    """
    digits = "".join(filter(str.isdecimal, text))
    if not (digits.isascii() and 3 <= len(digits) <= 8):  # noqa: PLR2004  # 3 to 8 digits have been issued
        return False
    weighted = sum(int(digit) * weight for digit, weight in zip(reversed(digits[:-1]), range(2, 8), strict=False))
    expected = 11 - weighted % 11
    # 11 became 1 in the newer, longer numbers and 0 in an older one.
    allowed = {10: "0", 11: "01"}.get(expected, str(expected))
    return digits[-1] in allowed


def is_lei(text: str) -> bool:
    """Whether this is a Legal Entity Identifier: 20 characters with valid check digits (ISO 17442, ISO/IEC 7064 mod 97-10)."""
    compact = text.strip().upper()
    return compact.isascii() and _LEI.fullmatch(compact) is not None and int("".join(str(int(c, 36)) for c in compact)) % 97 == 1


def is_imo_number(text: str) -> bool:
    """Whether this is a ship's IMO number: 7 digits, the last being the units digit of the first six weighted 7 to 2."""
    compact = "".join(filter(str.isalnum, text.upper())).removeprefix("IMO")
    if re.fullmatch(r"[0-9]{7}", compact) is None:
        return False
    return sum(int(digit) * weight for digit, weight in zip(compact, range(7, 1, -1), strict=False)) % 10 == int(compact[-1])
