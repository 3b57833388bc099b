"""Find the column of each field of a batch: by the mapping of the request, otherwise by its name."""

import re
from collections.abc import Mapping, Sequence

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.text.folding import fold
from bonafide.model.batches.batch import BatchKind, BatchMapping
from bonafide.model.batches.rows import FIELDS, REQUIRED, BatchInputRow
from bonafide.services.batches.row_files import RawRow

_SIGNS = re.compile(r"[\W_]+")
_NAMES: Mapping[str, tuple[str, ...]] = {
    "name": (
        "name", "legalname", "companyname", "company", "business", "businessname", "fullname", "entityname", "query",
        "nom", "nomlegal", "entreprise", "raisonsociale", "denominationsociale",
    ),
    "reference": ("reference", "ref", "externalid", "customerid", "clientid", "id", "numeroclient"),
    "entityType": ("entitytype", "type", "kind"),
    "countries": ("countries", "country", "nationality", "nationalities", "pays", "nationalite"),
    "dateOfBirth": ("dateofbirth", "birthdate", "dob", "born", "datedenaissance"),
    "jurisdiction": ("jurisdiction", "registeredin", "register", "juridiction", "registre"),
    "registrationNumber": (
        "registrationnumber", "registrationno", "corporationnumber", "companynumber", "businessnumber", "number",
        "numerodimmatriculation", "neq", "numero",
    ),
    "street": ("street", "address", "addressline1", "streetaddress", "adresse", "rue"),
    "unit": ("unit", "suite", "addressline2", "bureau", "unite"),
    "city": ("city", "town", "municipality", "ville", "municipalite"),
    "province": ("province", "state", "region", "provinceorstate"),
    "postalCode": ("postalcode", "postcode", "zip", "zipcode", "codepostal"),
    "country": ("country", "pays"),
    "people": ("people", "directors", "officers", "administrateurs", "dirigeants"),
}  # fmt: skip
"""The names of columns that a field is found by, the likeliest first: in lower case, without accents, spaces and signs."""


def resolve_mapping(kind: BatchKind, columns: Sequence[str], given: BatchMapping, *, is_complete: bool = False) -> BatchMapping:
    """The column of each field that the file has; of a complete mapping, no further column is looked for.

    Raises `ValidationFailed` for a column that the file lacks, for a field that the kind does not have, and for a required field
    without a column.
    """
    problems: list[FieldProblem] = []
    wanted = list_mapped(given)
    for field, name in wanted.items():
        if field not in FIELDS[kind]:
            problems.append(FieldProblem(f"mapping.{field}", Message("is not a field of this kind of batch")))
        elif name not in columns:
            problems.append(FieldProblem(f"mapping.{field}", Message("the file has no column “{column}”", column=name)))
    if not is_complete:
        wanted = _add_suggestions(kind, columns, wanted)
    missing = [field for field in REQUIRED[kind] if field not in wanted]
    problems += [
        FieldProblem(f"mapping.{field}", Message("is required: no column of the file has the name of this field"))
        for field in missing
    ]
    if problems:
        raise ValidationFailed.of_fields(problems)
    return BatchMapping.model_validate(wanted)


def suggest_mapping(kind: BatchKind, columns: Sequence[str]) -> BatchMapping:
    """The column of each field that is found by its name."""
    return BatchMapping.model_validate(_add_suggestions(kind, columns, {}))


def _add_suggestions(kind: BatchKind, columns: Sequence[str], wanted: Mapping[str, str]) -> dict[str, str]:
    mapped, taken = dict(wanted), set(wanted.values())
    for field in FIELDS[kind]:
        found = _find_column(field, columns, taken) if field not in mapped else None
        if found is not None:
            mapped[field] = found
            taken.add(found)
    return mapped


def _find_column(field: str, columns: Sequence[str], taken: set[str]) -> str | None:
    by_name = {_SIGNS.sub("", fold(column)).lower(): column for column in reversed(columns) if column and column not in taken}
    return next((by_name[name] for name in _NAMES[field] if name in by_name), None)


def list_mapped(mapping: BatchMapping) -> dict[str, str]:
    """The columns of a mapping, by field."""
    return {field: column for field, column in mapping.model_dump(by_alias=True).items() if column is not None}


def map_row(number: int, raw: RawRow, mapped: Mapping[str, str]) -> BatchInputRow:
    """A row with the values of its fields; empty ones are left out. A cell that can't be read matters only if it is of a field."""
    values = {field: raw.values[column] for field, column in mapped.items() if raw.values.get(column)}
    problem = raw.problem
    if problem is None and raw.cell_problems:
        problem = next((raw.cell_problems[column] for column in mapped.values() if column in raw.cell_problems), None)
    return BatchInputRow(number, raw.line, values, problem)
