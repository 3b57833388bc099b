"""When a screened subject and a listed party are the same as before: what a dismissed hit is recognised by.

Both keys are digests. A subject is the same by the normal form of its name and all that was told of it; a party by all that its
list says of it. It never judges how alike a subject and a party are.
"""

import json
from hashlib import sha256

from bonafide.matching.names.normalization import NormalName, normalise
from bonafide.matching.text.transliteration import transliterate
from bonafide.model.entry import ListedEntity
from bonafide.model.query import ScreeningSubject

_IGNORED_FIELDS = {"entry_id", "kind", "source_url"}
"""A publisher may move a page; the party stays what it was."""


def build_subject_key(subject: ScreeningSubject, known: NormalName | None = None) -> str:
    """The same for two spellings with one normal form, another one as soon as something else is known of the subject.

    How freely a name is read (typos, variants) says nothing of whose it is. `known` is the normal form of the subject's name where
    the caller has it.
    """
    latin = transliterate(subject.name)
    name = known if known is not None and known.text == latin else normalise(latin)
    words = name.tokens or (subject.name.casefold(),)
    kind = subject.entity_type.value if subject.entity_type is not None else None
    countries = sorted({code.upper() for code in subject.countries})
    return _digest([words, kind, countries, subject.date_of_birth])


def build_party_digest(entry: ListedEntity) -> str:
    """Another one when anything changes that the list says of the party; the order in which it says it does not matter."""
    said = entry.model_dump(mode="json", exclude=_IGNORED_FIELDS)
    return _digest({name: sorted(map(_text, value)) if isinstance(value, list) else value for name, value in said.items()})


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _digest(value: object) -> str:
    return sha256(_text(value).encode()).hexdigest()
