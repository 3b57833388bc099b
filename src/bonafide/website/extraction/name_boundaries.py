"""Find where a business name begins and ends in running text: capitals, connectors and the closing legal form.

The caller supplies the position next to which a name is expected; `legal_names` decides whether it is the owner's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bonafide.matching.names.legal_forms import is_legal_form
from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.word_classes import EMPTY_WORDS, WordClass, classify_word

MAX_WORDS: Final = 14
MAX_NAME: Final = 160
"""The maximum length of a name."""
_LOOKED_AT = 400
"""How many characters next to a position are examined."""
_LONGEST_FORM = 6
_CANADIAN_FORMS = frozenset(
    spelling.split()[-1] for row in read_table("legal_forms") for language in ("en", "fr") for spelling in row.get(language, ())
)
"""The last words of Canadian legal forms. Foreign forms such as "as" and "sa" are common words in sentences."""
_SMALL = EMPTY_WORDS | frozenset({
    "de", "du", "des", "la", "le", "les", "d", "l", "a", "au", "aux", "en", "et", "and", "of", "the", "for", "pour", "&",
    "+", "societe", "nom", "collectif", "commandite", "professionnelle", "responsabilite", "limitee", "par", "actions",
    "fils", "filles", "freres", "soeurs", "associes",
})  # fmt: skip
"""Lower-case words that may occur inside a name."""
_COMMON = frozenset({WordClass.TRADE, WordClass.SHAPE})
"""Words for trades and kinds of business, which French names write in lower case ("Clinique vétérinaire Boréal inc.")."""
_ARTICLES = frozenset({"the", "la", "le", "les", "l"})
_LEADS = frozenset({
    "this", "at", "between", "with", "from", "by", "par", "welcome", "copyright", "site", "website", "and", "or", "et", "our",
})  # fmt: skip
_INDEFINITE = frozenset({"a", "an", "un", "une"})
"""Articles that introduce a description of a business, not a name."""
_DOTTED = frozenset({
    "inc", "ltd", "corp", "co", "cie", "enr", "reg", "assoc", "bros", "st", "ste", "mt", "dr", "mr", "mrs", "no",
})  # fmt: skip
_PARTICIPLES = frozenset({"registered", "incorporated", "limited", "enregistrée", "enregistrées", "limitée"})
"""Legal forms that are participles when in lower case after a comma: "Foo Ltd., registered in Ontario"."""
_SHORT_FORMS = frozenset({"inc", "ltd", "ltee", "corp", "llp", "ulc"})
_OPENING, _CLOSING = "\"'“”«‘’([", "\"'“”»‘’)],;:!?|·•"
_MIDDLE_INITIAL = 2


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A name in a text, and whether it ends with a legal form."""

    text: str
    has_form: bool


def find_name_after(text: str, *, any_case: bool = False) -> NameSpan | None:
    """The name at the start of a text. `any_case` accepts names in lower case, as they occur next to ©."""
    words = text[:_LOOKED_AT].split()[:MAX_WORDS]
    while words and _fold_word(words[0]) in _ARTICLES and words[0][0].islower():
        words.pop(0)
    taken, closed = _count_name_words(words, any_case=any_case)
    name = words[:closed] if closed else _cut_at_comma(words[:taken])
    while name and not closed and _fold_word(name[-1]) in _SMALL:
        name.pop()
    spelled = _format_name(name)
    if not spelled or len(spelled) > MAX_NAME or all(_fold_word(word) in _SMALL for word in name):
        return None
    return NameSpan(spelled, closed > 0)


def find_name_before(text: str) -> NameSpan | None:
    """The name with a legal form at the end of a text; None if there is none."""
    words = text[-_LOOKED_AT:].split()[-MAX_WORDS:]
    first = len(words)
    while (
        first > 0
        and _may_be_in_name(words[first - 1])
        and (first == len(words) or not _is_end_of_sentence_or_name(words, first - 1))
    ):
        first -= 1
    run = words[first:]
    while run and _is_lead(run[0]):
        run.pop(0)
    if not _INDEFINITE.isdisjoint(words[max(first - 1, 0) : first] + run):
        return None  # "… is a British Columbia limited liability partnership"
    found = find_name_after(" ".join(run))
    is_whole = found is not None and found.has_form and len(found.text.split()) == len(run)
    return found if is_whole else None


def is_business_name(text: str) -> bool:
    """Whether a text consists of only a name with a legal form."""
    if len(text) > MAX_NAME or _fold_word(text.rpartition(" ")[2]) not in _CANADIAN_FORMS:
        return False
    found = find_name_after(text)
    return found is not None and found.has_form and len(found.text.split()) == len(text.split())


def _is_lead(word: str) -> bool:
    """Whether a word only introduces a name; a capitalized article is part of the name."""
    folded = _fold_word(word)
    return not folded or folded in _LEADS or (folded in _ARTICLES and word[0].islower())


def _count_name_words(words: Sequence[str], *, any_case: bool) -> tuple[int, int]:
    """The number of words that can belong to the name, and the number up to the last legal form; 0 without one."""
    closed = place = 0
    while place < len(words) and _may_be_in_name(words[place], any_case=any_case):
        place += 1
        ends_here = _ends_in_form(words[:place])
        if ends_here:
            closed = place
        follows_form = (
            place < len(words)
            and _fold_word(words[place]) in _CANADIAN_FORMS
            and words[place].strip(_CLOSING + ".") not in _PARTICIPLES
        )
        if words[place - 1][-1] in ';:!?|"”»' or (ends_here and words[place - 1][-1] in ",)" and not follows_form):
            break
        if (ends_here and _ends_name(words, place - 1)) or (not ends_here and _ends_sentence(words, place - 1)):
            break
    return place, closed


def _may_be_in_name(word: str, *, any_case: bool = False) -> bool:
    """Whether a word can be part of a name: capitalized, with a digit, or a lower-case word between others."""
    bare = word.lstrip(_OPENING)
    first = bare[:1]
    if not first.isalnum():
        return word in {"&", "+"}
    if not first.islower() or any_case or (bare[1:2] in "'’" and bare[2:3].isupper()):
        return True
    folded = _fold_word(word)
    return bare == word and (folded in _SMALL or folded in _CANADIAN_FORMS or classify_word(folded) in _COMMON)


def _ends_sentence(words: Sequence[str], place: int) -> bool:
    word = words[place]
    if word[-1] in ";:!?|":
        return True
    folded = _fold_word(word)
    is_short = len(folded) <= _MIDDLE_INITIAL or "." in word[:-1]
    return word[-1] == "." and not is_short and folded not in _DOTTED and folded not in _CANADIAN_FORMS


def _is_end_of_sentence_or_name(words: Sequence[str], place: int) -> bool:
    """Whether a word that is followed by others ends a sentence or a name."""
    return _ends_sentence(words, place) or _ends_name(words, place)


def _ends_name(words: Sequence[str], place: int) -> bool:
    """Whether an abbreviated form ends a name and the next word begins another: "Foo Inc. Bar Ltd."."""
    following = words[place + 1] if place + 1 < len(words) else ""
    is_closed = words[place][-1] == "." and _fold_word(words[place]) in _SHORT_FORMS
    return is_closed and following[:1].isupper() and _fold_word(following) not in _CANADIAN_FORMS


def _ends_in_form(words: Sequence[str]) -> bool:
    last = _fold_word(words[-1])
    if last not in _CANADIAN_FORMS:
        return False
    folded = [_fold_word(word) for word in words[-_LONGEST_FORM - 1 :]]
    before = [_fold_word(word) for word in words]
    return any(
        is_legal_form(tuple(folded[-count:])) and any(word not in _SMALL and word for word in before[:-count])
        for count in range(1, min(_LONGEST_FORM, len(words) - 1) + 1)
    )


def _fold_word(word: str) -> str:
    """Fold a word to plain letters and join initials: "S.E.N.C." becomes senc."""
    return "".join(filter(str.isalnum, fold(word)))


def _cut_at_comma(words: list[str]) -> list[str]:
    for place, word in enumerate(words):
        if word[-1] in ",)":
            return words[: place + 1]
    return words


def _format_name(words: Sequence[str]) -> str:
    """The name as written, without surrounding punctuation; the period of "Inc." is kept."""
    name = " ".join(words).strip(_OPENING + _CLOSING[:-2] + " -–—|·•")
    if words and words[-1].endswith(")") and "(" in name:
        name = f"{name})"
    last = name.rpartition(" ")[2]
    if name.endswith(".") and "." not in last[:-1] and _fold_word(last) not in _DOTTED:
        name = name[:-1]
    return name
