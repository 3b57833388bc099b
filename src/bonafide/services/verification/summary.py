"""Build the document of a verification with its summary, by rules or paraphrased by a language model.

It is in the language of whoever asked; for whoever reads it in the other one, the rules say it anew. The words themselves are
`matching/summary`'s business.
"""

from bonafide.matching.summary.summarizer import Summary, summarise
from bonafide.model.language import Language
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import Findings, Results, SummarySource, VerificationMeta, VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.verification.paraphrase import request_paraphrase
from bonafide.services.verification.spec import Verification


async def paraphrase_summary(runtime: Runtime, verification: Verification, document: VerifyResponse) -> VerifyResponse:
    """The document with its summary rephrased, where there is a model and what it says holds; else as it is. Never raises."""
    results = document.results
    summary = _build_summary(document.meta, results, document.registry_data, results.summary_language)
    left_s = (verification.deadline_at - runtime.clock()).total_seconds()
    better = await request_paraphrase(runtime, summary, left_s)
    if better is None:
        return document
    update = {"analyst_summary": better.text, "summary_source": SummarySource.MODEL, "summary_model": better.model}
    return document.model_copy(update={"results": results.model_copy(update=update)})


def build_verification_document(
    meta: VerificationMeta, findings: Findings, report: RegistryReport | None, language: Language
) -> VerifyResponse:
    """The whole document, its summary worded by the rules."""
    summary = _build_summary(meta, findings, report, language)
    results = Results(
        **{name: getattr(findings, name) for name in Findings.model_fields},
        analyst_summary=summary.text,
        summary_language=language,
        summary_sentences=summary.documents,
    )
    return VerifyResponse(meta=meta, results=results, registry_data=report)


def translate_summary(body: str, language: Language | None) -> str:
    """A stored document with its summary in another language; byte for byte as it is stored where that is its own, or None."""
    if language is None:
        return body
    document = VerifyResponse.model_validate_json(body)
    if document.results.summary_language is language:
        return body
    return build_verification_document(document.meta, document.results, document.registry_data, language).to_json()


def _build_summary(meta: VerificationMeta, findings: Findings, report: RegistryReport | None, language: Language) -> Summary:
    return summarise(findings, meta.submitted, meta.thresholds, report, language)
