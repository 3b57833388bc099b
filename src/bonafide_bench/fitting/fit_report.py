"""The report of a fit in Markdown: seed, sizes, loss before and after by kind, and the changed numbers."""

from collections.abc import Iterator

from bonafide_bench.fitting.fit import FitResult
from bonafide_bench.fitting.loss import LEAST_GAIN, LOWEST, MIDPOINT, PENALTY, SLOPE

_HEADING = "# Fit of the scoring\n"
_METHOD = """Written by `bonafide bench fit --write`; do not edit. The fit is a coordinate descent over {numbers} numbers with seed
{seed} on {pairs:,} training pairs. Each number has one or two decimals, or three near 1. A cap stays in its band, and the
order of numbers that their meaning demands is kept. [Benchmarks](../howto/benchmarks.md#fit-the-numbers) explains how to repeat it.

The loss is the logistic loss of the score around {midpoint:g} with slope {slope:g}, where lower scores than {lowest:g} count as
{lowest:g}. Each set and label has the same weight. Moving a number by the width of its range costs {penalty:g}; a change that
gains less than {least:g} stays out.
"""


def render_report(result: FitResult) -> str:
    """The whole report."""
    return "\n".join(_render_lines(result))


def _render_lines(result: FitResult) -> Iterator[str]:
    yield _HEADING
    yield _METHOD.format(
        numbers=result.fitted, seed=result.seed, pairs=sum(result.sizes.values()),
        midpoint=MIDPOINT, slope=SLOPE, lowest=LOWEST, penalty=PENALTY, least=LEAST_GAIN,
    )  # fmt: skip
    yield "## Training pairs\n\n| Set | Pairs |\n|---|---|"
    yield from (f"| {key} | {count:,} |" for key, count in result.sizes.items())
    yield "\n## Loss\n\n| Kind | Before | After |\n|---|---|---|"
    yield from (f"| {kind} | {result.before[kind]:.4f} | {result.after[kind]:.4f} |" for kind in result.before)
    yield "\n## Changed numbers\n\n| Number | Before | After |\n|---|---|---|"
    yield from (f"| `{change.key}` | {change.before:g} | {change.after:g} |" for change in result.changes)
    if not result.changes:
        yield "| none | | |"
    yield ""
