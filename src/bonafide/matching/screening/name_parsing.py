"""Parse names for screening, as names of people or of organizations and ships.

A name is first split into the names and identifiers that it contains, because lists print several in one text. A match on a part
scores slightly less. Names are transliterated into Latin letters.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from bonafide.matching.identifiers.number_matching import is_imo_number
from bonafide.matching.names.legal_forms import SINGLE_WORDS, strip_legal_forms
from bonafide.matching.names.listed_words import SCREENING_TABLE
from bonafide.matching.names.normalization import NormalName, normalise
from bonafide.matching.names.phrases import unify_phrases
from bonafide.matching.people.compared_people import NameBearer
from bonafide.matching.people.person_name_parsing import TITLES, PersonName, parse_listed_person_name
from bonafide.matching.text.confusables import list_disguised_readings, unify_scripts
from bonafide.matching.text.transliteration import is_non_latin, transliterate
from bonafide.matching.text.word_classes import EMPTY_WORDS
from bonafide.model.entry import EntityKind
from bonafide.model.query import ScreeningSubject

_BRACKETS = re.compile(r"\(([^()]*)\)")
_KNOWN_AS = re.compile(r"(?:a\.?k\.?a|f\.?k\.?a|formerly|previously|also)\b", re.IGNORECASE)
_LATIN = re.compile(r"[A-Za-z]")
_FEWEST_LETTERS, _FEWEST_OF_SEVERAL = 6, 4
"""Minimum letters of a part of one word, and of several; a shorter part is an ambiguous acronym."""


def split_listed_name(text: str) -> list[str]:
    """The names in a name, each once; usually none."""
    found = dict.fromkeys(part for part in _split_parts(text) if part != text)
    return [part for part in found if sum(map(str.isalpha, part)) >= (_FEWEST_LETTERS if " " not in part else _FEWEST_OF_SEVERAL)]


def _split_parts(text: str) -> Iterator[str]:
    if "(" in text:
        yield " ".join(_BRACKETS.sub(" ", text).split())
        yield from (inner for inner in map(str.strip, _BRACKETS.findall(text)) if " " in inner and _KNOWN_AS.match(inner) is None)
    if " / " in text:
        yield from map(str.strip, text.split(" / "))
    if is_non_latin(text):
        words = unify_scripts(text).split()
        foreign = [word for word in words if is_non_latin(word)]
        # A word that still has letters of both scripts can't be assigned to one of them.
        if not any(map(_LATIN.search, foreign)):
            yield " ".join(word for word in words if word not in foreign)
            yield " ".join(foreign)


_LABEL = (
    r"(?:(?:imo|mmsi|lei|inn|ogrn|kpp|okpo|tin|tax id|passport|unp)(?:\s*(?:number|no|nr|code|id))?"
    r"|(?:registration|company|national|identity|id)\s*(?:number|no|nr|code|id))"
)
_LABELLED = re.compile(rf"\b{_LABEL}\b\.?\s*[:#]?\s*(?P<number>[a-z]{{0,4}}[\s-]?\d[a-z\d/-]{{3,}})", re.IGNORECASE)
_BARE = re.compile(r"[A-Za-z]{0,4}[\s-]?\d[\dA-Za-z\s./-]*")
_LONG_LETTERS = re.compile(r"[A-Za-z]{5,}")
_SHORTEST, _FEWEST_DIGITS = 6, 5
_LEI = re.compile(r"[A-Z0-9]{18}\d{2}")


@dataclass(frozen=True, slots=True)
class StatedIdentifiers:
    """The compacted numbers in a text, and the text without them; `rest` is the whole text if it contains only numbers."""

    keys: frozenset[str]
    imo: str | None
    rest: str


def extract_identifiers(text: str) -> StatedIdentifiers:
    """The numbers in a name: "IMO 9187629", "MV Example (IMO: 9187629)", "1027700132195"."""
    if not any(map(str.isdigit, text)):
        return StatedIdentifiers(frozenset(), None, text)
    keys = {key for found in _LABELLED.finditer(text) for key in build_identifier_keys(found["number"])}
    rest = _LABELLED.sub(" ", text).strip(" ,;()[]") if keys else text
    compact = text.strip()
    if not keys and (_LEI.fullmatch(compact) or (_BARE.fullmatch(compact) and _LONG_LETTERS.search(compact) is None)):
        keys = set(build_identifier_keys(compact))
    imo = next((key for key in sorted(keys) if is_imo_number(key)), None)
    return StatedIdentifiers(frozenset(keys), imo, rest if any(map(str.isalnum, rest)) else text)


def build_identifier_keys(text: str) -> Iterable[str]:
    """The keys of a number: letters and digits, without "IMO" and leading zeros; none for a short number."""
    compact = "".join(filter(str.isalnum, text.upper())).removeprefix("IMO")
    if len(compact) < _SHORTEST or sum(map(str.isdigit, compact)) < _FEWEST_DIGITS:
        return []
    return {compact, compact.lstrip("0")}


ParsedScreeningName = NormalName | PersonName
"""A name in normal form, by the rules for organizations or people."""


@dataclass(frozen=True, slots=True)
class ListedName:
    """One parsed form of a name of a listed party; `text` is the whole name, `is_part` marks a part of it."""

    text: str
    reading: ParsedScreeningName
    is_part: bool = False


FORM_WORDS = SINGLE_WORDS | frozenset[str](SCREENING_TABLE["forms"].split())
_LONG_FORMS = tuple[str, ...](SCREENING_TABLE["long_forms"].split())
_COMPANION_WORDS = {key: frozenset[str](words.split()) for key, words in SCREENING_TABLE["beside"].items()}
"""Words that belong to a legal form only if the name contains the other word of the form."""
_SPELLINGS: dict[str, str] = SCREENING_TABLE["spellings"]
_SHORTEST_PART = 5
_SHORTEST_MISSPELT, _SHORTEST_FORM = 4, 5
_SHIP = frozenset({"mv", "mt", "ms", "fv", "mts", "vsl"})


@dataclass(frozen=True, slots=True)
class PersonReading:
    """The subject's name parsed as a person's name, and the assumed kind of bearer."""

    name: PersonName
    bearer: NameBearer


@dataclass(frozen=True, slots=True)
class ParsedSubject:
    """The screened subject: its name parsed as names of organizations and of people, and the numbers in it."""

    subject: ScreeningSubject
    businesses: tuple[NormalName, ...]
    people: tuple[PersonReading, ...]
    numbers: StatedIdentifiers


def parse_subject(subject: ScreeningSubject, known: NormalName | None = None) -> ParsedSubject:
    """Parse a name for screening: "Jean Tremblay Inc." may refer to Jean Tremblay, but "Maria de Sá" has no legal form.

    A name in look-alike letters or digits is parsed in all its readings (`list_disguised_readings`).
    `known` is the normal form of the subject's name, if the caller has it.
    """
    numbers = extract_identifiers(subject.name)
    parts = [part for part in split_listed_name(numbers.rest) if not _is_title(parse_listed_person_name(part).parts)]
    texts = [numbers.rest, *list_disguised_readings(numbers.rest), *parts]
    businesses = tuple(parse_organization_name(text, known) for text in texts)
    is_person = subject.entity_type is EntityKind.PERSON
    people = [
        PersonReading(parse_listed_person_name(text), NameBearer.PERSON if is_person else NameBearer.ANYBODY) for text in texts
    ]
    if not is_person:
        bare = (" ".join(business.core) for business in businesses if business.legal_forms)
        people += [PersonReading(parse_listed_person_name(text), NameBearer.BUSINESS) for text in bare]
    distinct = {one.name.parts: one for one in reversed(people)}
    return ParsedSubject(subject, businesses, tuple(reversed(distinct.values())), numbers)


def parse_listed_name(text: str, kind: EntityKind) -> list[ListedName]:
    """Parse one name of a listed party: the whole name, followed by the names in it."""
    read = parse_listed_person_name if kind is EntityKind.PERSON else parse_organization_name
    parts = [ListedName(text, read(part), is_part=True) for part in split_listed_name(text)]
    return [ListedName(text, read(text)), *(part for part in parts if _is_name(list_compared_words(part.reading)))]


def _is_name(words: tuple[str, ...]) -> bool:
    """Whether a part is more than a legal form, a title or an acronym."""
    return not FORM_WORDS.issuperset(words) and not _is_title(words) and (len(words) > 1 or len(words[0]) >= _SHORTEST_PART)


def _is_title(words: tuple[str, ...]) -> bool:
    """Whether all words are titles: "Example (Major General)" is no other name of another major general."""
    return TITLES.issuperset(words)


def list_compared_words(reading: ParsedScreeningName) -> tuple[str, ...]:
    """The words that a name is compared by."""
    return reading.core if isinstance(reading, NormalName) else reading.parts


def parse_organization_name(text: str, known: NormalName | None = None) -> NormalName:
    """The normal form of a name that is not a person's: legal forms are removed in any position, unless no words would be left.

    `known` is a name in normal form that may be the same.
    """
    latin = transliterate(text)
    name = known if known is not None and known.text == latin else normalise(latin)
    stripped = _strip_forms(name.core, name.tokens)
    core = unify_phrases(stripped)
    if core == name.core:
        return name if text == name.text else name._replace(text=text)
    found = (key for word in name.core if word not in stripped for key in _find_form_keys(word))
    # The words of the breakdown are those that are compared.
    tokens = name.tokens if core == stripped else unify_phrases(name.tokens)
    return name._replace(text=text, tokens=tokens, core=core, legal_forms=tuple(dict.fromkeys((*name.legal_forms, *found))))


def _strip_forms(words: Sequence[str], tokens: Sequence[str]) -> tuple[str, ...]:
    beside = [form for word in tokens if word in _COMPANION_WORDS for form in _COMPANION_WORDS[word]]
    words = [_SPELLINGS.get(word, word) for word in words]
    kept = [word for word in words if word not in FORM_WORDS and word not in beside and not _is_misspelt_form(word, beside)]
    if len(kept) > 1 and kept[0] in _SHIP:
        kept = kept[1:]
    return tuple(kept) or tuple(words)


@lru_cache(maxsize=2**10)
def _find_form_keys(word: str) -> tuple[str, ...]:
    """The key of a legal form of one word; empty for a word that is only a part of a form."""
    return strip_legal_forms(("-", word), EMPTY_WORDS).keys


def _is_misspelt_form(word: str, beside: Sequence[str]) -> bool:
    """Whether a word is one letter away from a long word of a legal form, or from one that belongs to a form in this name."""
    if len(word) < _SHORTEST_MISSPELT:
        return False
    return _is_misspelt_long_form(word) or any(
        OSA.distance(word, form, score_cutoff=1) <= 1 for form in beside if len(form) >= _SHORTEST_FORM
    )


@lru_cache(maxsize=2**16)
def _is_misspelt_long_form(word: str) -> bool:
    return any(OSA.distance(word, form, score_cutoff=1) <= 1 for form in _LONG_FORMS)
