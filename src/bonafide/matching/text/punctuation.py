"""Interpret punctuation inside names: what it joins, what it separates, and which brackets contain a legal form.

It processes many folded names at once, one per line, because one pass over a long text is ten times faster than many passes over
short ones; no rule crosses line ends. The caller defines which words are legal forms.
"""

import re
from collections.abc import Callable

FORM_OPENS, FORM_CLOSES = "\x01", "\x02"
"""They enclose the words of a legal form that was in brackets. Folded names never contain these characters."""
SEAM = "\x03"
"""A word in place of a dash or slash between spaces, or of a bracket."""
_ELIDED = "\x00"

# Every pattern starts with its character, so that the search skips from one to the next.
_ELISION = re.compile(r"'(?:(?<=\b[ld]')|(?<=\bqu'))(?=\w)")
_INITIALS_STOP = re.compile(r"\.(?<=\b[^\W\d_]\.)(?=[^\W\d_]\b)")
# "101-1st Avenue" contains two numbers.
_SEAM_IN_NUMBER = re.compile(r"\x03(?<=\d\x03)(?=\d+\b)")
_HYPHEN_IN_NUMBER = re.compile(r"-(?<=\d-)(?=\d+\b)")
_COMMA_IN_NUMBER = re.compile(r",(?:(?<=\b\d,)|(?<=\b\d\d,)|(?<=\b\d\d\d,))(?=\d{3}\b)")
_BRACKETED = re.compile(r"\(([^()\n]*)\)")
_COOP = re.compile(r"co op(?<=\bco op)(?=s?\b|erat)")
"""One word in every spelling of cooperative: co-op, co op, co-operative."""
# Numbered companies of British Columbia have seven digits, the first a zero that is often omitted.
_LEADING_ZEROS = re.compile(r"0(?<!\w0)0*(?=[1-9][0-9]{5})")
# "1 234 567 Canada inc." is French typography; "Highway 400 401" has one group only and stays two numbers.
_SPACED_GROUPS = re.compile(r"[0-9](?<!\w[0-9])[0-9]{0,2}(?: +[0-9]{3}){2,}\b")
_QUEBEC_NUMBER = re.compile(r"([0-9](?<!\w[0-9])[0-9]{3}) +([0-9]{4})(?= +(?:quebec|qc|que)\b)")


def separate_words(lines: str, is_form: Callable[[str], bool]) -> str:
    """Folded names, one per line, with only words, spaces, `&` and the marks above."""
    lines = _collapse_spaces(lines.replace("&", " & "))
    lines = _strip_apostrophes(lines) if "'" in lines else lines
    # A period at the end of a name has no meaning, and most names have one.
    lines = _INITIALS_STOP.sub("", lines.replace(".\n", "\n")).replace(".", " ")
    lines = _strip_dashes(lines) if "-" in lines else lines
    lines = _COMMA_IN_NUMBER.sub("", lines).replace(",", " ")
    lines = _strip_brackets(lines, is_form) if "(" in lines or ")" in lines else lines
    lines = _COOP.sub("coop", _collapse_spaces(lines))
    return join_digit_groups(lines)


def join_digit_groups(lines: str) -> str:
    """Join numbers written in groups of digits, and remove leading zeros of long ones."""
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

    return _BRACKETED.sub(opened, lines).replace("(", f" {SEAM} ").replace(")", " ")


def _remove_spaces(groups: re.Match[str]) -> str:
    return groups[0].replace(" ", "")
