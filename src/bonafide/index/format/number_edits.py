"""Words that are numbers: how they are recognised, and every number that one typing error makes of one.

There are some two hundred, which are looked up as they are; a table of numbers by what is left of them would be larger than all
else that the index knows of words. Slips in words of letters are the business of `deletions`.
"""

from functools import lru_cache
from string import digits as all_digits


def is_number(token: str) -> bool:
    """Whether a word holds a digit: one digit more or less is another number, while one letter may be a slip."""
    return any(map(str.isdigit, token))


_CACHED_NUMBERS = 256


@lru_cache(maxsize=_CACHED_NUMBERS)
def generate_number_edits(number: str) -> tuple[str, ...]:
    """The numbers with one digit wrong, added or missing, or two neighbours swapped."""
    cuts = [(number[:place], number[place:]) for place in range(len(number) + 1)]
    slips = {
        *(before + after[1:] for before, after in cuts),
        *(before + after[1::-1] + after[2:] for before, after in cuts),
        *(before + digit + after[skipped:] for before, after in cuts for digit in all_digits for skipped in (0, 1)),
    }
    return tuple(slip for slip in sorted(slips - {number}) if is_number(slip))
