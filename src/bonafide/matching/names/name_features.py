"""The feature functions of business names. Their docstrings are their public documentation.

The numbers are in the tables that list the features: `business_name_comparison` and `listed_name_comparison`.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from math import fsum

from bonafide.i18n.message import JoinedValues, Message, join_messages, join_values, plural_message
from bonafide.matching.names.legal_forms import LEGAL_FORMS
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.alignment import AlignedNames, WordAlignment, WordPair, Words, weigh_lighter_side
from bonafide.matching.scoring.feature_table import FeatureFinding
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.text.word_classes import CANADIAN_PLACES, WordClass, are_opposites, classify_word, has_opposite
from bonafide.model.search.match import WordDifference

_YEAR = re.compile(r"(?:19|20)\d\d")
_DISTINCTIVE = frozenset({WordClass.RARE, WordClass.NUMBER, WordClass.ORDINARY, WordClass.LETTER})
_EMPTY = frozenset({WordClass.SHAPE, WordClass.FUNCTION})
_SIGNIFICANT_COMMON = frozenset({WordClass.TRADE, WordClass.PLACE})
_TRANSLATIONS = frozenset({WordDifference.TRANSLATED, WordDifference.EQUIVALENT})
_PARTNERSHIP = "partnership"
_CORPORATIONS = frozenset({"corporation", "unlimited company", "limited liability company", "joint-stock company"})
_ENTITY_LABELS = (Message("partnership"), Message("corporation"))
_HOLDING_WORDS = frozenset({"holding", "holdings", "gestion", "gestions", "holdco"})
_GENERAL_PARTNER_WORDS = frozenset({"gp", "commandite"})
_COMMON = _EMPTY | _SIGNIFICANT_COMMON
_DIFFERENCES: Mapping[WordDifference, Message] = {
    WordDifference.PLURAL: Message("singular or plural"),
    WordDifference.SHORTENED: Message("abbreviation"),
    WordDifference.INITIAL: Message("initial"),
    WordDifference.EQUIVALENT: Message("spelling variant"),
    WordDifference.TRANSLATED: Message("translation"),
    WordDifference.JOINED: Message("joined or split"),
    WordDifference.NICKNAME: Message("form of the same given name"),
    WordDifference.SOUND: Message("sounds alike"),
    WordDifference.ACRONYM: Message("acronym"),
    WordDifference.OFFICIAL_NAME: Message("official name of the same body"),
    WordDifference.CUT_OFF: Message("cut off"),
}
_SAME_WORDS, _OTHER_WORDS_AGREE = Message("same words"), Message("the other words match")
_NO_OTHER_WORDS = Message("no other words match")
_OTHER_ORDER = Message("words in a different order")
_SIMILAR_NUMBER = Message("number {found} instead of {submitted}, which is similar")
_OTHER_NUMBER = Message("number {found} instead of {submitted}")
_NUMBER_MISSING, _NUMBER_ADDED = Message("number {number} missing"), Message("number {number} added")
_OPPOSITES = Message("“{found}” is the opposite of “{submitted}”")
_OTHER_TRADE = Message("different trade or place")
_NO_WORDS_AGREE = Message("no distinguishing words match")
_OTHER_ENTITY = Message("a {found} is not a {submitted}")
_HOLDING_COMPANY = Message("a holding company is not its operating company")
_GENERAL_PARTNER = Message("a limited partnership is not its general partner")
_INITIALS = Message("“{acronym}” may be the initials of other words")


@dataclass(frozen=True, slots=True)
class ComparedNames(AlignedNames[NormalName]):
    """Two business names and the alignment of their distinguishing words, weighted by `rarity`."""

    rarity: WordRarity

    def rate_pair(self, pair: WordPair) -> float:
        """The similarity of a pair. Two common words are rarely a typo: Ross is not Rossi, and Baker is not Bakery."""
        score = pair.likeness.score
        if pair.likeness.difference is not WordDifference.SLIP:
            return score
        common = min(self.rarity.commonness(pair.left[0]), self.rarity.commonness(pair.right[0]))
        doubt = min(score_parameters.TYPO_DOUBT * common, 1.0)
        return score - doubt * max(0.0, score - score_parameters.TYPO_BETWEEN_COMMON)


def words(names: ComparedNames, *, one_sided: float, conflict: float, place_added: float) -> FeatureFinding | None:
    """The weight of the words that both names have, compared with the weight of all words.

    Rare words weigh most; trades, places and words such as "group" weigh little. The more of the loaded names contain an unlisted
    word, the less it weighs ("Tremblay" less than a coined word). Misspelt, shortened, joined and translated words count in part,
    and hardly at all if both spellings are common words. A missing word costs less than a replaced one, and a city or province of
    Canada at the end of one of the names costs little.
    """
    if names.query.core == names.candidate.core:
        return None
    return FeatureFinding(rate_words_and_places(names, one_sided, conflict, place_added), partial(_explain_words, names.alignment))


def rate_words_and_places(names: ComparedNames, one_sided: float, conflict: float, place_added: float) -> float:
    """The weight of the common words as `AlignedNames.rate_words`; at least `place_added` if one name only adds where it is."""
    score = names.rate_words(one_sided, conflict)
    found = names.alignment
    if score < place_added and not (found.left_only and found.right_only) and _adds_canadian_place(names):
        return place_added
    return score


def _adds_canadian_place(names: ComparedNames) -> bool:
    """Whether one name is the other one and a city or province of Canada."""
    a, b = names.query.core, names.candidate.core
    short, long = (a, b) if len(a) < len(b) else (b, a)
    return long[: len(short)] == short and CANADIAN_PLACES.issuperset(long[len(short) :])


def _explain_words(found: WordAlignment) -> Message:
    notes = [
        describe_difference(pair)
        for pair in found.pairs
        if pair.likeness.difference not in {WordDifference.EQUAL, WordDifference.NEAR_NUMBER}
    ]
    # The feature `numbers` describes numbers.
    notes += describe_unpaired_words(_omit_numbers(found.left_only), _omit_numbers(found.right_only))
    return join_messages(notes) if notes else describe_equal_words(found)


def describe_equal_words(found: WordAlignment) -> Message:
    """The sentence for names whose only differences are numbers and the order of words."""
    differences = {pair.likeness.difference for pair in found.pairs}
    if found.complete and differences == {WordDifference.EQUAL}:
        return _SAME_WORDS
    return _OTHER_WORDS_AGREE if WordDifference.EQUAL in differences else _NO_OTHER_WORDS


def _omit_numbers(unpaired: Words) -> Words:
    return tuple(word for word in unpaired if classify_word(word) is not WordClass.NUMBER)


def describe_unpaired_words(missing: Words, added: Words) -> list[Message]:
    """The words that only the requested name has and those that only the found name has, in up to two clauses."""
    notes = []
    if missing:
        notes.append(plural_message("{words} missing", "{words} missing", len(missing), words=quote_words(missing)))
    if added:
        notes.append(plural_message("{words} added", "{words} added", len(added), words=quote_words(added)))
    return notes


def word_order(names: ComparedNames, *, score: float) -> FeatureFinding | None:
    """The same words in another order are nearly the same name.

    English and French order their words differently, so the order of names of which most words are translated has no effect.
    """
    found = names.alignment
    if found.in_order:
        return None
    translated = sum(pair.likeness.difference in _TRANSLATIONS for pair in found.pairs)
    return None if 2 * translated > len(found.pairs) else FeatureFinding(score, _OTHER_ORDER)


def legal_form(names: ComparedNames, *, missing: float, other_form: float, other_kind: float) -> FeatureFinding | None:
    """The legal forms, compared as groups of equivalent spellings (Ltd. is Limitée).

    A missing form costs least, another form of the same kind (Inc. for Ltd.) more, and a form of another kind of entity most.
    """
    requested, found = names.query.legal_forms, names.candidate.legal_forms
    difference = None if requested == found else _compare_forms(requested, found)
    if difference is None:
        return None
    return FeatureFinding((missing, other_form, other_kind)[difference[0]], difference[1])


_MISSING, _OTHER_FORM, _OTHER_KIND = range(3)


@lru_cache(maxsize=2**10)
def _compare_forms(requested: tuple[str, ...], found: tuple[str, ...]) -> tuple[int, Message] | None:
    """The kind of difference and its description; None for the same forms in another order."""
    missing, added = set(requested) - set(found), set(found) - set(requested)
    if missing and added:
        same_kind = not {LEGAL_FORMS[key].kind for key in requested}.isdisjoint(LEGAL_FORMS[key].kind for key in found)
        reason = Message("legal form {found} instead of {submitted}", found=join_labels(added), submitted=join_labels(missing))
        return _OTHER_FORM if same_kind else _OTHER_KIND, reason
    if missing:
        return _MISSING, Message("legal form {form} missing", form=join_labels(missing))
    return (_MISSING, Message("legal form {form} added", form=join_labels(added))) if added else None


def other_entity(names: ComparedNames, *, limit: float) -> FeatureFinding | None:
    """A partnership is not the corporation of the same name, nor a limited partnership its general partner.

    A holding company is not the operating company of the same name either: one of the names only adds "Holdings" or "Gestion". Each
    is registered by itself, and may be sued or sanctioned without the other.
    """
    found = names.alignment
    alone = (*found.left_only, *found.right_only)
    if len(alone) == 1 and alone[0] in _HOLDING_WORDS:
        return FeatureFinding(limit, _HOLDING_COMPANY)
    requested, candidate = names.query.legal_forms, names.candidate.legal_forms
    if not requested or not candidate:
        return None
    partner_named = len(alone) == 1 and alone[0] in _GENERAL_PARTNER_WORDS
    if _is_general_partner(requested, candidate, partner_named) or _is_general_partner(candidate, requested, partner_named):
        return FeatureFinding(limit, _GENERAL_PARTNER)
    labels = None if requested == candidate else _compare_entities(requested, candidate)
    if labels is None:
        return None
    return FeatureFinding(limit, partial(_OTHER_ENTITY.fill, submitted=labels[0], found=labels[1]))


def _is_general_partner(partner: tuple[str, ...], partnership: tuple[str, ...], partner_named: bool) -> bool:  # noqa: FBT001
    """Whether the forms are those of a corporation that is a general partner ("GP Inc.") and of a limited partnership."""
    return "lp" in partnership and "lp" not in partner and (partner_named or ("gp" in partner and len(partner) > 1))


@lru_cache(maxsize=2**10)
def _compare_entities(requested: tuple[str, ...], found: tuple[str, ...]) -> tuple[Message, Message] | None:
    """The kinds of two entities of which one is a partnership and the other a corporation; None for all others."""
    kinds = {LEGAL_FORMS[key].kind for key in requested}, {LEGAL_FORMS[key].kind for key in found}
    for one, other in (kinds, kinds[::-1]):
        if _PARTNERSHIP in one and not one & _CORPORATIONS and _PARTNERSHIP not in other and other & _CORPORATIONS:
            labels = _ENTITY_LABELS if one is kinds[0] else _ENTITY_LABELS[::-1]
            return labels[0], labels[1]
    return None


def initials(names: ComparedNames, *, limit: float) -> FeatureFinding | None:
    """Initials may stand for many names: a name of which they are a part is worth a look, not more."""
    for pair in names.alignment.pairs:
        if pair.likeness.difference is WordDifference.ACRONYM:
            acronym = min(pair.left, pair.right, key=len)[0]
            return FeatureFinding(limit, partial(_INITIALS.fill, acronym=acronym))
    return None


def numbers(names: ComparedNames, *, limit: float, missing: float, new_company: float) -> FeatureFinding | None:
    """Numbers in names must be equal: 4261607 Canada is not 4261608 Canada, and Store 12 is not Store 21.

    A number that only one name has makes the names likely variants at best. A year does not: in Canada, a new company that takes
    over the name of Acme Ltd. is often called "Acme (2010) Ltd."
    """
    found = names.alignment
    explain = partial(_explain_numbers, found)
    if any(pair.likeness.difference is WordDifference.NEAR_NUMBER for pair in found.pairs):
        return FeatureFinding(limit, explain)
    absent, added = _join_numbers(found.left_only), _join_numbers(found.right_only)
    if not absent and not added:
        return None
    if absent and added:
        return FeatureFinding(limit, explain)
    return FeatureFinding(new_company if _YEAR.fullmatch(absent or added) else missing, explain)


def _explain_numbers(found: WordAlignment) -> Message:
    """All numbers that differ: the similar ones first."""
    notes = [
        _SIMILAR_NUMBER.fill(found=pair.right[0], submitted=pair.left[0])
        for pair in found.pairs
        if pair.likeness.difference is WordDifference.NEAR_NUMBER
    ]
    absent, added = _join_numbers(found.left_only), _join_numbers(found.right_only)
    if absent and added:
        notes.append(_OTHER_NUMBER.fill(found=added, submitted=absent))
    elif absent or added:
        notes.append((_NUMBER_MISSING if absent else _NUMBER_ADDED).fill(number=absent or added))
    return join_messages(notes)


def _join_numbers(among: Words) -> str:
    return " ".join([word for word in among if classify_word(word) is WordClass.NUMBER])


def opposites(names: ComparedNames, *, limit: float) -> FeatureFinding | None:
    """Opposites make different names: north and south, old and new, upper and lower, one and two."""
    found = _find_opposites(names.alignment)
    return None if found is None else FeatureFinding(limit, partial(_OPPOSITES.fill, submitted=found[0], found=found[1]))


def _find_opposites(found: WordAlignment) -> tuple[str, str] | None:
    for requested in found.left_only:
        if has_opposite(requested):
            for other in found.right_only:
                if are_opposites(requested, other):
                    return requested, other
    return None


def other_trade(names: ComparedNames, *, limit: float) -> FeatureFinding | None:
    """The same family or brand name in another trade or place is another business, however much of the name is shared.

    It applies if the unpaired words of both names are common words, with a trade or a place among them on both sides.
    """
    missing, added = names.alignment.left_only, names.alignment.right_only
    if not missing or not added or not _names_trade(missing) or not _names_trade(added):
        return None
    return None if _find_opposites(names.alignment) is not None else FeatureFinding(limit, _OTHER_TRADE)


def _names_trade(alone: Words) -> bool:
    classes = {classify_word(word) for word in alone}
    return classes <= _COMMON and not classes.isdisjoint(_SIGNIFICANT_COMMON)


def common_words_only(names: ComparedNames, *, limit: float, distinctive: float, enough: float) -> FeatureFinding | None:
    """Matching common words (trades, places, "holdings", legal forms) are not sufficient unless all words match.

    If one name only adds words without meaning ("La Société Canadian Tire"), a matching place and trade are sufficient. Which words
    are common is defined by the table alone, not by their frequency in the loaded names.
    """
    found = names.alignment
    if found.complete:
        return None
    weight = fsum([weigh_lighter_side(pair, STATIC_RARITY.weight) for pair in found.pairs if _is_distinctive(pair)])
    if weight >= distinctive or _adds_only_empty_words(found, enough):
        return None
    return FeatureFinding(limit, partial(explain_common_words, found))


def explain_common_words(found: WordAlignment) -> Message:
    """The matching words, where these are common ones."""
    shared = tuple(word for pair in found.pairs for word in pair.left)
    return Message("only common words match ({words})", words=quote_words(shared)) if shared else _NO_WORDS_AGREE


def _adds_only_empty_words(found: WordAlignment, enough: float) -> bool:
    """Whether common words of sufficient weight match, and one of the names only adds empty words."""
    if found.left_only and found.right_only:
        return False
    agreed = fsum([weigh_lighter_side(pair, STATIC_RARITY.weight) for pair in found.pairs])
    return agreed >= enough and _EMPTY.issuperset(map(classify_word, (*found.left_only, *found.right_only)))


def _is_distinctive(pair: WordPair) -> bool:
    sides = (pair.left,) if pair.likeness.difference is WordDifference.EQUAL else (pair.left, pair.right)
    return not any(_DISTINCTIVE.isdisjoint(map(classify_word, side)) for side in sides)


def join_labels(keys: Collection[str]) -> JoinedValues:
    """The labels of legal forms as a value of a message."""
    return join_values([LEGAL_FORMS[key].label for key in sorted(keys)])


def quote_words(quoted: Words) -> JoinedValues:
    """Words in quotation marks as a value of a message."""
    return join_values([Message("“{word}”", word=word) for word in quoted])


def describe_difference(pair: WordPair) -> Message:
    """How the unequal words of a pair were matched."""
    submitted, found = " ".join(pair.left), " ".join(pair.right)
    if pair.likeness.difference is WordDifference.SLIP:
        return plural_message(
            "“{submitted}” matched with “{found}” ({n} letter differs)",
            "“{submitted}” matched with “{found}” ({n} letters differ)",
            pair.likeness.letters,
            submitted=submitted,
            found=found,
        )
    how = _DIFFERENCES[pair.likeness.difference]
    return Message("“{submitted}” matched with “{found}” ({how})", submitted=submitted, found=found, how=how)
