"""Features that limit the score where what two names of people have in common does not identify a person."""

from functools import partial

from rapidfuzz.distance import OSA

from bonafide.i18n.message import Message, plural_message
from bonafide.matching.names.name_features import quote_words
from bonafide.matching.people.compared_people import (
    EXACT,
    SPELLINGS,
    ComparedPeople,
    is_identifying_part,
)
from bonafide.matching.people.given_names import are_forms, is_known_given_name, is_rather_given_name
from bonafide.matching.people.name_part_similarity import weigh_name_part
from bonafide.matching.people.person_name_parsing import PersonName
from bonafide.matching.people.syllabic_names import are_same_characters, has_syllabic_characters, is_syllabic, list_own_characters
from bonafide.matching.scoring.alignment import WordPair, Words
from bonafide.matching.scoring.feature_table import FeatureFinding
from bonafide.matching.scoring.score_parameters import LONE_INITIAL
from bonafide.model.search.match import WordDifference

_GIVEN_NAMES_ONLY = Message("only common given names match")
_COMMON_NAMES_ONLY = Message("only common names match, and one of the names has further parts")
_FIRST_PART_MISSING = Message("only one of the names has the first part")
_NO_PART_EXACT = Message("no part of the name matches exactly")
_CONSONANTS = Message("only the consonants match")
_OTHER_GIVEN_NAME = Message("two given names that differ in one letter")
_SYLLABLES_DIFFER = Message("Chinese, Korean and Vietnamese names match as a whole, and a syllable differs or is missing")
_SYLLABLE_ORDER = Message("the syllables of the name are in a different order")
_SYLLABLE_MISSPELT = Message("a syllable differs in one letter")
_OTHER_CHARACTERS = Message("the names have different characters in their own script")
_FREQUENT_FIRST_PART = "mohammed"


def given_names_only(names: ComparedPeople, *, limit: float, few: float, limit_of_many: float) -> FeatureFinding | None:
    """Common given names, such as Mohammed Ali, do not identify a person if the other name has more parts.

    Up to `few` of them the score is limited to `limit`, from there on to `limit_of_many`.
    """
    pairs = names.full_pairs
    if not pairs or names.alignment.complete or not all(_is_given_pair(pair) for pair in pairs):
        return None
    if not any(names.weigh_word(part) >= 1 for part in (*names.alignment.left_only, *names.alignment.right_only)):
        return None
    return FeatureFinding(limit if len(pairs) <= few else limit_of_many, _GIVEN_NAMES_ONLY)


def _is_given_pair(pair: WordPair) -> bool:
    return all(map(is_rather_given_name, pair.left)) and all(map(is_rather_given_name, pair.right))


def common_names_only(names: ComparedPeople, *, limit: float, share: float, few: float) -> FeatureFinding | None:
    """Up to `few` common parts do not identify a person if one of the names has more parts: Carlos Ramírez, Carlos Ramírez Duque.

    A part is common if it is a given name, or if at least `share` of 100,000 people have it in their name.
    """
    if names.alignment.complete or not names.lone_parts:
        return None
    pairs = names.full_pairs
    if not pairs or len(pairs) > few or not all(names.is_common_pair(pair, share) for pair in pairs):
        return None
    return FeatureFinding(limit, _COMMON_NAMES_ONLY)


def first_part_missing(names: ComparedPeople, *, limit: float, share: float, few: float) -> FeatureFinding | None:
    """Without the first part of one name, the rest is rather another person's name: Elena Maria Kovacs, Maria Kovacs.

    This applies to names that have up to `few` parts in common, at least one of them common, and not to a first Mohammed.
    """
    if names.alignment.complete:
        return None
    pairs = names.full_pairs
    if not pairs or len(pairs) > few or not any(names.is_common_pair(pair, share) for pair in pairs):
        return None
    found = names.alignment
    if _is_first_lone(names.query, {pair.left_at for pair in found.pairs}, found.right_only) or _is_first_lone(
        names.candidate, {pair.right_at for pair in found.pairs}, found.left_only
    ):
        return FeatureFinding(limit, _FIRST_PART_MISSING)
    return None


def _is_first_lone(name: PersonName, paired: set[int], others: Words) -> bool:
    """Whether the first part has no counterpart, and the other name (`others`: its unpaired parts) has nothing in its place."""
    if any(weigh_name_part(part) >= LONE_INITIAL for part in others):
        return False
    first = next((place for place, part in enumerate(name.parts) if is_identifying_part(part)), None)
    if first is None or first in paired:
        return False
    part = name.parts[first]
    return part != _FREQUENT_FIRST_PART and not are_forms(part, _FREQUENT_FIRST_PART)


def no_part_exact(
    names: ComparedPeople, *, limit: float, parts: float, limit_with_more: float, share: float
) -> FeatureFinding | None:
    """If all matching parts are misspelt, or only sound alike, it may be another name, so that the score is limited.

    The limit is `limit_with_more` if one of the names has more parts. Then a common given name is not sufficient either.
    Another script explains another spelling.
    """
    full = names.full_pairs
    if len(full) != parts:
        return None
    complete = not names.lone_parts
    exact = [pair for pair in full if pair.likeness.difference not in SPELLINGS]
    if not complete:
        exact = [pair for pair in exact if not _is_given_pair(pair)]
    if exact or all(map(names.is_skeleton_pair, full)):
        return None
    rare = any(len(pair.left[0]) > 1 and not names.is_common_pair(pair, share) for pair in full)
    found = limit if complete or names.foreign or rare else limit_with_more
    return FeatureFinding(found, partial(_explain_exact_parts, names))


def _explain_exact_parts(names: ComparedPeople) -> Message:
    """The parts that match exactly although they do not identify a person: particles, and common given names."""
    exact = [pair for pair in names.alignment.pairs if pair.likeness.difference in EXACT and names.weigh_pair(pair) > 0]
    if not exact:
        return _NO_PART_EXACT
    parts = tuple(part for pair in exact for part in pair.left)
    return plural_message("only {words} matches exactly", "only {words} match exactly", len(parts), words=quote_words(parts))


def consonants_only(names: ComparedPeople, *, limit: float) -> FeatureFinding | None:
    """Equal consonants of a script without vowels suggest a name and never decide: "btl" is not "Abdul"."""
    return FeatureFinding(limit, _CONSONANTS) if any(map(names.is_skeleton_pair, names.alignment.pairs)) else None


def other_given_name(names: ComparedPeople, *, limit: float) -> FeatureFinding | None:
    """A slip that makes another given name of a short one, such as Ali and Adi, may just as well be another person."""
    for pair in names.alignment.pairs:
        if pair.likeness.difference is WordDifference.SLIP and all(map(is_known_given_name, (*pair.left, *pair.right))):
            return FeatureFinding(limit, _OTHER_GIVEN_NAME)
    return None


def syllables(names: ComparedPeople, *, limit: float, misspelt: float, parts_with_slip: float) -> FeatureFinding | None:
    """Chinese, Korean and Vietnamese names are compared as wholes: no syllable may be missing, replaced or in another place.

    The family name may be first or last. With one letter wrong, the limit is `misspelt` for names of at least `parts_with_slip`
    parts, unless another script was transliterated: it has no typos of Latin letters.
    """
    found = names.alignment
    if found.identical and found.in_order:
        return None
    if not (has_syllabic_characters(names.query) or has_syllabic_characters(names.candidate)) and not (
        is_syllabic(names.query) and is_syllabic(names.candidate)
    ):
        return None
    unequal = [pair for pair in found.pairs if pair.likeness.difference in SPELLINGS]
    slips = [pair for pair in unequal if pair.likeness.letters == 1 or _differ_in_one_letter(pair)]
    if not found.complete or len(unequal) > len(slips) or len(slips) > 1 or (slips and names.foreign):
        return FeatureFinding(limit, _SYLLABLES_DIFFER)
    if not _is_rotated([pair.right_at for pair in found.pairs]):
        return FeatureFinding(limit, _SYLLABLE_ORDER)
    if not slips:
        return None
    enough = max(len(names.query.parts), len(names.candidate.parts)) >= parts_with_slip
    return FeatureFinding(misspelt, _SYLLABLE_MISSPELT) if enough else FeatureFinding(limit, _SYLLABLES_DIFFER)


def _differ_in_one_letter(pair: WordPair) -> bool:
    """Whether syllables that sound alike differ in one letter, which is a vowel."""
    return OSA.distance("".join(pair.left), "".join(pair.right), score_cutoff=1) <= 1


def _is_rotated(places: list[int]) -> bool:
    """Whether the parts are in order, or only the first or the last one has moved to the other end."""
    ordered = sorted(places)
    return places in (ordered, ordered[1:] + ordered[:1], ordered[-1:] + ordered[:-1])


def own_characters(names: ComparedPeople, *, limit: float) -> FeatureFinding | None:
    """Names in Chinese characters or Korean letters are compared by them: many characters have one transliteration."""
    if names.query.text.isascii() or names.candidate.text.isascii():
        return None
    requested, found = list_own_characters(names.query.text), list_own_characters(names.candidate.text)
    if not requested or not found or are_same_characters(requested, found):
        return None
    return FeatureFinding(limit, _OTHER_CHARACTERS)
