"""Functions that the parsers of lists share: group the rows of a party, and normalize its names, numbers and remarks.

Each list's parser interprets its rows, and decides which aliases are strong or weak.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from bonafide.matching.identifiers.number_matching import is_imo_number, is_lei
from bonafide.matching.text.folding import fold
from bonafide.model.entity import RegistrationNumber
from bonafide.sources.formats.delimited_text import TableRow, normalize_whitespace
from bonafide.sources.framework.context import ParseContext

PartyRowReader = Callable[[ParseContext], Iterator[tuple[str, TableRow]]]
"""Reads the file from its beginning and yields each row with the key of its party. It rejects rows without a key."""


def group_rows_by_party(read: PartyRowReader, context: ParseContext) -> Iterator[tuple[str, list[TableRow]]]:
    """Yield each key with all its rows, in the order of their last rows. Every row but the first of a party is counted as merged.

    Most lists keep the rows of a party together, but some do not. The file is read twice, first to count the rows of each party, so
    that only incomplete parties are held in memory.
    """
    left = Counter(key for key, _ in read(ParseContext(context.metadata)))
    parties: dict[str, list[TableRow]] = defaultdict(list)
    for key, row in read(context):
        if parties[key]:
            context.merge()
        parties[key].append(row)
        left[key] -= 1
        if left[key] == 0:
            yield key, parties.pop(key)


_BRACKET = re.compile(r"\s*\(([^()]*)\)")
_ABBREVIATION = re.compile(r"[^\W\d_][^\W_]*(?:[-/.][^\W_]+)*")
_LETTERS = range(2, 11)
"""The possible number of letters of an abbreviation after its full name."""
MIN_LONE_LENGTH = 3
"""The minimum length of an abbreviation that is a name of its own: two letters match too many initials."""
_ARTICLE = re.compile(r"(?:the|a|la|le|les|los|el|al)[ -]", re.IGNORECASE)
"""The abbreviation may include it or not: Al-Example in Yemen is AEY, El Ejemplo del Sur is EDS."""
_QUOTES = "“”\"„«»‘’'` "


def strip_quotes(text: str) -> str:
    """Remove quotation marks around the whole text: “The Butcher” becomes The Butcher, but Al-Basha'ir keeps its apostrophe."""
    stripped = text.strip()
    return stripped.strip(_QUOTES) if stripped[:1] in _QUOTES and stripped[-1:] in _QUOTES else stripped


def expand_bracket_forms(name: str) -> Iterator[tuple[str, bool]]:
    """Yield other forms of a name with its abbreviation in brackets, each with whether it is the abbreviation alone.

    `Global Example Fund (GEF)` is also `Global Example Fund` and `GEF`. Other brackets yield nothing.
    """
    short: list[str] = []
    plain = name
    for found in _BRACKET.finditer(name):
        if is_abbreviation(found[1], name[: found.start()]):
            short.append(found[1])
            plain = plain.replace(found[0], "", 1)
    if short:
        yield " ".join(plain.split()), False
        yield from ((text, True) for text in short if len(_keep_letters(text)) >= MIN_LONE_LENGTH)


def is_abbreviation(text: str, name: str) -> bool:
    """Whether the text can abbreviate the name: one word whose letters occur in it in order, beginning with its first letter."""
    short = _keep_letters(text)
    if _ABBREVIATION.fullmatch(text) is None or len(short) not in _LETTERS or not _is_mostly_upper(text):
        return False
    return _contains_in_order(_keep_letters(name), short) or _contains_in_order(
        _keep_letters(_ARTICLE.sub("", name.strip())), short
    )


def _contains_in_order(letters: str, short: str) -> bool:
    left = iter(letters)
    return letters[:1] == short[0] and all(letter in left for letter in short)


def _is_mostly_upper(text: str) -> bool:
    """Whether at least half of the letters are capitals, as in `HuM` and `AAS-T`."""
    return sum(map(str.isupper, text)) >= sum(map(str.islower, text))


def _keep_letters(text: str) -> str:
    return "".join(character for character in fold(text) if character.isalpha())


def split_by_script(text: str) -> list[str]:
    """Split a text in Latin letters and another script into its names; return any other text whole.

    `Anna Example (Анна)` and `Anna Example Анна` are `Anna Example` and `Анна`.
    """
    runs: list[tuple[bool, str]] = []
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        latin = _is_latin(word)
        if latin is None:
            continue
        if runs and runs[-1][0] == latin:
            runs[-1] = latin, f"{runs[-1][1]} {word}"
        else:
            runs.append((latin, word))
    return [run for _, run in runs] if len(runs) > 1 else [text]


def _is_latin(word: str) -> bool | None:
    """Whether the first letter is Latin; None for a word without letters."""
    letter = next((character for character in word if character.isalpha()), None)
    return unicodedata.name(letter, "").startswith("LATIN") if letter is not None else None


_SEVEN_DIGITS = re.compile(r"(?<!\d)\d{7}(?!\d)")
_NUMBER = re.compile(r"\d|^[^a-z]*[A-Z][^a-z]*$")
"""It contains a digit, or is all capitals, as bank codes and aircraft registrations are."""
_COMPANY_WEIGHTS = (8, 6, 4, 2, 9, 7)


@dataclass(frozen=True, slots=True)
class ListedNames:
    """The names of one party, each once."""

    main: str
    aliases: tuple[str, ...]
    weak: tuple[str, ...]


def build_names(main: str, others: Iterable[tuple[str, bool]]) -> ListedNames:
    """Collect the main name and the others, each given with whether it is weak. A name that is both weak and strong is strong."""
    weak: dict[str, tuple[str, bool]] = {}
    for text, is_weak in others:
        key = text.casefold()
        _, known = weak.get(key, ("", True))
        weak[key] = (weak[key][0] if key in weak else text, known and is_weak)
    weak.pop(main.casefold(), None)
    return ListedNames(
        main,
        tuple(text for text, is_weak in weak.values() if not is_weak),
        tuple(text for text, is_weak in weak.values() if is_weak),
    )


def extract_imo_numbers(text: str | None) -> list[RegistrationNumber]:
    """Return the valid IMO numbers in a text, of ships or of their owners.

    Empty for any other text.
    """
    found = dict.fromkeys(_SEVEN_DIGITS.findall(text or ""))
    ships = [RegistrationNumber(label="IMO number", value=number) for number in found if is_imo_number(number)]
    if ships:
        return ships
    return [RegistrationNumber(label="IMO company number", value=number) for number in found if _is_imo_company_number(number)]


def _is_imo_company_number(number: str) -> bool:
    """Whether the check digit is that of a shipping company's number (IMO resolution MSC.160(78))."""
    weighted = sum(int(digit) * weight for digit, weight in zip(number, _COMPANY_WEIGHTS, strict=False))
    return (11 - weighted % 11) % 10 == int(number[-1])


def build_numbers(label: str, number: str | None) -> Iterator[RegistrationNumber]:
    """Yield the number with its label; nothing for a placeholder ("-", "Not known") or an invalid LEI."""
    text = normalize_whitespace(number)
    if text is None or _NUMBER.search(text) is None:
        return
    if label.casefold() in {"lei", "legal entity identifier"} and not is_lei(text):
        return
    yield RegistrationNumber(label=label, value=text)


def deduplicate_numbers(numbers: Iterable[RegistrationNumber]) -> tuple[RegistrationNumber, ...]:
    """Return each number once, in order."""
    return tuple({(number.label, number.value): number for number in numbers}.values())


def format_remarks(labelled: Mapping[str, Iterable[str]]) -> str | None:
    """Join texts that have no field of their own, in the order given: "Label: one; another". The label "" is omitted."""
    parts = []
    for label, texts in labelled.items():
        joined = "; ".join(dict.fromkeys(text for text in map(normalize_whitespace, texts) if text is not None))
        if joined:
            parts.append(f"{label}: {joined}" if label else joined)
    return ". ".join(part.removesuffix(".") for part in parts) or None
