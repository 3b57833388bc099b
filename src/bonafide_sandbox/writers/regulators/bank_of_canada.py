"""Canada's payment service providers: the JSON response with four lists of accounts that the registry's page reads."""

import json
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LicenceStanding, SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import ListWriterFactory, TargetFile

LIMIT = 2_000
ONE_IN = 19
SINCE = TODAY.replace(year=2025, month=9, day=8)
"""The date on which the registry opened."""
GROUPS = ((16, "registered", "Registered"), (94, "in_review", "In review"), (97, "refused", "Refused"), (100, "revoked", "Revoked"))
"""The cumulative percentage, key and term of each list."""
COUNTRIES = ("Canada", "Canada", "Canada", "Canada", "Canada", "United States of America (the)", "Ireland")
NO_NAME = "n/a"


class PaymentProvidersWriter:
    """Writes one account per business. The response is built in memory and written on `close`."""

    targets = (TargetFile("bankOfCanadaRps", "accounts", "bankOfCanadaRps/accounts_list.json", DeliveryRoute.DOWNLOAD),)

    def __init__(self, folder: Path, seed: int) -> None:
        self._path = folder / self.targets[0].path
        self._groups: dict[str, list[dict[str, object]]] = {key: [] for _, key, _ in GROUPS}
        self._holders = HolderSelection(seed, Jurisdiction.FED, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Keep the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Add a fixed business as registered."""
        self._put(fixed.business, "registered", "Registered")

    def close(self) -> None:
        """Write the response."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps({"accounts": self._groups}, ensure_ascii=False), encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        roll = business.random_bits // 16 % 100
        _, group, word = next(state for state in GROUPS if roll < state[0])
        if business.licence in {LicenceStanding.LAPSED, LicenceStanding.REVOKED}:
            _, group, word = GROUPS[-1]
        if business.licence is not LicenceStanding.GONE:
            self._put(business, group, word)

    def _put(self, business: SandboxBusiness, group: str, word: str) -> None:
        is_registered = group in {"registered", "revoked"}
        self._groups[group].append(
            {
                "id": str(uuid5(NAMESPACE_URL, f"psp {business.register} {business.number}")),
                "en_legal_name": NO_NAME if business.french else business.name,
                "fr_legal_name": business.name if business.french else NO_NAME,
                "main_trade_name": business.other_names[0] if business.other_names else business.name,
                "head_office_country": COUNTRIES[business.random_bits // 4 % len(COUNTRIES)],
                "status": word,
                "has_violations": group == "revoked" and business.random_bits % 2 == 0,
                "created_on": "2024-11-12",
                "registration_date": SINCE.replace(day=8 + business.random_bits % 20).isoformat() if is_registered else None,
                "group_label": f"{word} payment service providers",
            }
        )


WRITERS = (ListWriterFactory("bankOfCanadaRps", tuple(Jurisdiction), PaymentProvidersWriter),)
