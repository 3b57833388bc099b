"""The keys of screened subjects and listed parties, by which a dismissed hit is recognised.

Both keys are digests: of the normal form of the subject's name and all its other data, and of all data of the listed party.
"""

import json
from hashlib import sha256

from bonafide.matching.names.normalization import NormalName, normalise
from bonafide.matching.text.transliteration import transliterate
from bonafide.model.entry import ListedEntity
from bonafide.model.query import ScreeningSubject

_IGNORED_FIELDS = {"entry_id", "kind", "source_url"}
"""A publisher may move a page without a change of the party."""


def build_subject_key(subject: ScreeningSubject, known: NormalName | None = None) -> str:
    """The key of a subject: equal for spellings with one normal form, different for different other data.

    The tolerance of a screening (typos, variants) has no effect. `known` is the normal form of the subject's name, if the caller
    has it.
    """
    latin = transliterate(subject.name)
    name = known if known is not None and known.text == latin else normalise(latin)
    words = name.tokens or (subject.name.casefold(),)
    kind = subject.entity_type.value if subject.entity_type is not None else None
    countries = sorted({code.upper() for code in subject.countries})
    return _digest([words, kind, countries, subject.date_of_birth])


def build_party_digest(entry: ListedEntity) -> str:
    """The digest of all data of a party in its list, regardless of the order of values."""
    data = entry.model_dump(mode="json", exclude=_IGNORED_FIELDS)
    return _digest({name: sorted(map(_text, value)) if isinstance(value, list) else value for name, value in data.items()})


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _digest(value: object) -> str:
    return sha256(_text(value).encode()).hexdigest()
