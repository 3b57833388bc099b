"""Write the reference page of the scoring (`docs/reference/scoring.md`) to standard output.

The text comes from the docstrings of the features, the numbers from their tables and from the modules of parameters.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import getdoc
from types import ModuleType
from typing import Any

from bonafide.matching.names import best_name_match, entry_names
from bonafide.matching.names.business_name_comparison import BUSINESS_NAME_FEATURES
from bonafide.matching.people.person_name_comparison import PERSON_NAME_FEATURES
from bonafide.matching.scoring import score_parameters, screening_parameters, word_rarity
from bonafide.matching.scoring.feature_table import Factor, FeatureTable
from bonafide.matching.screening import party_evidence
from bonafide.matching.screening.listed_name_comparison import LISTED_NAME_FEATURES
from bonafide.matching.text.tables import read_table

INTRODUCTION = """# Scoring

Generated from the code (`make docs`); do not edit. A score is 1 if two names are equal after normalisation, at least 0.95 if a
careful reader would call them the same, and below 0.7 if they are different names. Factors are multiplied; caps limit the product.
Every comparison explains the finding of each feature; `bonafide compare A B` shows them. Each kind of names has one table of
features. A feature of two tables is described once. In screening, evidence in addition to the name is applied afterwards.

## The breakdown

The field `legalName` in `match.fields` has a `breakdown`, from which a program can reproduce the score. `matched` are the paired
words of the two names, with the kind of difference (`equal`, `slip`, `plural`, `shortened`, `initial`, `equivalent`, `translated`,
`joined`, `near number`, `nickname`, `sound`, `acronym`, `official name`, `cut off`), their similarity and their weight; `missing`
and `added` are the words that only the submitted or only the found name has; `factors` and `caps` are the steps from there to the
score. Every word of both names is there once, in normal form. Words that are not compared with weights, such as legal forms,
articles, titles and degrees, have the weight 0. Weights are those at the time of the search, so that a stored document explains its
score independently of the loaded registers.

## Weights of words

The table of numbers below has the weight of each class of words (`matching/data/words.yml`).
"""
PARTS: Mapping[str, tuple[Callable[..., object], ...]] = {
    "Measured on the loaded registers": (word_rarity.WordRarity,),
    "Parts of names": (entry_names.parse_name, best_name_match.find_best_match),
}
TABLES: Mapping[str, FeatureTable[Any]] = {
    "Business names": BUSINESS_NAME_FEATURES,
    "Names of people": PERSON_NAME_FEATURES,
    "Screening, names of organizations and ships": LISTED_NAME_FEATURES,
}
EVIDENCE: Mapping[str, tuple[Callable[..., object], ...]] = {
    "Screening: evidence in addition to the name": (
        party_evidence.compare_identifiers,
        party_evidence.compare_dates_of_birth,
        party_evidence.compare_countries,
        party_evidence.compare_entity_types,
    ),
}
CALIBRATION = """## Calibration

![{alternative}](../images/calibration.svg)

The share of true matches among pairs of names with a score in the band, and the number of pairs. The pairs come from sources that
no number is fitted on; same and different parties have the same weight. A band has another share among other pairs: the rarer
true matches are among the compared names, the lower. `bonafide bench match --real-data FOLDER --write-calibration` measures it.
"""
MODULES = {"The numbers": score_parameters, "The numbers of screening": screening_parameters}


def render_page() -> str:
    """The whole page, in Markdown."""
    parts = [INTRODUCTION, *_render_functions(PARTS)]
    described: set[str] = set()
    for heading, table in TABLES.items():
        parts += [f"## {heading}\n\n| Feature | Kind | Numbers |\n|---|---|---|", *_list_rows(table), ""]
        new = [row for row in table.rows.values() if row.name not in described]
        described.update(row.name for row in new)
        parts += [f"### `{row.name}`\n\n{getdoc(row.function)}\n" for row in new]
    parts += _render_functions(EVIDENCE)
    calibration = read_table("calibration")
    parts += [CALIBRATION.format(alternative=calibration["alternative"]), *render_bands(calibration["kinds"]), ""]
    for heading, module in MODULES.items():
        parts += [f"## {heading}\n\n| Name | Value |\n|---|---|"]
        parts += [*(f"| `{name}` | {value} |" for name, value in _list_numbers(module)), ""]
    return "\n".join(parts)


def render_bands(kinds: Mapping[str, Sequence[Mapping[str, float]]]) -> Iterator[str]:
    """The lines of a table with the measured share of true matches in each band, for each kind of name."""
    bands = next(iter(kinds.values()))
    yield f"| Kind | {' | '.join(_format_band(band) for band in bands)} |"
    yield f"|---|{'---|' * len(bands)}"
    for kind, rows in kinds.items():
        shares = (f"{row['share']:.0%} ({row['pairs']:,})" if row["pairs"] else "–" for row in rows)
        yield f"| {kind} | {' | '.join(shares)} |"


def _format_band(band: Mapping[str, float]) -> str:
    return f"{band['low']:.2f} to {band['high']:.2f}" if band["high"] < 1 else f"{band['low']:.2f} and more"


def _render_functions(parts: Mapping[str, tuple[Callable[..., object], ...]]) -> Iterator[str]:
    for heading, functions in parts.items():
        yield f"## {heading}\n"
        yield from (f"### `{function.__name__}`\n\n{getdoc(function)}\n" for function in functions)


def _list_rows(table: FeatureTable[Any]) -> Iterator[str]:
    for row in table.rows.values():
        kind = "factor" if isinstance(row, Factor) else "cap"
        numbers = ", ".join(f"`{name}` {number:g}" for name, number in row.numbers.items())
        yield f"| `{row.name}` | {kind} | {numbers} |"


def _list_numbers(module: ModuleType) -> Iterator[tuple[str, str]]:
    for name, value in vars(module).items():
        if not name.isupper():
            continue
        if isinstance(value, Mapping):
            yield name, ", ".join(f"{key} {number:g}" for key, number in value.items())
        else:
            yield name, str(value)


if __name__ == "__main__":
    sys.stdout.write(render_page())
