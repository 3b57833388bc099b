"""Check a catalogue against the messages of the code: nothing missing, nothing stale, values and typography right."""

import re
from collections.abc import Iterator
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry

_CODE = re.compile(r"`[^`]*`|https?://\S+|<[^>]+>|\{[^}]*\}")
_TYPOGRAPHY = (
    (re.compile(r"'"), "write ’ for an apostrophe"),
    (re.compile(r'["“”]'), "write « and » for quotation marks"),
    (re.compile(r"«(?!\u00a0)|(?<!\u00a0)»"), "put no-break spaces inside « »"),
    (re.compile(r"(?<![\u00a0\d]):(?=\s|$)"), "put a no-break space before a colon"),
    (re.compile(r"(?<=\w)[\s\u00a0\u202f]+[;?!]"), "put no space before ; ? !"),
)
_INVARIABLE = re.compile(r"\bfois\b")
"""Nouns whose plural is the same as their singular."""


def list_problems(catalog: Catalog, template: Catalog) -> Iterator[str]:
    """What is wrong with the catalogue, one line each, with the English text."""
    wanted = {_key(entry): entry for entry in template if entry.id}
    known = {_key(entry): entry for entry in catalog if entry.id}
    for key, entry in wanted.items():
        translated = known.get(key)
        if translated is None:
            yield f"missing: {_quote(entry)}, of {entry.locations[0][0]}"
        elif "fuzzy" in translated.flags:
            yield f"to be checked (fuzzy): {_quote(entry)}"
        else:
            yield from _list_entry_problems(translated)
    yield from (f"stale: {_quote(entry)}" for key, entry in known.items() if key not in wanted)


def _list_entry_problems(entry: Entry) -> Iterator[str]:
    translations = entry.string if isinstance(entry.string, (tuple, list)) else (entry.string,)
    originals = entry.id if isinstance(entry.id, (tuple, list)) else (entry.id,)
    names = set[str]().union(*(_list_names(original) for original in originals))
    if all(translations) and len(set(originals)) > len(set(translations)) and not _INVARIABLE.search(str(translations[0])):
        yield f"the plural is the same as the singular: {_quote(entry)}"
    for place, translation in enumerate(translations):
        if not translation:
            yield f"not translated: {_quote(entry)}"
            continue
        unknown = _list_names(translation) ^ names
        if len(translations) > 1 and place == 0:
            unknown.discard("n")  # a singular may say "one"
        if unknown:
            yield f"other values than the English ({', '.join(sorted(unknown))}): {_quote(entry)}"
        text = _CODE.sub("x", translation)
        yield from (f"{rule}: {translation!r}" for pattern, rule in _TYPOGRAPHY if pattern.search(text))


def _list_names(text: str) -> set[str]:
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name}
    except ValueError:
        return set()


def _key(entry: Entry) -> tuple[str | None, str]:
    return entry.context, entry.id if isinstance(entry.id, str) else entry.id[0]


def _quote(entry: Entry) -> str:
    return repr(entry.id if isinstance(entry.id, str) else entry.id[0])
