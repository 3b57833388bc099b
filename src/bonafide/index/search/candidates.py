"""Collect the names of a segment that are most similar to a planned query, within fixed budgets.

All names with a rare word are scored. The remaining candidates contain only frequent words of the query. They are searched in order
of likelihood, starting with names that match all slots; their scores tighten the bounds, which usually excludes the rest.

Named budgets limit the work for any query. Posting lists start with the lightest name, which scores best among equal matches, so a
budget cuts off the least similar names. Names excluded by a filter do not count.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from bonafide.index.format.jagged_arrays import Flags, count_unique, sort_unique
from bonafide.index.format.postings import NameIds, NamePostings, NameTable
from bonafide.index.search.bitsets import Bitset, intersect_at_least, intersect_bitsets, iterate_members
from bonafide.index.search.query_plan import QueryPlan
from bonafide.index.search.score_bounds import ScoreBounds
from bonafide.index.search.scoring import ScoreAccumulator, TopK

RARE_BUDGET = 6_000
"""The maximum number of entries of posting lists that are read completely, rarest words first."""
COMPARED_BUDGET = 250_000
"""The maximum number of entries of frequent words' posting lists that are merged to find names with several of the words."""
SCANNED_BUDGET = 20_000
"""The maximum number of scored names with several frequent words; those with the most words are chosen."""
LIGHTEST_BUDGET = 2_000
"""The maximum number of scored names with given frequent words; the lightest are chosen."""
EXAMINED_BUDGET = 300_000
"""The maximum number of names with given frequent words to which the filter is applied."""
_PRUNE_FROM = 500
"""The number of names up to which pruning by score bounds does not pay off."""
_NO_NAMES: NameIds = np.zeros(0, np.uint32)


class CandidateCollector:
    """One search for one plan. Results are collected in the `TopK`."""

    def __init__(self, plan: QueryPlan, postings: NamePostings, names: NameTable, leaders: TopK) -> None:
        self._plan = plan
        self._postings = postings
        self._names = names
        self._leaders = leaders
        order = np.argsort(plan.frequencies, kind="stable")
        rare = int(np.cumsum(plan.frequencies[order]).searchsorted(RARE_BUDGET, "right"))
        self._rare: list[int] = order[:rare].tolist()
        self._frequent: list[int] = order[rare:].tolist()
        self._bounds = ScoreBounds(plan, self._frequent, names, leaders)

    def run(self, *, frequent: bool) -> None:
        """Find the names; `frequent` includes those that contain only frequent words."""
        if self._rare:
            self._score(
                ScoreAccumulator.from_columns(self._plan, self._rare, list(map(self._holders, self._rare))), self._leaders.threshold
            )
        if frequent and self._frequent and self._bounds.is_reachable(self._frequent):
            listed = [column for column in self._frequent if self._bits(column) is None]
            self._with_words_of_all_slots()
            self._with_listed_words(listed)
            self._with_most_frequent_words(self._frequent[len(listed) :])

    def _score(self, tally: ScoreAccumulator, threshold: float) -> None:
        """Score the names that can reach the threshold, from the accumulated weights and all frequent words."""
        if self._frequent and len(tally) > _PRUNE_FROM:
            # The scores so far may exclude some of the names.
            self._leaders.add(tally.names, tally.scores(self._names))
            tally = tally.select_reaching(max(threshold, self._leaders.threshold), self._frequent, self._names)
        for column in self._frequent:
            tally.add(column, self._held(column, tally.names))
        self._leaders.add(tally.names, tally.scores(self._names))

    def _score_frequent(self, found: NameIds) -> None:
        """Score names, in ascending order, by frequent words only; names with a rare word are already scored."""
        if len(found) > 0:
            self._score(ScoreAccumulator.empty(self._plan, found), self._bounds.threshold)

    # ------------------------------------------------------------------------------------------------- names with given words

    def _holders(self, column: int) -> NameIds:
        return self._postings.find_by_token(int(self._plan.tokens[column]))

    def _holders_within(self, column: int, columns: Sequence[int]) -> NameIds:
        """The names with the word of a column that can reach the threshold with words of these columns only."""
        start, stop = self._bounds.window(columns)
        holders = self._holders(column)
        first, last = holders.searchsorted(np.array([start, stop], np.uint32)).tolist()
        return holders[first:last]

    def _held(self, column: int, names: NameIds) -> Flags:
        return self._postings.has_token(int(self._plan.tokens[column]), names)

    def _bits(self, column: int) -> Bitset | None:
        return self._postings.bits.get(int(self._plan.tokens[column]))

    def _lightest(self, pieces: Iterable[NameIds]) -> NameIds:
        """The lightest admitted names from pieces in ascending order."""
        admitted: list[NameIds] = [_NO_NAMES]
        count = 0
        for names in pieces:
            admitted.append(self._leaders.admit(names))
            count += len(admitted[-1])
            if count >= LIGHTEST_BUDGET:
                break
        return np.concatenate(admitted)[:LIGHTEST_BUDGET]

    # ------------------------------------------------------------------------------------------------- by frequent words only

    def _with_words_of_all_slots(self) -> None:
        """Score the lightest names with a frequent word of every slot that has one."""
        columns = self._plan.select_best_per_slot(self._frequent)
        rows = [row for row in map(self._bits, columns) if row is not None]
        if len(rows) == len(columns):
            window = self._bounds.window(columns)
            self._score_frequent(self._lightest(iterate_members(intersect_bitsets(rows, window), window, EXAMINED_BUDGET)))
        else:
            found = self._holders_within(columns[0], columns)
            for column in columns[1:]:
                found = found[self._held(column, found)]
            self._score_frequent(self._lightest([found]))

    def _with_listed_words(self, columns: Sequence[int]) -> None:
        """Score names whose frequent words have posting lists only: those with several, and the lightest with one."""
        rests = [self._frequent[place:] for place in range(len(columns))]
        slices = [self._holders_within(rest[0], rest) for rest in rests if self._bounds.is_reachable(rest)]
        lengths = accumulate(map(len, slices))
        slices = [names for names, before in zip(slices, (0, *lengths), strict=False) if before < COMPARED_BUDGET]
        if slices:
            alone = [
                self._lightest([self._holders_within(column, [column])])
                for column in columns
                if self._bounds.is_reachable([column])
            ]
            self._score_frequent(sort_unique(np.concatenate([self._with_several(slices, self._frequent[len(columns) :]), *alone])))

    def _with_several(self, slices: Sequence[NameIds], columns: Sequence[int]) -> NameIds:
        """Admitted names in several of these lists, or in one of them and with a word of these columns."""
        found, counts = count_unique(np.concatenate(slices))
        for column in columns:
            counts += self._held(column, found)
        several = counts >= max(2, self._bounds.compute_min_words(self._frequent))
        most_first = np.argsort(-counts[several], kind="stable")
        return self._leaders.admit(found[several][most_first])[:SCANNED_BUDGET]

    def _with_most_frequent_words(self, columns: Sequence[int]) -> None:
        """Score names whose words all have bitsets: those with all words, then with fewer while they can reach the threshold."""
        if not columns or not self._bounds.is_reachable(columns):
            return
        window = self._bounds.window(columns)
        reached = intersect_at_least([row for row in map(self._bits, columns) if row is not None], window)
        for count in range(len(reached), 0, -1):
            if count < self._bounds.compute_min_words(columns):
                break
            self._score_frequent(self._lightest(iterate_members(reached[count - 1], window, EXAMINED_BUDGET)))
