"""British Columbia's cannabis stores: the data behind the branch's map, by city, including government stores."""

import json
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table, to_word_array
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection, create_trade_name
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import ListWriterFactory, TargetFile

LIMIT = 460
"""With the government stores, the size of the real list."""
ONE_IN = 11
PUBLIC_IN = 12
"""A government store follows after this many private ones."""
PUBLIC_NAME, PUBLIC_LICENCE = "BC Cannabis Store", "Public Store"
FIRST_NUMBER = 450_000
AREA_CODES = ("250", "604", "778")

_TRADES: list[str] = to_word_array(read_table("words")["cannabis"]).tolist()


class BritishColumbiaStoresWriter:
    """Writes one object per store. The response is built in memory and written on `close`."""

    targets = (TargetFile("bcCannabisRetail", "stores", "bcCannabisRetail/map.json", DeliveryRoute.DOWNLOAD),)

    def __init__(self, folder: Path, seed: int) -> None:
        self._path = folder / self.targets[0].path
        self._stores: list[dict[str, object]] = []
        self._delisted = 0
        self._holders = HolderSelection(seed, Jurisdiction.BC, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Keep the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Add a fixed business as an open store under its own name."""
        self._put(fixed.business, fixed.business.name, self._licence())

    def close(self) -> None:
        """Write the response."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        stores = sorted(self._stores, key=lambda store: str(store["addressCity"]))
        self._path.write_text(json.dumps(stores, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        if business.is_delisted:
            # Its licence number is not given to the next store.
            self._delisted += 1
        else:
            self._put(business, create_trade_name(business, _TRADES), self._licence())
        if self._licences % PUBLIC_IN == PUBLIC_IN - 1:
            self._put(business, PUBLIC_NAME, PUBLIC_LICENCE)

    @property
    def _licences(self) -> int:
        return len(self._stores) + self._delisted

    def _licence(self) -> str:
        return str(FIRST_NUMBER + self._licences * 13)

    def _put(self, business: SandboxBusiness, name: str, licence: str) -> None:
        address, grain, is_public = business.address, business.random_bits, licence == PUBLIC_LICENCE
        unit = f"{address.unit} - " if address.unit is not None else ""
        self._stores.append(
            {
                "id": str(uuid5(NAMESPACE_URL, f"store {licence} {business.register} {business.number}")),
                "name": name,
                "license": licence,
                # 555 01xx: numbers reserved for fictional use.
                "phone": None if is_public else f"{AREA_CODES[grain % len(AREA_CODES)]}555{100 + grain % 100:04d}",
                "addressCity": address.city,
                "addressPostal": address.postal_code.replace(" ", "") if grain % 2 else address.postal_code,
                "addressStreet": f"{unit}{address.street}",
                "latitude": round(48.4 + grain % 60_000 / 10_000, 4),
                "longitude": round(-123.4 + grain % 40_000 / 10_000, 4),
                "isOpen": grain // 8 % 29 != 0,
            }
        )


WRITERS = (ListWriterFactory("bcCannabisRetail", (Jurisdiction.BC,), BritishColumbiaStoresWriter),)
