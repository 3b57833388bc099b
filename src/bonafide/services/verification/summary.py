"""Build the document of a verification with its summary, in the words of the rules or of a language model.

The summary is in the requester's language. For a reader of the other language the rules write it anew.
"""

from bonafide.matching.summary.summarizer import Summary, summarise
from bonafide.model.language import Language
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import Findings, Results, SummarySource, VerificationMeta, VerifyResponse
from bonafide.services.verification.paraphrase import Paraphrase


def build_verification_document(
    meta: VerificationMeta, findings: Findings, report: RegistryReport | None, summary: Summary, paraphrase: Paraphrase | None
) -> VerifyResponse:
    """Build the whole document, with the paraphrase in place of the summary's own words if there is one."""
    results = Results(
        **{name: getattr(findings, name) for name in Findings.model_fields},
        analyst_summary=paraphrase.text if paraphrase is not None else summary.text,
        summary_language=summary.language,
        summary_source=SummarySource.MODEL if paraphrase is not None else SummarySource.RULES,
        summary_model=paraphrase.model if paraphrase is not None else None,
        summary_sentences=summary.documents,
    )
    return VerifyResponse(meta=meta, results=results, registry_data=report)


def translate_summary(body: str, language: Language | None) -> str:
    """Return a stored document with its summary in a language; unchanged if it is in that language, or for None."""
    if language is None:
        return body
    document = VerifyResponse.model_validate_json(body)
    meta, results, report = document.meta, document.results, document.registry_data
    if results.summary_language is language:
        return body
    summary = summarise(results, meta.submitted, meta.thresholds, report, language)
    return build_verification_document(meta, results, report, summary, None).to_json()
