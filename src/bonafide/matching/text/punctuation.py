"""What punctuation inside a name means: what it joins, what it separates, which brackets hold a legal form.

It works on many folded names at once, one a line, because one pass over a long text costs a tenth of many passes over short ones;
no rule reaches over a line's end. It knows no words but the forms that it is told; what a word is worth is decided in `names`.
"""

import re
from collections.abc import Callable

FORM_OPENS, FORM_CLOSES = "\x01", "\x02"
"""The words between these two stood in brackets and are a legal form. Folding leaves no such character in a name."""
SEAM = "\x03"
"""Stands, as a word, where a dash or slash between spaces was, or a bracket."""
_ELIDED = "\x00"

# Every pattern starts with the character that it is about, so that the search for it skips from one to the next.
_ELISION = re.compile(r"'(?:(?<=\b[ld]')|(?<=\bqu'))(?=\w)")
_INITIALS_STOP = re.compile(r"\.(?<=\b[^\W\d_]\.)(?=[^\W\d_]\b)")
# "101-1st Avenue" holds two numbers.
_SEAM_IN_NUMBER = re.compile(r"\x03(?<=\d\x03)(?=\d+\b)")
_HYPHEN_IN_NUMBER = re.compile(r"-(?<=\d-)(?=\d+\b)")
_COMMA_IN_NUMBER = re.compile(r",(?:(?<=\b\d,)|(?<=\b\d\d,)|(?<=\b\d\d\d,))(?=\d{3}\b)")
_BRACKETED = re.compile(r"\(([^()\n]*)\)")
_COOP = re.compile(r"co op(?<=\bco op)(?=s?\b|erat)")
"""One word in every spelling of cooperative: co-op, co op, co-operative."""
# Numbered companies of British Columbia have seven digits, the first a nought that many leave out.
_LEADING_ZEROS = re.compile(r"0(?<!\w0)0*(?=[1-9][0-9]{5})")
# "1 234 567 Canada inc." is French typography; "Highway 400 401" has one group only and stays two numbers.
_SPACED_GROUPS = re.compile(r"[0-9](?<!\w[0-9])[0-9]{0,2}(?: +[0-9]{3}){2,}\b")
_QUEBEC_NUMBER = re.compile(r"([0-9](?<!\w[0-9])[0-9]{3}) +([0-9]{4})(?= +(?:quebec|qc|que)\b)")


def separate_words(lines: str, is_form: Callable[[str], bool]) -> str:
    """Folded names, one a line, with nothing left but words, spaces, `&` and the marks above."""
    lines = _collapse_spaces(lines.replace("&", " & "))
    lines = _strip_apostrophes(lines) if "'" in lines else lines
    # A full stop at the end of a name says nothing, and most names have one.
    lines = _INITIALS_STOP.sub("", lines.replace(".\n", "\n")).replace(".", " ")
    lines = _strip_dashes(lines) if "-" in lines else lines
    lines = _COMMA_IN_NUMBER.sub("", lines).replace(",", " ")
    lines = _strip_brackets(lines, is_form) if "(" in lines or ")" in lines else lines
    lines = _COOP.sub("coop", _collapse_spaces(lines))
    return join_digit_groups(lines)


def join_digit_groups(lines: str) -> str:
    """Numbers that are written in groups of digits, as one, and long ones without noughts in front."""
    return _LEADING_ZEROS.sub("", _QUEBEC_NUMBER.sub(r"\1\2", _SPACED_GROUPS.sub(_remove_spaces, lines)))


def _collapse_spaces(lines: str) -> str:
    while "  " in lines:
        lines = lines.replace("  ", " ")
    return lines


def _strip_apostrophes(lines: str) -> str:
    # "Rock'n'Roll", "Stop 'n Go": the n is a word.
    lines = lines.replace("'n'", " n ").replace("'n ", " n ")
    # Elided articles go ("l'Est", "d'Arthabaska"); any other apostrophe only joins ("Pop's", "O'Brien", "reg'd").
    lines = _ELISION.sub(_ELIDED, lines)
    for elided in (f"l{_ELIDED}", f"d{_ELIDED}", f"qu{_ELIDED}"):
        lines = lines.replace(elided, "")
    return lines.replace("'", "")


def _strip_dashes(lines: str) -> str:
    lines = _SEAM_IN_NUMBER.sub("", lines.replace(" - ", SEAM)).replace(SEAM, f" {SEAM} ")
    return _HYPHEN_IN_NUMBER.sub("", lines.replace(" -", "-").replace("- ", "-")).replace("-", " ")


def _strip_brackets(lines: str, is_form: Callable[[str], bool]) -> str:
    def opened(bracketed: re.Match[str]) -> str:
        content = bracketed[1]
        return f" {FORM_OPENS} {content} {FORM_CLOSES} " if is_form(content) else f" {SEAM} {content} "

    return _BRACKETED.sub(opened, lines).replace("(", " ").replace(")", " ")


def _remove_spaces(groups: re.Match[str]) -> str:
    return groups[0].replace(" ", "")
