"""The page of how scores are made (`docs/reference/scoring.md`): run this module to write it to standard output.

It adds nothing to what the features' docstrings say; the numbers are those of `features`.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from inspect import getdoc

from bonafide.matching import best_name, entry_names, features, name_features, person_names, rarity

INTRODUCTION = """# Scoring

Written from the code (`make docs`); do not edit. A score is 1 when two names are equal after normalisation, 0.95 and more when a
careful reader would call them the same, and below 0.7 when it is another name. Factors are multiplied with each other; caps limit
the product. Every comparison says in words what each feature found; `bonafide compare A B` shows it.

## The breakdown

The field `legalName` in `match.fields` carries `breakdown`: what a program needs to follow a score. `matched` are the words of the
two names that stand for each other, with the kind of difference (`equal`, `slip`, `plural`, `shortened`, `initial`, `equivalent`,
`translated`, `joined`, `near number`, `nickname`), how alike they are and how much they count; `missing` and `added` are the words
that only the submitted and only the found name has; `factors` and `caps` are the steps from there to the score. Words are shown in
normal form, weights are those of the day: a stored document explains its score without the registers that it was measured on.

## What words weigh

The table of the numbers below says what a word weighs by its class (`matching/words.yml`).
"""
PARTS: Mapping[str, tuple[Callable[..., object], ...]] = {
    "Measured on the loaded registers": (rarity.Rarity,),
    "Names inside a name": (entry_names.read_name, best_name.best_match),
    "Business names: factors": name_features.FACTORS,
    "Business names: caps": name_features.CAPS,
    "Names of people: factors": person_names.FACTORS,
    "Names of people: caps": person_names.CAPS,
}


def page() -> str:
    """The whole page, in Markdown."""
    parts = [INTRODUCTION]
    for heading, functions in PARTS.items():
        parts.append(f"## {heading}\n")
        parts += [f"### `{function.__name__}`\n\n{getdoc(function)}\n" for function in functions]
    parts.append("## The numbers\n\n| Name | Value |\n|---|---|")
    return "\n".join([*parts, *(f"| `{name}` | {value} |" for name, value in _numbers()), ""])


def _numbers() -> Iterator[tuple[str, str]]:
    for name, value in vars(features).items():
        if not name.isupper():
            continue
        if isinstance(value, Mapping):
            yield name, ", ".join(f"{key} {number:g}" for key, number in value.items())
        else:
            yield name, str(value)


if __name__ == "__main__":
    sys.stdout.write(page())
