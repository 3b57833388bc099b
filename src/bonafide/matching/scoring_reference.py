"""Write the reference page of the scoring (`docs/reference/scoring.md`) to standard output.

It adds nothing to what the features' docstrings say; the numbers are those of `score_parameters`.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from inspect import getdoc
from types import ModuleType

from bonafide.matching.names import best_name_match, entry_names, name_features
from bonafide.matching.people import person_name_features
from bonafide.matching.scoring import score_parameters, screening_parameters, word_rarity
from bonafide.matching.screening import listed_name_features, party_evidence

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
    "Measured on the loaded registers": (word_rarity.WordRarity,),
    "Names inside a name": (entry_names.parse_name, best_name_match.find_best_match),
    "Business names: factors": name_features.FACTORS,
    "Business names: caps": name_features.CAPS,
    "Names of people: factors": person_name_features.FACTORS,
    "Names of people: caps": person_name_features.CAPS,
    "Screening, names of organizations and ships: factors": listed_name_features.FACTORS,
    "Screening, names of organizations and ships: caps": listed_name_features.CAPS,
    "Screening: evidence beside the name": (
        party_evidence.compare_identifiers,
        party_evidence.compare_dates_of_birth,
        party_evidence.compare_countries,
        party_evidence.compare_entity_types,
    ),
}


def render_page() -> str:
    """The whole page, in Markdown."""
    parts, told = [INTRODUCTION], set()
    for heading, functions in PARTS.items():
        # What screening shares with the comparison of businesses is said once.
        own = [function for function in functions if function not in told]
        told.update(own)
        parts.append(f"## {heading}\n")
        parts += [f"### `{function.__name__}`\n\n{getdoc(function)}\n" for function in own]
    for heading, module in {"The numbers": score_parameters, "The numbers of screening": screening_parameters}.items():
        parts.append(f"## {heading}\n\n| Name | Value |\n|---|---|")
        parts += [*(f"| `{name}` | {value} |" for name, value in _list_numbers(module)), ""]
    return "\n".join(parts)


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
