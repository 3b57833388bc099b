"""Parse an item of a regulation's schedule: the name, other names and date of birth in one sentence.

Each rule was held against the 25 regulations of July 2026. A text that may as well be one name stays whole.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bonafide.sources.shared.lists.name_variants import strip_quotes

_KNOWN_AS = re.compile(r"(?P<open>\(\s*|\s)(?:also )?(?P<how>known(?: among other names)? as|formerly)\s*:?\s*", re.IGNORECASE)
_BIRTH = re.compile(r"[,(]\s*(?:born(?: on| in)?|date of birth:)\s*(?P<birth>(?:[a-z]+ )*[^(),]*(?:,\s*\d{4})?)\)?", re.IGNORECASE)
_REMARK = re.compile(r",\s*(?:(?:former|son|daughter|spouse|brother|sister|family member|businessman)\b).*", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+|\s+or\s+(?=[“\"])")
_ET = re.compile(r"\s+et\s+")
_OXFORD = re.compile(r"(?:and|et)\s+")
_ARTICLE = re.compile(r"the\s+")
_SPELLINGS = re.compile(r"(?P<given>.*\s)(?P<one>\w+) or (?P<other>\w+)")
_LEGAL_FORMS = frozenset({"co", "corp", "fsue", "inc", "jsc", "llc", "llp", "ltd", "limited", "ojsc", "pjsc", "plc", "s.a", "gmbh"})
_OPENING = '“"'
_TELLING_LETTERS = 4
"""Letters of a word that two names of one party may share and two of different parties seldom do."""


@dataclass(frozen=True, slots=True)
class RegulationParty:
    """What the sentence says: the name before any bracket that names others, those others, the birth and what else it tells.

    An alias is unsure when the sentence may be read so that it is only half of a name.
    """

    name: str
    aliases: tuple[str, ...]
    unsure: tuple[str, ...] = ()
    birth: str | None = None
    remark: str | None = None


def parse_party(text: str, *, person: bool = False) -> RegulationParty:
    """The party of an item's text; in a person's, "and" always separates names. What is not recognised stays in the name."""
    head, tail = text, ""
    aliases: list[str] = []
    unsure: list[str] = []
    while (found := _KNOWN_AS.search(head)) is not None:
        end = _find_closing_bracket(head, found.start()) if found["open"].startswith("(") else len(head)
        names = _split_text(head[found.end() : end])
        sure = names.sure or person or "among" in found["how"].casefold()
        aliases += names.parts if sure else [names.whole]
        unsure += [] if sure or not _are_names(names.parts, head[: found.start()]) else names.parts
        head, tail = head[: found.start()].rstrip(), tail + head[end + 1 :]
    birth, head, tail = _extract_birth(head, tail)
    remark = _REMARK.search(head)
    told = " ".join(f"{remark[0] if remark is not None else ''} {tail}".split()).strip(" ,;")
    name = head[: remark.start()] if remark is not None else head
    return RegulationParty(
        " ".join(name.split()).strip(" ,"), tuple(_clean_names(aliases)), tuple(_clean_names(unsure)), birth, told or None
    )


def _extract_birth(head: str, tail: str) -> tuple[str | None, str, str]:
    """The date of birth in either part, and both parts without it."""
    found = _BIRTH.search(head)
    if found is not None:
        before, behind = head[: found.start()].rstrip(), head[found.end() :]
        # Behind ", born on …" comes where and whose child; behind a bracket the name may go on.
        return (found["birth"].strip() or None, *((before, behind + tail) if found[0].startswith(",") else (before + behind, tail)))
    found = _BIRTH.search(tail)
    return (
        (found["birth"].strip() or None, head, tail[: found.start()] + tail[found.end() :])
        if found is not None
        else (None, head, tail)
    )


def _are_names(halves: list[str], name: str) -> bool:
    """Whether both halves of "… and …" can be names: not when the name itself joins words so ("Supply and Trade")."""
    if any(f"{joint}{halves[-1].split()[0]}".casefold() in name.casefold() for joint in (" and ", " & ")):
        return False
    known = {word.casefold() for word in name.split() if len(word) >= _TELLING_LETTERS}
    return all(" " in half or half.isupper() or half.casefold() in known for half in halves)


def _find_closing_bracket(text: str, start: int) -> int:
    """Where the bracket that opens at `start` closes; the end of a text in which it doesn't."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return len(text)


@dataclass(frozen=True, slots=True)
class _SplitNames:
    """A text of several names: the parts, whether they surely are names of their own, and the text as one name."""

    parts: list[str]
    sure: bool
    whole: str


def split_names(text: str) -> list[str]:
    """The names in a text that surely lists several: `A, B and C`. Commas and "and" inside brackets separate nothing."""
    return list(_clean_names(_split_text(text).parts))


def _split_text(text: str) -> _SplitNames:
    names = list(_split_at_commas(text))
    if not names:
        return _SplitNames([], sure=True, whole=text)
    last = names.pop()
    oxford = _OXFORD.match(last)
    if oxford is not None and names:
        return _SplitNames([*names, last[oxford.end() :]], sure=True, whole=text)
    parts = _split_outside_brackets(_AND, last)
    parts = _split_outside_brackets(_ET, last) if len(parts) == 1 and names else parts
    if len(parts) % 2 == 0:
        # As many times "and" in one half as in the other: "Trade and Bank of A and Trade and Bank of B".
        parts = [" and ".join(parts[: len(parts) // 2]), " and ".join(parts[len(parts) // 2 :])]
    elif len(parts) > 1:
        parts = [" and ".join(parts[:-1]), parts[-1]] if names else [last]
    quoted = all(part.strip()[:1] in _OPENING for part in parts)
    return _SplitNames([*names, *parts], sure=bool(names) or len(parts) == 1 or quoted, whole=last)


def _clean_names(names: list[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        plain = strip_quotes(_ARTICLE.sub("", name.strip(), count=1) if _ARTICLE.match(name.strip()) is not None else name)
        two = _SPELLINGS.fullmatch(plain)
        if two is not None:
            yield from (f"{two['given']}{two[form]}" for form in ("one", "other"))
        elif plain:
            yield plain


def _split_at_commas(text: str) -> Iterator[str]:
    """The pieces between the commas, those before a bare legal form together (`Example Co., Ltd.`)."""
    held: str | None = None
    for piece in _split_outside_brackets(re.compile(r"\s*[,;]\s*"), text):
        if held is not None and _AND.split(piece)[0].rstrip(". ").casefold() in _LEGAL_FORMS:
            held = f"{held}, {piece}"
            continue
        if held:
            yield held
        held = piece
    if held:
        yield held


def _split_outside_brackets(separator: re.Pattern[str], text: str) -> list[str]:
    """The text split where the separator stands outside brackets and quotation marks."""
    pieces, start = [], 0
    for found in separator.finditer(text):
        before = text[: found.start()]
        if before.count("(") == before.count(")") and before.count("“") == before.count("”"):
            pieces.append(text[start : found.start()])
            start = found.end()
    return [*pieces, text[start:]]
