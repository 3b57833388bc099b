"""Classify a site by industry: the nearest classes of NAICS Canada, how certain they are, and why in sentences.

Where it is not sure enough it gives no code. It is not a register's word, and it fetches nothing.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bonafide.i18n.language import Language
from bonafide.model.search.website import Industry, IndustryCandidate
from bonafide.website.industry.naics_index import IndustryIndex, read_index
from bonafide.website.industry.naics_tables import EDITION
from bonafide.website.industry.site_texts import WEIGHTS, SiteWords
from bonafide.website.industry.text_features import is_ngram, is_pair, list_features, split_words, stem_word
from bonafide.website.industry.trade_vocabulary import translate_text
from bonafide.website.tables import read_website_table


@dataclass(frozen=True, slots=True)
class NearestClass:
    """A class, the official phrase of it that is nearest to the site, and the site's own words that made it so."""

    code: str
    title: str
    phrase: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IndustryExplanation:
    """The sentences of one site's industry. `foreign`: no official table in the site's language is loaded."""

    language: Language
    edition: str
    foreign: bool

    def found(self, nearest: NearestClass) -> str:
        """Why this code."""
        return self._told("found", nearest)

    def unsure(self, nearest: NearestClass, confidence: float, least: float) -> str:
        """Why not even this code."""
        if not nearest.words:
            return self.nothing()
        return self._told("unsure", nearest, confidence=self._number(confidence), least=self._number(least))

    def nothing(self) -> str:
        """Why there is none."""
        return self._told("nothing", None)

    def unloaded(self) -> str:
        """Why nothing could be asked."""
        return self._told("unloaded", None)

    def evidence(self, nearest: NearestClass) -> str:
        """The official phrase, and the words of the site."""
        name = "evidence" if nearest.words else "alike"
        return self._phrase(name).format(phrase=self._quoted(nearest.phrase), words=self._words(nearest))

    def _told(self, name: str, nearest: NearestClass | None, **values: str) -> str:
        if nearest is not None:
            values |= {"words": self._words(nearest), "phrase": self._quoted(nearest.phrase), "code": nearest.code}
            values |= {"title": self._quoted(nearest.title)}
        told = self._phrase(name).format(edition=self.edition, **values)
        return f"{told} {self._phrase('foreign')}" if self.foreign else told

    def _words(self, nearest: NearestClass) -> str:
        return ", ".join(map(self._quoted, nearest.words))

    def _quoted(self, text: str) -> str:
        return self._phrase("quoted").format(text=text)

    def _number(self, value: float) -> str:
        text = f"{value:.2f}"
        return text.replace(".", ",") if self.language is Language.FRENCH else text

    def _phrase(self, name: str) -> str:
        phrase: str = read_website_table("industry.yml")[self.language.value][name]
        return phrase


MIN_CONFIDENCE = 0.65
"""Below it no code is given. Of held-out official phrases that reach it about 88 in 100 are right (`bonafide bench naics`)."""
CANDIDATES = 5
REPEATED = 2.0
"""However often and loudly a site says a word, it counts at most so much more than once."""
MIN_SHARE = 0.05
"""Of the best score: what has less is not worth showing."""
SHOWN_WORDS = 5
# Logistic regression of "the first is right" on official phrases that were held out, made-up sites and sites of no trade.
_BIAS, _LEAD, _SAID, _SHARE = -3.23, 6.81, 0.80, 0.71


@dataclass(frozen=True, slots=True)
class IndustryQuery:
    """A site's words as an index is asked for them: features with weights, and the site's word behind each stem."""

    features: Mapping[str, float]
    said: Mapping[str, str]


class IndustryClassifier:
    """A loaded classification that sites are compared with."""

    def __init__(self, index: IndustryIndex) -> None:
        self.index = index

    @classmethod
    def load(cls, path: Path) -> "IndustryClassifier":
        """The index of a file. Raises `SegmentCorrupt`, or `FileNotFoundError`."""
        return cls(read_index(path))

    @property
    def languages(self) -> frozenset[Language]:
        """The languages whose official tables are loaded."""
        return frozenset(self.index.titles)

    def classify(self, words: SiteWords, language: Language = Language.ENGLISH) -> Industry:
        """The industry by a site's words, worded in `language`; its official title too, where that is loaded."""
        question = build_industry_query(words, self.languages)
        reasons = IndustryExplanation(language, EDITION, foreign=words.language not in self.languages)
        scores = self.index.scores(question.features)
        best = [int(place) for place in np.argsort(-scores, kind="stable")[:CANDIDATES]]
        if scores[best[0]] <= 0:
            return Industry(naics_code=None, naics_code_name=None, reasoning=reasons.nothing(), confidence=0)
        confidence = self._confidence(question, best[0], float(scores[best[0]]), float(scores[best[1]]) if len(best) > 1 else 0.0)
        shares = {place: float(scores[place] / scores[best[0]]) for place in best}
        nearest = [self._nearest(question, place, language) for place in best if shares[place] >= MIN_SHARE]
        sure = confidence >= MIN_CONFIDENCE and len(nearest[0].words) > 0
        return Industry(
            naics_code=nearest[0].code if sure else None,
            naics_code_name=nearest[0].title if sure else None,
            reasoning=reasons.found(nearest[0]) if sure else reasons.unsure(nearest[0], confidence, MIN_CONFIDENCE),
            confidence=confidence,
            candidates=tuple(
                IndustryCandidate(
                    naics_code=item.code,
                    naics_code_name=item.title,
                    score=round(confidence * shares[place], 4),
                    evidence=reasons.evidence(item),
                )
                for place, item in zip(best, nearest, strict=False)
            ),
        )

    def _confidence(self, question: IndustryQuery, place: int, first: float, second: float) -> float:
        """How likely the first class is right: by its lead, and by how much of what the site says it has."""
        stems = [feature for feature in question.features if not is_pair(feature) and not is_ngram(feature)]
        weights = np.array([question.features[feature] for feature in stems]) * self.index.rarities(stems)
        has = float(weights[self.index.has_features(place, stems)].sum())
        lead, share = (first - second) / first, has / float(weights.sum())
        return round(1 / (1 + math.exp(-(_BIAS + _LEAD * lead + _SAID * math.log1p(has) + _SHARE * share))), 4)

    def _nearest(self, question: IndustryQuery, place: int, language: Language) -> NearestClass:
        """The class with the phrase of it that is nearest to the site's words."""
        phrases = [list(dict.fromkeys(map(stem_word, split_words(phrase)))) for phrase in self.index.phrases[place]]
        known = sorted({one for phrase in phrases for one in phrase if one in question.said})
        rarities = dict(zip(known, self.index.rarities(known).tolist(), strict=True))
        likeness = [sum(rarities.get(one, 0.0) for one in phrase) / math.sqrt(len(phrase) + 1) for phrase in phrases]
        near = max(range(len(phrases)), key=lambda number: likeness[number])
        # First what the phrase itself has, then what others of the class have: the rarest words say the most.
        told = sorted(known, key=lambda one: (one not in phrases[near], -rarities[one]))
        words = tuple(dict.fromkeys(question.said[one] for one in told))[:SHOWN_WORDS]
        titles = self.index.titles.get(language, self.index.titles[Language.ENGLISH])
        title = titles[place] or self.index.titles[Language.ENGLISH][place]
        return NearestClass(self.index.codes[place], title, self.index.phrases[place][near], words)


def build_unclassified(language: Language) -> Industry:
    """No industry, because no classification is loaded that could be asked."""
    reasons = IndustryExplanation(language, EDITION, foreign=False)
    return Industry(naics_code=None, naics_code_name=None, reasoning=reasons.unloaded(), confidence=0)


def build_industry_query(words: SiteWords, languages: frozenset[Language]) -> IndustryQuery:
    """A site's words as features; `languages` are those of the index. What is said twice counts more than once, not twice."""
    loud: defaultdict[str, float] = defaultdict(float)
    said: dict[str, str] = {}
    for text in words.texts:
        for wording in translate_text(text, languages):
            for word, shown in wording.spoken:
                said.setdefault(stem_word(word), shown)
            for feature in list_features(wording.words):
                loud[feature] += WEIGHTS[text.place] * wording.share
    return IndustryQuery({feature: (1 + REPEATED) * weight / (weight + REPEATED) for feature, weight in loud.items()}, said)
