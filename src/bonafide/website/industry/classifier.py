"""Classify a site by industry: the nearest classes of NAICS Canada, the confidence, and the reasoning.

Below the minimum confidence, no code is given.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bonafide.i18n.language import Language
from bonafide.i18n.message import JoinedValues, Message, join_messages, join_values
from bonafide.model.search.website import Industry, IndustryCandidate
from bonafide.website.industry.naics_index import IndustryIndex, read_index
from bonafide.website.industry.naics_tables import EDITION
from bonafide.website.industry.site_texts import WEIGHTS, SiteWords
from bonafide.website.industry.text_features import is_ngram, is_pair, list_features, split_words, stem_word
from bonafide.website.industry.trade_vocabulary import translate_text


@dataclass(frozen=True, slots=True)
class NearestClass:
    """A class, its official phrase that is nearest to the site, and the matching words of the site."""

    code: str
    title: str
    phrase: str
    words: tuple[str, ...]


_NO_WORDS = Message("No code: the website contains no words of an industry in {edition}.").fill(edition=EDITION)
_NOT_LOADED = Message("No code: the tables of {edition} are not loaded.").fill(edition=EDITION)
_TRANSLATED = Message("The website is in French and the official French tables are not loaded, so a built-in word list was used.")


def _explain_code(nearest: NearestClass) -> Message:
    return Message(
        "Words on the website: {words}. The closest entry in {edition} is {phrase}, in class {code}.",
        words=_quote_words(nearest),
        edition=EDITION,
        phrase=_quote(nearest.phrase),
        code=nearest.code,
    )


def _explain_doubt(nearest: NearestClass, confidence: float) -> Message:
    """Explain why not even the nearest class is given."""
    if not nearest.words:
        return _NO_WORDS
    return Message(
        "No code: the confidence is {confidence:.2f} (minimum {minimum:.2f}). Words on the website: {words}."
        " The closest entry in {edition} is {phrase}, in class {code}.",
        confidence=confidence,
        minimum=MIN_CONFIDENCE,
        words=_quote_words(nearest),
        edition=EDITION,
        phrase=_quote(nearest.phrase),
        code=nearest.code,
    )


def _describe_evidence(nearest: NearestClass) -> Message:
    """The official phrase and the words of the site."""
    phrase = _quote(nearest.phrase)
    if not nearest.words:
        return Message("{phrase}; only parts of words match", phrase=phrase)
    return Message("{phrase}; on the website: {words}", phrase=phrase, words=_quote_words(nearest))


def _quote_words(nearest: NearestClass) -> JoinedValues:
    return join_values(map(_quote, nearest.words))


def _quote(text: str) -> Message:
    return Message("“{text}”", text=text)


MIN_CONFIDENCE = 0.65
"""The minimum for a code. About 88 % of held-out phrases that reach it are classified correctly (`bonafide bench naics`)."""
CANDIDATES = 5
REPEATED = 2.0
"""The limit for the weight of a repeated word, relative to a single occurrence."""
MIN_SHARE = 0.05
"""Candidates below this share of the best score are omitted."""
SHOWN_WORDS = 5
# Logistic regression of "the first is correct" on held-out official phrases, fictitious sites and sites without a trade.
_BIAS, _LEAD, _WEIGHT, _SHARE = -3.23, 6.81, 0.80, 0.71


@dataclass(frozen=True, slots=True)
class IndustryQuery:
    """A query of the index: features with weights, and the site's word for each stem."""

    features: Mapping[str, float]
    words: Mapping[str, str]


class IndustryClassifier:
    """A loaded classification."""

    def __init__(self, index: IndustryIndex) -> None:
        self.index = index

    @classmethod
    def load(cls, path: Path) -> "IndustryClassifier":
        """Load the index of a file. Raises `SegmentCorrupt`, or `FileNotFoundError`."""
        return cls(read_index(path))

    @property
    def languages(self) -> frozenset[Language]:
        """The languages whose official tables are loaded."""
        return frozenset(self.index.titles)

    def get_title(self, code: str, language: Language) -> str | None:
        """The official title of a class in the language, or in English if that is not loaded; None for an unknown code."""
        try:
            position = self.index.codes.index(code)
        except ValueError:
            return None
        titles = self.index.titles.get(language, self.index.titles[Language.ENGLISH])
        return titles[position] or self.index.titles[Language.ENGLISH][position]

    def classify(self, words: SiteWords) -> Industry:
        """Classify a site by its words. Titles are English; `get_title` returns them in another language."""
        query = build_industry_query(words, self.languages)
        note = () if words.language in self.languages else (_TRANSLATED,)
        scores = self.index.scores(query.features)
        best = [int(position) for position in np.argsort(-scores, kind="stable")[:CANDIDATES]]
        if scores[best[0]] <= 0:
            return Industry(naics_code=None, naics_code_name=None, reasoning=_join_sentences(_NO_WORDS, *note), confidence=0)
        confidence = self._confidence(query, best[0], float(scores[best[0]]), float(scores[best[1]]) if len(best) > 1 else 0.0)
        shares = {position: float(scores[position] / scores[best[0]]) for position in best}
        nearest = [self._nearest(query, position) for position in best if shares[position] >= MIN_SHARE]
        sure = confidence >= MIN_CONFIDENCE and len(nearest[0].words) > 0
        reasoning = _explain_code(nearest[0]) if sure else _explain_doubt(nearest[0], confidence)
        return Industry(
            naics_code=nearest[0].code if sure else None,
            naics_code_name=nearest[0].title if sure else None,
            reasoning=_join_sentences(reasoning, *note),
            confidence=confidence,
            candidates=tuple(
                IndustryCandidate(
                    naics_code=item.code,
                    naics_code_name=item.title,
                    score=round(confidence * shares[position], 4),
                    evidence=_describe_evidence(item),
                )
                for position, item in zip(best, nearest, strict=False)
            ),
        )

    def _confidence(self, query: IndustryQuery, position: int, first: float, second: float) -> float:
        """Estimate the probability that the first class is correct, from its lead and its share of the site's words."""
        stems = [feature for feature in query.features if not is_pair(feature) and not is_ngram(feature)]
        weights = np.array([query.features[feature] for feature in stems]) * self.index.rarities(stems)
        has = float(weights[self.index.has_features(position, stems)].sum())
        lead, share = (first - second) / first, has / float(weights.sum())
        return round(1 / (1 + math.exp(-(_BIAS + _LEAD * lead + _WEIGHT * math.log1p(has) + _SHARE * share))), 4)

    def _nearest(self, query: IndustryQuery, position: int) -> NearestClass:
        """Return the class with its phrase that is nearest to the site's words."""
        phrases = [list(dict.fromkeys(map(stem_word, split_words(phrase)))) for phrase in self.index.phrases[position]]
        known = sorted({one for phrase in phrases for one in phrase if one in query.words})
        rarities = dict(zip(known, self.index.rarities(known).tolist(), strict=True))
        likeness = [sum(rarities.get(one, 0.0) for one in phrase) / math.sqrt(len(phrase) + 1) for phrase in phrases]
        near = max(range(len(phrases)), key=lambda number: likeness[number])
        # Words of the phrase itself come first, then those of other phrases of the class, the rarest first.
        ranked = sorted(known, key=lambda one: (one not in phrases[near], -rarities[one]))
        words = tuple(dict.fromkeys(query.words[one] for one in ranked))[:SHOWN_WORDS]
        title = self.index.titles[Language.ENGLISH][position]
        return NearestClass(self.index.codes[position], title, self.index.phrases[position][near], words)


def _join_sentences(*sentences: Message) -> Message:
    return join_messages(sentences, " ")


def build_unclassified() -> Industry:
    """Return no industry, because no classification is loaded."""
    return Industry(naics_code=None, naics_code_name=None, reasoning=_NOT_LOADED, confidence=0)


def build_industry_query(words: SiteWords, languages: frozenset[Language]) -> IndustryQuery:
    """Convert a site's words to features. `languages` are those of the index. A repeated word counts less than twice."""
    weights: defaultdict[str, float] = defaultdict(float)
    shown_words: dict[str, str] = {}
    for text in words.texts:
        for wording in translate_text(text, languages):
            for word, shown in wording.sourced:
                shown_words.setdefault(stem_word(word), shown)
            for feature in list_features(wording.words):
                weights[feature] += WEIGHTS[text.place] * wording.share
    return IndustryQuery(
        {feature: (1 + REPEATED) * weight / (weight + REPEATED) for feature, weight in weights.items()}, shown_words
    )
