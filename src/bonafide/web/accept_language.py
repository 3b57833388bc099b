"""Choose the language of a response by `Accept-Language`.

Messages are translated; names, codes and field names are not.
"""

import re
from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, Request

from bonafide.i18n.language import Language

_RANGE = re.compile(r"\s*([a-zA-Z]{1,8}|\*)(?:-[a-zA-Z0-9]{1,8})*\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?", re.ASCII)
_LANGUAGES = {language.value: language for language in Language}


async def _read_preferred_language(request: Request) -> Language | None:
    return parse_accept_language(",".join(request.headers.getlist("accept-language")))


def parse_accept_language(header: str) -> Language | None:
    """The language with the highest quality value, the first of equals; None if the header contains neither."""
    accepted = [(quality, language) for quality, language in _parse_weights(header) if quality > 0]
    return max(accepted, key=lambda pair: pair[0], default=(0.0, None))[1]


def _parse_weights(header: str) -> Iterator[tuple[float, Language]]:
    for part in header.split(","):
        found = _RANGE.fullmatch(part)
        language = _LANGUAGES.get(found[1].lower()) if found is not None else None
        if found is not None and language is not None:
            yield float(found[2] if found[2] is not None else 1), language


PreferredLanguage = Annotated[Language | None, Depends(_read_preferred_language)]
"""A parameter: the language that the caller prefers; None without a preference."""
