"""Recognise Chinese, Korean and Vietnamese names, whose parts are syllables, and compare names in their own characters.

A syllable identifies nobody by itself: a few hundred of them make the names of a billion people. Such names are compared as wholes.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from bonafide.matching.people.given_names import is_given_name
from bonafide.matching.people.person_name_parsing import PEOPLE_TABLE, PersonName
from bonafide.matching.text.tables import read_table

FAMILY_NAMES = frozenset[str](PEOPLE_TABLE["syllabic_family_names"].split())
_FORMS: dict[str, frozenset[str]] = {}
for _row in map(frozenset, PEOPLE_TABLE["syllable_forms"]):
    for _form in _row:
        _FORMS[_form] = _FORMS.get(_form, frozenset()) | (_row - {_form})
_HAN_TABLE: dict[str, str] = read_table("han_variants")
_SIMPLIFIED = str.maketrans(_HAN_TABLE["traditional"].replace(" ", ""), _HAN_TABLE["simplified"].replace(" ", ""))
_OWN_SCRIPT = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")
_CHINESE = (
    r"(?:zh|ch|sh|hs|ts|tz|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|uang|ueng|ang|eng|ing|ong|ung|ian|ien|iao|uai|uan|uei|"
    r"ai|ei|ao|ou|an|en|in|un|ia|ie|iu|ua|uo|ui|ue|ve|ih|eh|[aeiouv])"
)
_KOREAN = (
    r"(?:kk|tt|pp|ss|jj|ch|th|[kgndtlrmbpsjh])?(?:yae|yeo|wae|eui|young|ae|ya|eo|oe|wa|we|wi|wo|yo|yu|ye|eu|ui|oo|ee|"
    r"[aeiou])(?:ng|ck|[kgnltdmpb])?"
)
_VIETNAMESE = (
    r"(?:ngh|ng|nh|gh|gi|kh|ph|th|tr|ch|qu|[bcdghklmnprstvx])?(?:uye|ieu|uou|uoi|yeu|oai|oay|uay|ia|ie|ua|uo|uy|oa|oe|ai|ao|au|"
    r"ay|eo|eu|iu|oi|ui|uu|ye|[aeiouy])(?:ch|ng|nh|[cmnpt])?"
)
_WORD = tuple(re.compile(rf"(?:{syllable}){{1,2}}") for syllable in (_CHINESE, _KOREAN, _VIETNAMESE))
_LONGEST_WORD, _FEWEST_PARTS, _MOST_PARTS = 12, 2, 6


def are_syllable_forms(one: str, other: str) -> bool:
    """Whether two different syllables are romanisations of one: Lee and Ri, Zhang and Chang."""
    return other in _FORMS.get(one, ())


def list_syllable_forms(syllable: str) -> frozenset[str]:
    """The other romanisations of a syllable; usually none."""
    return _FORMS.get(syllable, frozenset())


@lru_cache(maxsize=2**16)
def is_syllabic_name(parts: Sequence[str]) -> bool:
    """Whether the parts are a family name of China, Korea or Vietnam, first or last, and syllables of one of these languages."""
    if not _FEWEST_PARTS <= len(parts) <= _MOST_PARTS:
        return False
    return any(
        family in FAMILY_NAMES and any(all(_is_given_part(part, word) for part in given) for word in _WORD)
        for family, given in ((parts[0], parts[1:]), (parts[-1], parts[:-1]))
    )


def is_syllabic(name: PersonName) -> bool:
    """Whether the parts of a name are syllables: of Chinese characters, Korean letters, or such a name in Latin letters."""
    return has_syllabic_characters(name) or is_syllabic_name(name.parts)


def has_syllabic_characters(name: PersonName) -> bool:
    """Whether the name is written in Chinese characters or Korean letters only."""
    own = list_own_characters(name.text)
    return bool(own) and _KANA.search(own) is None


def _is_given_part(part: str, word: re.Pattern[str]) -> bool:
    if part in FAMILY_NAMES or part in _FORMS:
        return True
    return len(part) <= _LONGEST_WORD and word.fullmatch(part) is not None and not is_given_name(part)


@lru_cache(maxsize=2**16)
def list_own_characters(text: str) -> str:
    """The Chinese, Japanese and Korean characters of a name in simplified form; "" if the name has letters of other scripts."""
    if text.isascii():
        return ""
    own = "".join(_OWN_SCRIPT.findall(text))
    return own.translate(_SIMPLIFIED) if len(own) == len(_LETTER.findall(text)) else ""


def are_same_characters(one: str, other: str) -> bool:
    """Whether two names in their own characters are equal with the family name, of one or two characters, first or last."""
    if len(one) != len(other):
        return False
    return any(other == one[at:] + one[:at] for at in {0, 1, 2, len(one) - 1, len(one) - 2} if 0 <= at < len(one))
