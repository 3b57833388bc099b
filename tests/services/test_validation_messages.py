"""The sentences of refused fields: the API, forms and files of records share one table."""

from typing import Annotated, Any

import pytest
from pydantic import Field, ValidationError

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.services.records.record_validation import to_record_problems
from bonafide.web.validation_errors import to_api_error


class _Sample(Document):
    count: Annotated[int, Field(le=50)] = 1
    share: Annotated[float, Field(ge=0.7)] = 1.0
    name: Annotated[str, Field(max_length=5)] = ""
    words: Annotated[tuple[str, ...], Field(max_length=1)] = ()


def _refuse(model: type[Document], values: dict[str, Any]) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(values)
    return caught.value


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"count": "ten"}, FieldProblem("count", Message("must be a whole number"))),
        ({"count": 2.5}, FieldProblem("count", Message("must be a whole number"))),
        ({"count": "9" * 5000}, FieldProblem("count", Message("is too large"))),
        ({"count": 51}, FieldProblem("count", Message("must be at most 50"))),
        ({"share": 0.5}, FieldProblem("share", Message("must be at least 0.7"))),
        ({"name": "Bakery"}, FieldProblem("name", Message("must have at most 5 characters"))),
        ({"words": ["a", "b"]}, FieldProblem("words", Message("must have at most 1 item"))),
    ],
)
def test_an_error_has_the_same_sentence_for_requests_and_records(values: dict[str, Any], problem: FieldProblem) -> None:
    error = _refuse(_Sample, values)
    refusal = to_api_error(error, _Sample)
    assert isinstance(refusal, ValidationFailed)
    assert list(refusal.details) == to_record_problems(error) == [problem]


def test_a_record_has_sentences_for_addresses_and_instants() -> None:
    error = _refuse(BusinessUpsert, {"email": "x", "people": [{"name": "P", "email": "y"}], "expectedUpdatedAt": "z"})
    assert {problem.path: problem.message for problem in to_record_problems(error)} == {
        "email": "must be an email address",
        "people.0.email": "must be an email address",
        "expectedUpdatedAt": "must be a date and time in the format 2026-11-20T14:33:00.125Z",
    }
