"""Generated ownership structures: pyramids with bands, cross-holdings, control without shares and unknown owners."""

import random

from bonafide.matching.ownership.roll_up import OwnershipClaims
from bonafide.model.ownership.statement import Claimant, InterestKind, OwnershipInterest, PartyKind, ShareBand

SUBJECT = "subject"
BAND_WIDTH = 0.1
CROSS_HOLDINGS, BANDS, CONTROLLED, BUSINESSES, UNKNOWN = 0.1, 0.3, 0.05, 0.45, 0.05
"""The proportions of owners that the structure has already, of shares given as bands, of businesses that somebody controls without
shares, of businesses among the owners, and of owners that are unknown."""
RECENT = 40
"""Cross-holdings are between businesses of about the same level."""


class OwnershipGenerator:
    """Builds one structure of about `size` parties; the same seed builds the same one."""

    def __init__(self, size: int, seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - made-up data wants a seeded generator
        self._size = size
        self._kinds = {SUBJECT: PartyKind.BUSINESS}
        self._businesses = [SUBJECT]
        self._interests: list[OwnershipInterest] = []

    def generate(self) -> OwnershipClaims:
        """The structure as one claimant's claims."""
        done = 0
        while len(self._kinds) < self._size:
            self._add_owners(self._businesses[done])
            done += 1
        return OwnershipClaims(self._kinds, {Claimant.DECLARED: self._interests}, SUBJECT)

    def _add_owners(self, owned: str) -> None:
        cuts = sorted(self._rng.random() for _ in range(self._rng.randint(1, 3)))
        owners: set[str] = set()
        for low, high in zip([0.0, *cuts], [*cuts, 1.0], strict=True):
            owner = self._choose_owner(owned)
            if owner not in owners:
                owners.add(owner)
                self._add_interest(owner, owned, InterestKind.SHARES, self._draw_share(high - low))
        if self._rng.random() < CONTROLLED:
            self._add_interest(self._add_party(PartyKind.PERSON), owned, InterestKind.CONTROL, None)

    def _choose_owner(self, owned: str) -> str:
        if self._rng.random() < CROSS_HOLDINGS:
            known = self._rng.choice(self._businesses[-RECENT:])
            if known != owned:
                return known
        place = self._rng.random()
        # The structure must not end before it is as large as it should be.
        if place < BUSINESSES or self._businesses[-1] == owned:
            return self._add_party(PartyKind.BUSINESS)
        return self._add_party(PartyKind.UNKNOWN if place > 1 - UNKNOWN else PartyKind.PERSON)

    def _add_party(self, kind: PartyKind) -> str:
        party = f"party-{len(self._kinds)}"
        self._kinds[party] = kind
        if kind is PartyKind.BUSINESS:
            self._businesses.append(party)
        return party

    def _draw_share(self, share: float) -> ShareBand:
        if self._rng.random() < BANDS:
            return ShareBand(min=max(0.0, share - BAND_WIDTH), max=min(1.0, share + BAND_WIDTH))
        return ShareBand(exact=share)

    def _add_interest(self, owner: str, owned: str, kind: InterestKind, share: ShareBand | None) -> None:
        number = str(len(self._interests))
        self._interests.append(OwnershipInterest(id=number, owner=owner, owned=owned, kind=kind, share=share))
