"""The words that documents print by themselves, in one language: what stands in the files of labels, by dotted keys."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from bonafide.model.language import Language
from bonafide.package_data import read_yaml

FILES = ("labels.yml", "labels_search.yml", "labels_verification.yml")


@cache
def load_labels(language: Language) -> str:
    """Every label in the language as a JSON object, by its key: `tile.match`."""
    # Read once in a process, and flat: a template that read the files itself would do so for each document.
    read = [read_yaml(__package__, "templates", name) for name in FILES]
    words = {key: words for group in read for key, words in _flatten(group, "", language)}
    return json.dumps(words, ensure_ascii=False)


def _flatten(group: Mapping[str, Any], path: str, language: Language) -> Iterator[tuple[str, str]]:
    for key, value in group.items():
        if language.value in value:
            yield f"{path}{key}", value[language.value]
        else:
            yield from _flatten(value, f"{path}{key}.", language)
