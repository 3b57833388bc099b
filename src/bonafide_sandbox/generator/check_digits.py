"""Check digits of Canadian numbers, for whole columns of payloads."""

import numpy as np

from bonafide_sandbox.generator.seeded_random import IntArray


def compute_luhn(payloads: IntArray) -> IntArray:
    """The digit that makes payload and digit pass Luhn: Business Numbers, Ontario firms, Alberta's access numbers."""
    total = np.zeros_like(payloads)
    rest = payloads.copy()
    doubled = True
    while rest.any():
        rest, digits = np.divmod(rest, 10)
        if doubled:
            digits = np.add(*np.divmod(digits * 2, 10))
        total += digits
        doubled = not doubled
    return -total % 10


def compute_federal(payloads: IntArray) -> IntArray:
    """The last digit of federal corporation numbers, by the rule derived from genuine ones (weights 2 to 7, modulo 11).

    A seventh digit of the payload does not count. A remainder of 0 gives 1 in eight-digit numbers and 0 in shorter ones.
    """
    total = np.zeros_like(payloads)
    rest = payloads.copy()
    for weight in range(2, 8):
        rest, digits = np.divmod(rest, 10)
        total += digits * weight
    remainder = total % 11
    digit = np.where(remainder == 1, 0, 11 - remainder)
    return np.where(remainder == 0, (rest > 0).astype(np.int64), digit)


def compute_imo(payloads: IntArray) -> IntArray:
    """The last digit of ships' IMO numbers: six digits weighed 7 to 2, modulo 10."""
    total = np.zeros_like(payloads)
    rest = payloads.copy()
    for weight in range(2, 8):
        rest, digits = np.divmod(rest, 10)
        total += digits * weight
    return total % 10


def compute_lei(payload: str) -> str:
    """The two digits that close a Legal Entity Identifier of these 18 characters (ISO/IEC 7064, mod 97-10)."""
    digits = "".join(str(int(character, 36)) for character in payload)
    return f"{98 - int(digits + '00') % 97:02d}"
