"""The analyst summary: what it says in each case, and that for any case it says nothing that no field says."""

import ast
import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.i18n.catalog import translate_template
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, context_message, plural_message
from bonafide.matching.scoring.score_parameters import truncate_score
from bonafide.matching.summary import summarizer as summary_module
from bonafide.matching.summary.paraphrase_check import check_paraphrase
from bonafide.matching.summary.summarizer import Summary, summarise
from bonafide.matching.summary.summary_context import PHRASES
from bonafide.matching.verification.claim_comparison import build_thresholds
from bonafide.model.accounts.account_settings import NameCheck, OptionalCheck, VerificationSettings
from bonafide.model.entity import Address, NameHistoryItem, Part, Person, RegistrationNumber, StatusCode
from bonafide.model.loading import Route
from bonafide.model.query import AddressInput
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import ClaimedPerson, Results, Subject, VerificationMeta, VerifyResponse
from tests.support.matching.summaries import RETRIEVED, findings_of, report_of, subject_of, summary_of
from tests.support.sampling import examples

FRENCH = Language.FRENCH
NO_PEOPLE = tuple(part for part in Part if part is not Part.PEOPLE)


def sentences(summary: Summary) -> dict[str, str]:
    """The last sentence on each field."""
    return {sentence.field: sentence.text for sentence in summary.sentences}


def texts(summary: Summary) -> list[str]:
    return [sentence.text for sentence in summary.sentences]


# ------------------------------------------------------------------------------------------------------------ cases


def test_a_verification_in_which_everything_matches_is_told_in_full() -> None:
    assert summary_of(subject_of(), report_of()).text == (
        "The request concerns “Cod & Capelin Ltd.”, registration number “77001”, "
        "in the business register of Newfoundland and Labrador. "
        "The request states the address “12 Harbour Road, St. John's, NL, A1C 5M2”. "
        "The request names “Ines Whitbourne” (as “Director”). "
        "Everything that could be compared matches. "
        "According to the business register of Newfoundland and Labrador, the legal name of the business is “Cod & Capelin Ltd.”. "
        "The register states the status “In force”, which means that the business is active. "
        "The business was formed on March 1, 2011. "
        "The business is in good standing. "
        "The register was queried directly on November 20, 2026 at 14:33 UTC; its data is as of November 1, 2026. "
        "The legal name matches. "
        "The registration number matches. "
        "The address matches in every part that could be compared. "
        "The register confirms “Ines Whitbourne” (as “Director”). "
        "No further steps are required."
    )


def test_the_same_in_french() -> None:
    assert summary_of(subject_of(), report_of(), FRENCH).text.replace("\u00a0", "~") == (
        "La demande concerne «~Cod & Capelin Ltd.~», numéro d’immatriculation «~77001~», "
        "dans le registre des entreprises de Terre-Neuve-et-Labrador. "
        "La demande indique l’adresse «~12 Harbour Road, St. John's, NL, A1C 5M2~». "
        "La demande nomme «~Ines Whitbourne~» (en tant que «~Director~»). "
        "Tout ce qui a pu être comparé concorde. "
        "Selon le registre des entreprises de Terre-Neuve-et-Labrador, "
        "la dénomination sociale de l’entreprise est «~Cod & Capelin Ltd.~». "
        "Le registre indique l’état «~In force~», ce qui signifie que l’entreprise est active. "
        "L’entreprise a été constituée le 1er mars 2011. "
        "L’entreprise est en règle. "
        "Le registre a été consulté directement le 20 novembre 2026 à 14~h~33 UTC; ses données sont à jour au 1er novembre 2026. "
        "La dénomination sociale concorde. "
        "Le numéro d’immatriculation concorde. "
        "L’adresse concorde dans tous les éléments qui ont pu être comparés. "
        "Le registre confirme «~Ines Whitbourne~» (en tant que «~Director~»). "
        "Aucune autre démarche n’est nécessaire."
    )


def test_another_name_is_a_serious_difference() -> None:
    told = texts(summary_of(subject_of(legal_name="Herring Holdings Ltd."), report_of()))
    assert "The comparison found 1 discrepancy." in told
    assert any(
        text.startswith("The legal name differs: the request states “Herring Holdings Ltd.”, the register “Cod") for text in told
    )
    assert "This is a serious difference: these are two different names." in told
    assert told[-1] == "Ask the business for a document that shows its legal name."


def test_a_slip_in_the_name_is_a_small_difference() -> None:
    strict = VerificationSettings(legal_name=NameCheck(threshold=1.0))
    told = texts(summary_of(subject_of(legal_name="Cod & Capelyn Ltd."), report_of(), settings=strict))
    assert "This difference is minor, such as a typo or another spelling." in told
    assert told[-1] == "Confirm the spelling of the name with the business."


def test_a_former_name_is_told_as_one_with_its_last_day() -> None:
    history = (NameHistoryItem(type="former", name="Capelin Traders Ltd.", end_date=date(2019, 6, 30)),)
    told = texts(summary_of(subject_of(legal_name="Capelin Traders Limited"), report_of(history=history)))
    assert (
        "The request states “Capelin Traders Limited”, a former name that was used until June 30, 2019; "
        "the legal name is now “Cod & Capelin Ltd.”." in told
    )
    assert told[-1] == "Use the current legal name from now on."


def test_another_spelling_of_number_and_name_is_shown_though_it_matches() -> None:
    told = texts(summary_of(subject_of(legal_name="COD AND CAPELIN LIMITED", registration_number="NL-77001"), report_of()))
    assert "The legal name matches; the register spells it “Cod & Capelin Ltd.”." in told
    assert "The registration number matches; the register writes it “77001”." in told


def test_another_number_is_another_registration() -> None:
    told = texts(summary_of(subject_of(registration_number="88112"), report_of()))
    assert "The registration number differs: the request states “88112”, the register “77001”." in told
    assert "This is a serious difference: a different number is a different registration." in told


@pytest.mark.parametrize(
    ("change", "weight"),
    [
        ({"postal_code": "A1A 1A1"}, "This difference is minor, a detail of the same place."),
        ({"street": "99 Duckworth Street"}, "This difference is considerable: it is a different street address."),
        ({"city": "Gander"}, "This is a serious difference: it is a different place."),
    ],
)
def test_what_differs_in_an_address_decides_how_much_it_matters(change: dict[str, str], weight: str) -> None:
    given = {"street": "12 Harbour Road", "city": "St. John's", "province": "NL", "postal_code": "A1C 5M2"}
    summary = summary_of(subject_of(address=AddressInput(**{**given, **change})), report_of())
    told = texts(summary)
    (name,) = change
    field = f"results.fields.address.fields.{'postalCode' if name == 'postal_code' else name}"
    assert weight in told
    assert change[name] in sentences(summary)[field]
    assert "Ask the business for proof of its address." in told


def test_a_person_in_another_role_and_one_who_is_not_there_are_told_apart() -> None:
    people = (ClaimedPerson(name="Ines Whitbourne", roles=("Shareholder",)), ClaimedPerson(name="Bruno Tessier"))
    summary = summary_of(subject_of(people=people), report_of())
    assert (
        "The request names “Ines Whitbourne” (as “Shareholder”); the register names a person with this name as “Director”."
        in texts(summary)
    )
    assert "The request names “Bruno Tessier”, whom the register does not name." in texts(summary)
    assert "results.people.0" in sentences(summary)
    assert "results.people.1" in sentences(summary)


def test_several_people_are_listed() -> None:
    names = ("Ines Whitbourne", "Odile Marchand", "Piet Hoekstra")
    people = tuple(Person(name=name) for name in names)
    claimed = tuple(ClaimedPerson(name=name) for name in names)
    told = texts(summary_of(subject_of(people=claimed), report_of(people=people)))
    assert "The register confirms “Ines Whitbourne”, “Odile Marchand” and “Piet Hoekstra”." in told


def test_a_number_that_the_register_does_not_have() -> None:
    summary = summary_of(subject_of(), None)
    told = texts(summary)
    assert "No registration with the number “77001” was found in the business register of Newfoundland and Labrador." in told
    assert "The legal name could not be compared because no registration was found." in told
    assert "The address could not be compared because no registration was found." in told
    assert told[-1] == ("Check the number and the jurisdiction with the business, or search for the business by its name.")
    assert {sentence.evidence for sentence in summary.sentences} == {None}


def test_a_business_that_is_no_more_calls_for_a_person() -> None:
    told = texts(summary_of(subject_of(), report_of(status="Dissolved", status_code=StatusCode.DISSOLVED)))
    assert "Everything that could be compared matches, but the business is not active." in told
    assert "The register states the status “Dissolved”, which means that the business is dissolved." in told
    assert told[-1] == "Have a person review the status before any agreement with the business."


def test_bad_standing_calls_for_a_question() -> None:
    told = texts(summary_of(subject_of(), report_of(good_standing=False)))
    assert "The business is not in good standing." in told
    assert told[-1] == "Ask the business why it is not in good standing."


def test_what_the_register_does_not_publish_is_said_and_is_no_discrepancy() -> None:
    report = report_of(good_standing=None, status=None, status_code=StatusCode.UNKNOWN, people=(), notes=("Read with care.",))
    told = texts(summary_of(subject_of(), report, published=NO_PEOPLE))
    assert "Everything that could be compared matches." in told
    assert "The register does not state whether the business is active." in told
    assert "The register does not state whether the business is in good standing." in told
    assert (
        "The connection of “Ines Whitbourne” (as “Director”) to the business could not be checked "
        "because the register data does not include people." in told
    )
    assert "The report has notes on its limits, which should be read with this summary." in told
    assert "Confirm with other documents what the register could not confirm." in told


def test_what_was_not_sent_and_what_is_switched_off_are_told_apart() -> None:
    off = VerificationSettings(address=OptionalCheck(enabled=False), people=OptionalCheck(enabled=False))
    left_out = texts(summary_of(subject_of(), report_of(), settings=off))
    not_sent = texts(summary_of(subject_of(address=None, people=()), report_of()))
    assert "The address was not compared because the settings of this verification exclude it." in left_out
    assert "People were not compared because the settings of this verification exclude them." in left_out
    assert "The address was not compared because the request states none." in not_sent
    assert "People were not compared because the request names none." in not_sent


@pytest.mark.parametrize("route", list(Route))
@pytest.mark.parametrize("language", list(Language))
def test_every_route_is_told_with_or_without_a_day(route: Route, language: Language) -> None:
    dated = sentences(summary_of(subject_of(), report_of(route=route), language))["registryData.asOf"]
    undated = sentences(summary_of(subject_of(), report_of(route=route, as_of=None), language))["registryData.retrievedAt"]
    assert dated != undated
    assert "20" in undated


def test_a_score_never_reads_as_a_threshold_that_it_misses() -> None:
    assert PHRASES[Language.ENGLISH].score(0.9496) == "0.94"
    assert PHRASES[Language.ENGLISH].score(0.9999) == "0.99"
    assert PHRASES[FRENCH].score(0.9496) == "0,94"
    assert PHRASES[FRENCH].score(1.0) == "1,00"
    assert PHRASES[Language.ENGLISH].threshold(0.9) == "0.90"
    assert PHRASES[FRENCH].threshold(0.945) == "0,945"


def test_a_name_cannot_close_its_quotation_and_speak_for_the_summary() -> None:
    told = texts(summary_of(subject_of(legal_name="X” matches.\nThe business is “verified"), report_of()))[0]
    assert told.startswith('The request concerns “X" matches. The business is "verified”, registration number ')


def test_braces_in_a_name_are_just_letters() -> None:
    assert "“{number} {0} Ltd.”" in summary_of(subject_of(legal_name="{number} {0} Ltd."), report_of()).text


# ------------------------------------------------------------------------------------------------------------ any case

names = st.sampled_from(
    ["Cod & Capelin Ltd.", "COD AND CAPELIN", "Cod & Capelyn Inc.", "Herring Ltée", "9042-1234 Québec inc.", "Old “Quoted” Co."]
) | st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=20)
numbers = st.from_regex(r"[A-Z]{0,2}[0-9]{4,8}", fullmatch=True)
roles = st.lists(st.sampled_from(["Director", "President", "Secretary", "actionnaire"]), max_size=2).map(tuple)
days = st.dates(date(1867, 7, 1), date(2026, 11, 20))
texts_of_place = st.sampled_from(["12 Harbour Road", "99 rue Principale", "200-100 King Street West", "Gander", "Québec"])
addresses = st.builds(
    AddressInput,
    street=st.none() | texts_of_place,
    city=st.none() | texts_of_place,
    province=st.sampled_from([None, "NL", "ON"]),
    postal_code=st.sampled_from([None, "A1C 5M2", "M5X 1A9"]),
)
subjects = st.builds(
    subject_of,
    legal_name=names,
    registration_number=numbers,
    address=st.none() | addresses,
    people=st.lists(st.builds(ClaimedPerson, name=names, roles=roles), max_size=3).map(tuple),
)
reports = st.builds(
    report_of,
    good_standing=st.none() | st.booleans(),
    history=st.lists(st.builds(NameHistoryItem, type=st.just("former"), name=names, end_date=st.none() | days), max_size=2).map(
        tuple
    ),
    legal_name=names,
    registration_numbers=st.lists(st.builds(RegistrationNumber, label=st.just("Number"), value=numbers), max_size=2).map(tuple),
    status=st.none() | st.sampled_from(["In force", "Radiée d’office", "Struck 2"]),
    status_code=st.sampled_from(StatusCode),
    incorporation_date=st.none() | days,
    addresses=st.lists(addresses.map(AddressInput.as_address), max_size=2).map(tuple),
    people=st.lists(st.builds(Person, name=names, roles=roles), max_size=2).map(tuple),
    route=st.sampled_from(Route),
    as_of=st.none() | days,
    retrieved_at=st.datetimes(datetime(2020, 1, 1), datetime(2026, 11, 20)).map(lambda at: at.replace(tzinfo=UTC)),  # noqa: DTZ001
    notes=st.sampled_from([(), ("Beware.",)]),
)
shares = st.integers(0, 100).map(lambda share: share / 100)
checks = st.builds(OptionalCheck, enabled=st.booleans(), threshold=shares)
all_settings = st.builds(VerificationSettings, legal_name=st.builds(NameCheck, threshold=shares), address=checks, people=checks)
publishing = st.sampled_from([tuple(Part), NO_PEOPLE, ()])
languages = st.sampled_from(Language)


def find_templates() -> Iterator[Message]:
    """Every message in the code of the summary."""
    for path in Path(summary_module.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                constants = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
                literals = [value for value in constants if isinstance(value, str)]
                if node.func.id == "Message":
                    yield Message(literals[0])
                elif node.func.id == "context_message":
                    context, template = literals
                    yield context_message(context, template)
                elif node.func.id == "plural_message":
                    singular, plural = literals
                    yield from (plural_message(singular, plural, count) for count in (1, 2))


TEMPLATES = list(find_templates())


def written(text: str) -> str:
    return " ".join(text.translate(dict.fromkeys(map(ord, "“”„«»"), '"')).split())


def document_of(
    subject: Subject, report: RegistryReport | None, applied: VerificationSettings, published: tuple[Part, ...]
) -> dict[str, Any]:
    """The answer that the summary is of."""
    findings = findings_of(subject, report, applied, published)
    meta = VerificationMeta(
        verification_id=uuid4(),
        external_id=None,
        business_id=None,
        verified_at=RETRIEVED,
        verified_by="a@b",
        duration=1,
        submitted=subject,
        thresholds=build_thresholds(applied),
    )
    answer = VerifyResponse(meta=meta, results=Results(**dict(findings), analyst_summary=""), registry_data=report)
    document: dict[str, Any] = json.loads(answer.to_json())
    return document


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [value]


def told_numbers(document: dict[str, Any]) -> set[str]:
    """Every number that a summary of the document may have outside quotation marks."""
    allowed = {str(document["results"]["discrepancyCount"])}
    for leaf in leaves(document):
        if isinstance(leaf, float):
            for written in (f"{truncate_score(leaf):.2f}", f"{leaf:.2f}"):
                allowed |= {written, written.replace(".", ",")}
        elif isinstance(leaf, str) and re.match(r"\d{4}-\d\d-\d\d", leaf) is not None:
            allowed |= {leaf[:4], str(int(leaf[8:10])), leaf[11:13], leaf[14:16]}
    return allowed


@pytest.mark.slow
@examples(150)
@given(subjects, st.none() | reports, all_settings, publishing, languages)
def test_nothing_is_said_that_the_document_does_not_say(
    subject: Subject,
    report: RegistryReport | None,
    applied: VerificationSettings,
    published: tuple[Part, ...],
    language: Language,
) -> None:
    document = document_of(subject, report, applied, published)
    raw = subject.address.as_address().raw if subject.address is not None else None
    pairs = [", ".join(person.roles) for person in subject.people]
    known = {written(leaf) for leaf in [*leaves(document), raw, *pairs] if isinstance(leaf, str)}
    summary = summary_of(subject, report, language, settings=applied, published=published)
    for sentence in summary.sentences:
        quoted = re.findall("“(.*?)”" if language is Language.ENGLISH else "«\u00a0(.*?)\u00a0»", sentence.text)
        assert set(quoted) <= known
        rest = re.sub("“.*?”|«\u00a0.*?\u00a0»", "", sentence.text)
        assert set(re.findall(r"\d+(?:[.,]\d+)?", rest.replace("1er", "1"))) <= told_numbers(document)
        assert set(re.findall(r"[^\W\d_]+", rest)) <= own_words(language)


@cache
def own_words(language: Language) -> set[str]:
    """The words of the templates, and of dates: whatever else a summary says is quoted or a number."""
    texts = [translate_template(template, language) for template in TEMPLATES]
    days = [PHRASES[language].day(date(2026, month, 1)) for month in range(1, 13)]
    return {word for text in [*texts, *days] for word in re.findall(r"[^\W\d_]+", text)}


@examples(100)
@given(subjects, st.none() | reports, all_settings, publishing, languages)
def test_every_sentence_leads_to_a_field_and_its_evidence(
    subject: Subject,
    report: RegistryReport | None,
    applied: VerificationSettings,
    published: tuple[Part, ...],
    language: Language,
) -> None:
    document = document_of(subject, report, applied, published)
    summary = summary_of(subject, report, language, settings=applied, published=published)
    for sentence in summary.documents:
        place: Any = document
        for name in sentence.field.split("."):
            place = place[int(name)] if isinstance(place, list) else place[name]
        if sentence.field.startswith("registryData"):
            assert report is not None
            assert sentence.evidence is not None
            assert (sentence.evidence.source, sentence.evidence.as_of) == (report.source, report.as_of)
            assert sentence.evidence.report_id == report.report_id
        if sentence.field.startswith("meta"):
            assert sentence.evidence is None


@examples(100)
@given(subjects, st.none() | reports, all_settings, publishing, languages)
def test_the_same_input_gives_the_same_text_and_that_is_a_faithful_wording_of_itself(
    subject: Subject,
    report: RegistryReport | None,
    applied: VerificationSettings,
    published: tuple[Part, ...],
    language: Language,
) -> None:
    findings = findings_of(subject, report, applied, published)
    first, again = (summarise(findings, subject, build_thresholds(applied), report, language) for _ in range(2))
    assert first == again
    assert check_paraphrase(first, "\n".join(sentence.text for sentence in first.sentences)) == first.text


def test_an_address_of_the_register_in_one_line_is_compared_too() -> None:
    address = Address(raw="99 Duckworth Street, St. John's, NL A1C 5M2")
    told = texts(summary_of(subject_of(), report_of(addresses=(address,))))
    assert "The address differs in the street." in told
