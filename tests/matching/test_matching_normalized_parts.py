"""Parts of names are the same whether they are kept or parsed again, and few are kept."""

from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.names.name_parts import split_name_parts
from bonafide.matching.names.normalization import normalise
from bonafide.matching.names.normalized_parts import NormalizedParts, NormalizedPartsCache
from tests.support.matching.name_pairs import BUSINESSES

NAMES = sorted({name for _, a, b in BUSINESSES for name in (a, b)})
names = st.sampled_from(NAMES) | st.text(max_size=40) | st.text(alphabet="x ", min_size=201, max_size=203)


def parse(text: str) -> NormalizedParts:
    return tuple((part.kind, normalise(part.text)) for part in split_name_parts(text))


@given(st.lists(st.lists(names, max_size=6), max_size=4))
def test_kept_parts_are_those_of_the_name(batches: list[list[str]]) -> None:
    cache = NormalizedPartsCache(3)
    for texts in batches:
        assert list(cache.normalize(texts)) == [parse(text) for text in texts]
        assert len(cache) <= 6


def test_a_name_that_is_used_again_is_kept() -> None:
    cache = NormalizedPartsCache(2)
    (first,) = cache.normalize(["Zephyrine Bakery"])
    for name in ("Orlovska Ltd.", "Kwiatek Inc.", "Twin Holdings"):
        list(cache.normalize([name]))
        (again,) = cache.normalize(["Zephyrine Bakery"])
        assert again is first
