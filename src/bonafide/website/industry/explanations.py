"""Explain in English or French why a site has its industry."""

from dataclasses import dataclass

from bonafide.model.language import Language
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
