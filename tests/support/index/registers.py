"""Made-up registers for the index's tests."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict

from bonafide.index import Facets, IndexDocument, IndexSegment, build_segment, create_business_query

_TRADES = "Construction Consulting Holdings Transport Bakery Plumbing Services Développement Gestion Properties Technologies"
_PLACES = "Northern Québec Prairie Coastal Montréal Ontario Lakeside Canada"
_FORMS = "Inc. Ltd. Limited ltée Corp."
_SYLLABLES = "ba cor dru fen gil ho jan kel lum mar nid os pra quin ros tel ul var wes zor"


class DocumentChange(TypedDict, total=False):
    """The fields of a document that a test changes."""

    payload: bytes
    names: tuple[str, ...]
    people: tuple[str, ...]
    addresses: tuple[str, ...]
    numbers: tuple[str, ...]
    active: bool
    facets: Facets


def document(*names: str, numbers: Iterable[str] = (), payload: bytes = b"", active: bool = True) -> IndexDocument:
    return IndexDocument(key=" / ".join(names), names=names, numbers=tuple(numbers), payload=payload, active=active)


def built(folder: Path, documents: Iterable[IndexDocument]) -> IndexSegment:
    build_segment(folder, documents)
    return IndexSegment.open(folder)


def named(folder: Path, *names: str) -> IndexSegment:
    """A segment with one document for each name."""
    return built(folder, (document(name) for name in names))


def found(segment: IndexSegment, name: str, limit: int = 20) -> list[int]:
    """The documents found for a name, best first."""
    return [hit.document for hit in segment.search(create_business_query(name), limit)]


def scores(segment: IndexSegment, name: str, limit: int = 1000) -> dict[int, float]:
    return {hit.document: hit.score for hit in segment.search(create_business_query(name), limit)}


def made_up_names(count: int, seed: int = 1) -> list[str]:
    """Distinct names of a coined word, a place or not, a trade and a legal form; the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311  # made-up data wants a seed, not secrecy
    syllables, places, trades, forms = _SYLLABLES.split(), _PLACES.split(), _TRADES.split(), _FORMS.split()
    names: dict[str, None] = {}
    while len(names) < count:
        coined = "".join(chance.choices(syllables, k=3)).capitalize()
        place = [chance.choice(places)] if chance.random() < 0.5 else []
        names[" ".join([coined, *place, chance.choice(trades), chance.choice(forms)])] = None
    return list(names)
