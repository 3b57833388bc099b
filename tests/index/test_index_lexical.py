"""Texts put into order, and read back, as bytes of one buffer."""

from random import Random

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from bonafide.index.format.typed_forms import TypedForms, compute_prefix_keys, sort_lexically

TEXTS = st.lists(
    st.one_of(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40),
        st.lists(st.sampled_from(["construction ", "constructio", "é", "a"]), max_size=8).map("".join),
    ),
    max_size=60,
)


def forms_of(texts: list[str]) -> TypedForms:
    encoded = [text.encode() for text in texts]
    lengths = np.array([len(text) for text in encoded], np.uint16)
    return TypedForms.from_collected(np.frombuffer(b"".join(encoded), np.uint8), lengths, np.arange(len(texts)))


@given(TEXTS)
@example([])
@example(["", "", "a" * 300, "a" * 299, "a" * 300])
def test_the_order_is_that_of_the_bytes(texts: list[str]) -> None:
    forms = forms_of(texts)
    order = sort_lexically(forms).tolist()
    assert sorted(order) == list(range(len(texts)))
    assert [texts[place] for place in order] == sorted(texts, key=str.encode)


@given(TEXTS)
def test_the_first_bytes_sort_as_the_texts_do(texts: list[str]) -> None:
    heads = compute_prefix_keys(forms_of(texts)).tolist()
    assert heads == [int.from_bytes(text.encode()[:8].ljust(8, b"\0")) for text in texts]


@given(TEXTS, st.randoms())
def test_texts_are_read_by_the_numbers_they_are_given(texts: list[str], chance: Random) -> None:
    order = list(range(len(texts)))
    chance.shuffle(order)
    encoded = [text.encode() for text in texts]
    lengths = np.array([len(text) for text in encoded], np.uint16)
    forms = TypedForms.from_collected(np.frombuffer(b"".join(encoded), np.uint8), lengths, np.array(order, np.int64))
    assert forms.decode(np.arange(len(texts), dtype=np.uint32)) == [texts[place] for place in order]
