"""The words of a name as the index knows them: the distinctive ones, each once, within bounds.

Names and queries pass through the same function, so a name is always found by itself. What a word is, and which words are
distinctive, is decided by the normaliser in `matching`.
"""

from bonafide.matching.searchable import MAX_WORDS as MAX_TOKENS
from bonafide.matching.searchable import index_words as index_tokens

__all__ = ["MAX_TOKENS", "index_tokens", "is_number"]


def is_number(token: str) -> bool:
    """Whether a word holds a digit: one digit more or less is another number, while one letter may be a slip."""
    return any(map(str.isdigit, token))
