"""What an explanation must not say: statements about the words of two names that their breakdown contradicts.

The rules read the English templates of the messages, so that a new sentence of a feature is checked too if it uses the same words.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bonafide.i18n.message import JoinedValues, Message
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.people.person_name_parsing import PersonName
from bonafide.matching.scoring.name_comparison import NOTHING_TO_COMPARE, NameComparison
from bonafide.model.search.match import ComparedWords, NameBreakdown, WordDifference

_EXACT = frozenset({WordDifference.EQUAL, WordDifference.JOINED})


def find_contradictions(
    comparison: NameComparison, query: NormalName | PersonName, candidate: NormalName | PersonName
) -> list[str]:
    """What is wrong with the explanation of a comparison of these names; empty if it is true and complete."""
    if comparison == NOTHING_TO_COMPARE:
        return []
    breakdown = comparison.breakdown()
    return [
        *_find_lost_words("submitted", _list_submitted(breakdown), query),
        *_find_lost_words("found", _list_found(breakdown), candidate),
        *_find_unmentioned_words(comparison, breakdown),
        *_find_untrue_claims(comparison, breakdown),
    ]


# --------------------------------------------------------------------------------------------------- every word is there once


def _list_submitted(breakdown: NameBreakdown) -> list[str]:
    return [
        word
        for text in (*(it.submitted for it in breakdown.matched), *(it.word for it in breakdown.missing))
        for word in text.split()
    ]


def _list_found(breakdown: NameBreakdown) -> list[str]:
    return [
        word for text in (*(it.found for it in breakdown.matched), *(it.word for it in breakdown.added)) for word in text.split()
    ]


def _find_lost_words(side: str, words: list[str], name: NormalName | PersonName) -> Iterator[str]:
    """The words of a name that are not in the breakdown as often as in the name."""
    readings = [name] if isinstance(name, NormalName) or name.joined is None else [name, name.joined]
    if not any(_has_words(Counter(words), reading) for reading in readings):
        yield f"{side}: the breakdown has {words}, but the name is {name.text!r}"


def _has_words(words: Counter[str], name: NormalName | PersonName) -> bool:
    if isinstance(name, PersonName):
        return not Counter(name.parts) - words
    compared = Counter(name.core)
    # A word of the core that is not in the name replaces one of its words: "centre" is "center".
    replaced = (compared - Counter(name.tokens)).total()
    return (
        not compared - words and words.total() == len(name.tokens) and (words - compared - Counter(name.tokens)).total() <= replaced
    )


# ------------------------------------------------------------------------------------------ every difference is mentioned


def _find_unmentioned_words(comparison: NameComparison, breakdown: NameBreakdown) -> Iterator[str]:
    """Words that lower the score and that the sentence leaves out."""
    mentioned = {word for text in _list_texts(comparison.reason) for word in text.split()}
    differing = [it for it in breakdown.matched if it.difference is not WordDifference.EQUAL and it.weight > 0]
    words = [
        *((word, "differing") for it in differing for text in (it.submitted, it.found) for word in text.split()),
        *((it.word, "missing") for it in breakdown.missing if it.weight > 0),
        *((it.word, "added") for it in breakdown.added if it.weight > 0),
    ]
    for word, how in words:
        if word not in mentioned:
            yield f"“{word}” is {how}, and {str(comparison.reason)!r} does not mention it"


def _list_texts(value: object) -> Iterator[str]:
    """The texts in the values of a message, without quotation marks."""
    if isinstance(value, JoinedValues):
        for part in value.parts:
            yield from _list_texts(part)
    elif isinstance(value, Message) and value.values:
        for inner in value.values.values():
            yield from _list_texts(inner)
    elif isinstance(value, str) and not (isinstance(value, Message) and value.template is not None):
        yield value


# ------------------------------------------------------------------------------------------------- no claim is contradicted


@dataclass(frozen=True, slots=True)
class _Claim:
    """Words of a template, and whether the breakdown agrees with what they state."""

    words: tuple[str, ...]
    holds: Callable[[NameBreakdown], bool]


def _has_no_exact_part(breakdown: NameBreakdown) -> bool:
    return not any(it.difference is WordDifference.EQUAL for it in _list_weighed(breakdown))


def _list_weighed(breakdown: NameBreakdown) -> list[ComparedWords]:
    return [it for it in breakdown.matched if it.weight > 0]


def _list_full(breakdown: NameBreakdown) -> list[ComparedWords]:
    """The pairs of whole parts of people's names: no initials and no particles."""
    return [it for it in breakdown.matched if it.weight >= 1 and it.difference is not WordDifference.INITIAL]


def _are_all_exact(breakdown: NameBreakdown) -> bool:
    return all(it.difference in _EXACT for it in _list_weighed(breakdown)) and not _lacks_words(breakdown)


def _lacks_words(breakdown: NameBreakdown) -> bool:
    return any(it.weight > 0 for it in (*breakdown.missing, *breakdown.added))


_CLAIMS = (
    _Claim(("no part", "exactly"), _has_no_exact_part),
    _Claim(("no other words match",), _has_no_exact_part),
    _Claim(("no words match",), lambda it: not it.matched),
    _Claim(("no distinguishing words match",), lambda it: not _list_weighed(it)),
    _Claim(("same name",), _are_all_exact),
    _Claim(
        ("same words",), lambda it: not _lacks_words(it) and all(m.difference is WordDifference.EQUAL for m in _list_weighed(it))
    ),
    _Claim(("the other words match",), lambda it: any(m.difference in _EXACT for m in _list_weighed(it))),
    _Claim(("little else matches",), lambda it: sum(m.difference in _EXACT for m in _list_weighed(it)) == 0),
    _Claim(("nothing else matches",), lambda it: sum(m.difference in _EXACT for m in _list_weighed(it)) == 0),
    _Claim(("only one part of the name",), lambda it: len(_list_weighed(it)) == 1),
    _Claim(("only one full part of the name",), lambda it: len(_list_full(it)) == 1),
    _Claim(("only initials and particles",), lambda it: bool(_list_weighed(it)) and not _list_full(it)),
    _Claim(("only initials match",), lambda it: {m.difference for m in _list_weighed(it)} == {WordDifference.INITIAL}),
    _Claim(("titles only",), lambda it: not _list_weighed(it)),
    _Claim(("different order",), lambda it: len(it.matched) > 1),
)


def _find_untrue_claims(comparison: NameComparison, breakdown: NameBreakdown) -> Iterator[str]:
    reasons = [*(it.reason for it in comparison.features), *([comparison.verdict] if comparison.verdict is not None else [])]
    for clause in (clause for reason in reasons for clause in _split_clauses(reason)):
        template = clause.template or str(clause)
        for claim in _CLAIMS:
            if all(words in template for words in claim.words) and not claim.holds(breakdown):
                yield f"{str(clause)!r} contradicts {_describe(breakdown)}"
        yield from _find_misplaced_words(clause, template, breakdown)


def _split_clauses(reason: Message) -> Iterator[Message]:
    """The clauses of a joined message, or the message itself."""
    joined = [value for value in reason.values.values() if isinstance(value, JoinedValues)] if reason.template == "{parts}" else []
    if not joined:
        yield reason
    for value in joined:
        for part in value.parts:
            if isinstance(part, Message):
                yield from _split_clauses(part)


def _has_exact_words(clause: Message, breakdown: NameBreakdown) -> bool:
    """Whether the words of "only … matches exactly" are the exactly matching ones."""
    quoted = Counter(word for text in _list_texts(clause.values["words"]) for word in text.split())
    return quoted == Counter(
        word for it in _list_weighed(breakdown) if it.difference is WordDifference.EQUAL for word in it.found.split()
    )


def _find_misplaced_words(clause: Message, template: str, breakdown: NameBreakdown) -> Iterator[str]:
    """Words that a clause says are missing, added or matched, and that the breakdown has elsewhere."""
    missing = {word for it in breakdown.missing for word in it.word.split()}
    added = {word for it in breakdown.added for word in it.word.split()}
    pairs = {(it.submitted, it.found) for it in breakdown.matched}
    quoted = {word for text in _list_texts(clause) for word in text.split()}
    if template == "no part of the name matches" and _list_weighed(breakdown):
        yield f"{str(clause)!r} contradicts {_describe(breakdown)}"
    if template in {"{words} missing", "number {number} missing"} and not quoted <= missing:
        yield f"{str(clause)!r}: missing are {sorted(missing)}"
    if template in {"{words} added", "number {number} added"} and not quoted <= added:
        yield f"{str(clause)!r}: added are {sorted(added)}"
    if " matched with " in template and (clause.values["submitted"], clause.values["found"]) not in pairs:
        yield f"{str(clause)!r}: matched are {sorted(pairs)}"
    if template == "only {words} matches exactly" and not _has_exact_words(clause, breakdown):
        yield f"{str(clause)!r} contradicts {_describe(breakdown)}"
    if template == "number {found} instead of {submitted}":
        submitted, found = (set(str(clause.values[side]).split()) for side in ("submitted", "found"))
        if not (submitted <= missing and found <= added):
            yield f"{str(clause)!r}: missing are {sorted(missing)}, added {sorted(added)}"


def _describe(breakdown: NameBreakdown) -> str:
    matched = [f"{it.submitted}={it.found} ({it.difference}, {it.weight})" for it in breakdown.matched]
    return f"{matched}, missing {[it.word for it in breakdown.missing]}, added {[it.word for it in breakdown.added]}"
