"""The page of how scores are made (`docs/reference/scoring.md`): run this module to write it to standard output.

It adds nothing to what the features' docstrings say; the numbers are those of `features`.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from inspect import getdoc
from types import ModuleType

from bonafide.matching import (
    best_name,
    entry_names,
    features,
    name_features,
    person_names,
    rarity,
    screening_evidence,
    screening_features,
    screening_weights,
)

INTRODUCTION = """# Scoring

Written from the code (`make docs`); do not edit. A score is 1 when two names are equal after normalisation, 0.95 and more when a
careful reader would call them the same, and below 0.7 when it is another name. Factors are multiplied with each other; caps limit
the product. Every comparison says in words what each feature found; `bonafide compare A B` shows it. For screening the
features of businesses hold as well where they are named again; what stands beside the names is added afterwards.

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
    "Screening, names of organizations and ships: factors": screening_features.FACTORS,
    "Screening, names of organizations and ships: caps": screening_features.CAPS,
    "Screening: evidence beside the name": (
        screening_evidence.number_evidence,
        screening_evidence.birth_evidence,
        screening_evidence.country_evidence,
        screening_evidence.type_evidence,
    ),
}


def page() -> str:
    """The whole page, in Markdown."""
    parts, told = [INTRODUCTION], set()
    for heading, functions in PARTS.items():
        # What screening shares with the comparison of businesses is said once.
        own = [function for function in functions if function not in told]
        told.update(own)
        parts.append(f"## {heading}\n")
        parts += [f"### `{function.__name__}`\n\n{getdoc(function)}\n" for function in own]
    for heading, module in {"The numbers": features, "The numbers of screening": screening_weights}.items():
        parts.append(f"## {heading}\n\n| Name | Value |\n|---|---|")
        parts += [*(f"| `{name}` | {value} |" for name, value in _numbers(module)), ""]
    return "\n".join(parts)


def _numbers(module: ModuleType) -> Iterator[tuple[str, str]]:
    for name, value in vars(module).items():
        if not name.isupper():
            continue
        if isinstance(value, Mapping):
            yield name, ", ".join(f"{key} {number:g}" for key, number in value.items())
        else:
            yield name, str(value)


if __name__ == "__main__":
    sys.stdout.write(page())
