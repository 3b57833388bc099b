"""What kind of word a word of the index is. Which words a name has, and which of them are distinctive, is decided in `matching`."""


def is_number(token: str) -> bool:
    """Whether a word holds a digit: one digit more or less is another number, while one letter may be a slip."""
    return any(map(str.isdigit, token))
