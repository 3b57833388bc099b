"""What this service words is there in French; what others have said stays as they said it."""

import pytest

from bonafide.matching.identifiers.number_formats import NUMBER_FORMATS
from bonafide.i18n.language import Language
from bonafide.services.messages.translation import translate_document, translate_to_french
from bonafide.services.reports.printed_profile import STATED_STANDING, UNKNOWN_STANDING
from bonafide.sources.framework.discovery import Source, discover_sources
from bonafide_bench.datasets.sample_search import create_sample_search


@pytest.mark.parametrize("source", discover_sources().values(), ids=lambda source: source.key)
@pytest.mark.parametrize("field", ["gaps", "good_standing_rule", "access_note"])
def test_what_a_source_says_of_itself_is_there_in_french(source: Source, field: str) -> None:
    text = getattr(source.metadata, field)
    if text is not None:
        assert translate_to_french(text) != text
        assert translate_to_french(f"{text.rstrip('. ')}. A person can look here: {source.metadata.page}").startswith(
            translate_to_french(text).rstrip(".")
        )


@pytest.mark.parametrize("form", NUMBER_FORMATS.values(), ids=lambda form: form.type)
def test_every_kind_of_number_has_a_french_name(form: object) -> None:
    title = form.title  # type: ignore[attr-defined]
    assert translate_to_french(title) != title


@pytest.mark.parametrize("text", [UNKNOWN_STANDING, STATED_STANDING])
def test_standing_is_worded_in_french(text: str) -> None:
    assert translate_to_french(text) != text


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("former name: same name", "nom antérieur : même nom"),
        ("street: street number 1 instead of 2; city: Laval instead of Lévis",
         "voie : numéro de voie 1 au lieu de 2; ville : Laval au lieu de Lévis"),
        ("'a' read as 'b' (2 letters)", "'a' lu comme 'b' (2 lettres)"),
        ("listed alias: words in another order", "alias inscrit : mots dans un autre ordre"),
        ("Corporations Canada did not answer within 10 s (and 13 more)",
         "Corporations Canada n’a pas répondu en 10 s (et 13 autre(s))"),
        ("the same number (an Ontario Corporation Number): the business is certain whatever its name",
         "le même numéro (numéro de société de l’Ontario) : l’entreprise est certaine quel que soit son nom"),
    ],
)  # fmt: skip
def test_sentences_are_put_together_from_their_parts(english: str, french: str) -> None:
    assert translate_to_french(english).replace("\u00a0", " ") == french


def test_what_nobody_here_has_worded_stays() -> None:
    assert translate_to_french("HTTP 418: I'm a teapot") == "HTTP 418: I'm a teapot"


def test_only_sentences_of_this_service_are_translated() -> None:
    result = create_sample_search(1)
    assert result.sanctions is not None
    french = translate_document(result, Language.FRENCH)
    assert french.sanctions is not None
    assert french.businesses is not None
    assert french.businesses[0].legal_name == result.businesses[0].legal_name  # type: ignore[index]
    assert french.businesses[0].match.fields[2].reason == "aucune adresse n’était donnée"
    assert french.sanctions.matches[1].dismissed == result.sanctions.matches[1].dismissed
    assert translate_document(result, Language.ENGLISH) is result
