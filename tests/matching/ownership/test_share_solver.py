"""What is left open by the bands of a party is distributed alike for few and for many owners."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.ownership.share_solver import distribute_by_comparing, distribute_by_sorting
from tests.support.sampling import examples

ERROR = 1e-12
fractions = st.floats(0, 1) | st.sampled_from((0.0, 0.25, 0.5, 1.0))


@given(data=st.data(), parties=st.integers(1, 4), owners=st.integers(1, 6), sets=st.integers(1, 3))
@examples(200)
def test_both_ways_give_the_same_sums(data: st.DataObject, parties: int, owners: int, sets: int) -> None:
    size = parties * owners * sets + parties * owners + parties
    drawn = np.array(data.draw(st.lists(fractions, min_size=size, max_size=size)))
    held, width, left = np.split(drawn, np.cumsum((parties * owners * sets, parties * owners)))
    arguments = held.reshape(parties, owners, sets), width.reshape(parties, owners), left[:, None]
    compared, sorted_ = distribute_by_comparing(*arguments), distribute_by_sorting(*arguments)
    np.testing.assert_allclose(compared, sorted_, atol=ERROR)
