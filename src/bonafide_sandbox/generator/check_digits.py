"""Compute check digits of Canadian identifiers, vectorized over columns of payloads."""

import numpy as np

from bonafide_sandbox.generator.seeded_random import IntArray


def compute_luhn(payloads: IntArray) -> IntArray:
    """Return the Luhn check digit used by Business Numbers, Ontario firms and Alberta access numbers."""
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
    """Return the check digit of federal corporation numbers: weights 2 to 7, modulo 11, as inferred from real numbers.

    A seventh payload digit is ignored. A remainder of 0 gives 1 in eight-digit numbers and 0 in shorter ones.
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
    """Return the check digit of IMO ship numbers: six digits weighted 7 to 2, modulo 10."""
    total = np.zeros_like(payloads)
    rest = payloads.copy()
    for weight in range(2, 8):
        rest, digits = np.divmod(rest, 10)
        total += digits * weight
    return total % 10


def compute_lei(payload: str) -> str:
    """Return the two check digits of a Legal Entity Identifier with these 18 characters (ISO/IEC 7064, MOD 97-10)."""
    digits = "".join(str(int(character, 36)) for character in payload)
    return f"{98 - int(digits + '00') % 97:02d}"
