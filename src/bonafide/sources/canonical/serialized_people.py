"""Serialize the people of canonical rows, as `entries.build_entry` and pydantic do."""

from collections.abc import Sequence
from itertools import chain, islice, repeat

from bonafide.sources.canonical.entries import DIRECTOR, CanonicalRegister, normalize_word
from bonafide.sources.canonical.text_columns import ParsedValues, TextColumns, escape_all, quote

_BRACKETS = frozenset("[]")


class PeopleSerializer:
    """Serializes the people of the rows of one register. The texts of roles repeat, so that each is written once."""

    def __init__(self, register: CanonicalRegister) -> None:
        self._register = register
        self._roles = ParsedValues(self._serialize_roles)

    def serialize(self, columns: TextColumns) -> list[str]:
        """The people of each row as a member of a JSON object, preceded by a comma; nothing for a row without any."""
        if not columns.has("directors") and columns.has("people"):
            found = self._serialize_column(columns.get("people"))
            if found is not None:
                return found
        found = [""] * columns.count
        for row, (directors, people) in enumerate(zip(columns.get("directors"), columns.get("people"), strict=True)):
            try:
                found[row] = self._serialize_row(directors, people) if directors or people else ""
            except ValueError:
                columns.unusual.add(row)
        return found

    def _serialize_column(self, texts: Sequence[str]) -> list[str] | None:
        """The same for the column of people alone; None if any row has a person twice, or unusual brackets or roles."""
        lists = [text.split(self._register.mapping.list_separator) for text in texts]
        items = [item.strip() for item in chain.from_iterable(lists)]
        parted = [item.partition("[") for item in items]
        names = [name.rstrip() for name, _, _ in parted]
        words = [text[:-1] for _, _, text in parted]
        bracketed = [bracket != "" for _, bracket, _ in parted]
        closed = [item.endswith("]") for item in items]
        joined = "".join(texts)
        if bracketed != closed or not sum(closed) == joined.count("[") == joined.count("]"):
            return None
        unusual: set[int] = set()
        roles = self._roles.find_all(words, unusual)
        if unusual or any(name == "" != item for name, item in zip(names, items, strict=True)):
            return None
        rows = chain.from_iterable(map(repeat, range(len(lists)), map(len, lists)))
        pairs = [(row, name) for row, name in zip(rows, names, strict=True) if name]
        if len(set(pairs)) < len(pairs):
            return None
        written = zip(escape_all(names), roles, strict=True)
        persons = iter([f'{{"name":"{name}"{text or ""}}}' if name else "" for name, text in written])
        rows_of_persons = [list(islice(persons, len(own))) for own in lists]
        return [f',"people":[{",".join(filter(None, own))}]' if any(own) else "" for own in rows_of_persons]

    def _serialize_row(self, directors: str, people: str) -> str:
        """Raises `ValueError` for a row that has to be read by itself."""
        separator = self._register.mapping.list_separator
        roles: dict[str, str] = {}
        for item in directors.split(separator):
            name = item.strip()
            if not _BRACKETS.isdisjoint(name):
                raise ValueError
            if name:
                roles[name] = f"{roles[name]},{DIRECTOR}" if name in roles else DIRECTOR
        for item in people.split(separator):
            text = item.strip()
            if text:
                name, words = _split_person(text)
                roles[name] = f"{roles[name]},{words}" if name in roles else words
        persons = []
        for name, words in roles.items():
            written = self._roles.find(words) if words else ""
            if written is None:
                raise ValueError
            persons.append(f'{{"name":{quote(name)}{written}}}')
        return f',"people":[{",".join(persons)}]' if persons else ""

    def _serialize_roles(self, text: str) -> str:
        """The roles in a text with commas as members of a JSON object. Raises `ValueError` for an unknown word."""
        words = list(dict.fromkeys(word for part in text.split(",") if (word := part.strip())))
        if not words:
            return ""
        known = self._register.roles
        details = []
        for word in words:
            category = known.get(normalize_word(word))
            if category is None:
                raise ValueError
            details.append(f'{{"category":{quote(category)},"label":{quote(word)}}}')
        return f',"roles":[{",".join(map(quote, words))}],"role_details":[{",".join(details)}]'


def _split_person(text: str) -> Sequence[str]:
    """Name and roles of `Name [Role, Role]`. Raises `ValueError` for other brackets."""
    if text[-1] != "]":
        if not _BRACKETS.isdisjoint(text):
            raise ValueError
        return text, ""
    name, bracket, words = text[:-1].partition("[")
    name = name.rstrip()
    if bracket == "" or name == "" or "]" in name or not _BRACKETS.isdisjoint(words):
        raise ValueError
    return name, words
