"""The headings of the licence table under short names: the page has reworded the long ones, and stands on two rows.

A heading that is not recognised keeps its own words, so that the check of the layout refuses it.
"""

import re
from collections.abc import Sequence

HOLDER = "Licence holder"
_PATTERNS = {
    "classes provincial": re.compile(r"class.*provincial", re.IGNORECASE),
    "classes patients": re.compile(r"class.*patients", re.IGNORECASE),
    "holder": re.compile(re.escape(HOLDER), re.IGNORECASE),
    "province": re.compile(r"province ?/ ?territory", re.IGNORECASE),
    "licences": re.compile(r"licence ?\(s\)|licences", re.IGNORECASE),
    "client care": re.compile(r"client care.*", re.IGNORECASE),
    "since": re.compile(r"(date of )?initial licens.* date|date of initial licens.*", re.IGNORECASE),
}


def columns_of(header: Sequence[str]) -> dict[str, str]:
    """Our names of the columns, each with the page's heading."""
    return {_name(heading): heading for heading in header}


def _name(heading: str) -> str:
    for name, pattern in _PATTERNS.items():
        if pattern.match(heading) is not None:
            return name
    return heading
