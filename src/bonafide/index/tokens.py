"""The words of a name as the index knows them: the distinctive ones, each once, within bounds.

Names and queries pass through the same function, so a name is always found by itself. What a word is, and which words are
distinctive, is decided by the normaliser in `matching`.
"""

from itertools import islice

from bonafide.matching.names import NormalName

MAX_TOKENS = 16
"""Distinctive words kept of a name or a query. Registered names seldom have more than ten."""
MAX_TOKEN_CHARS = 48


def index_tokens(name: NormalName) -> tuple[str, ...]:
    """The distinctive words of a name in their order, without repetitions; empty for a name without letters and digits."""
    distinct = dict.fromkeys(token[:MAX_TOKEN_CHARS] for token in name.core)
    return tuple(islice(distinct, MAX_TOKENS))


def is_number(token: str) -> bool:
    """Whether a word holds a digit: one digit more or less is another number, while one letter may be a slip."""
    return any(map(str.isdigit, token))
