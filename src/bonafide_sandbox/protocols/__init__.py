"""The live registers of the sandbox: each implements its register's own protocol on top of a world's directory.

Responses reproduce the real registers, including their quirks. Temporary failures (429, a challenge page, a timeout) are not part
of the protocols: `publisher_faults.FaultRegistry` injects them.
"""

from bonafide_sandbox.protocols import cbr, corporations_canada, entity_pages, gleif, orgbook, pei, rdap, rjsc
from bonafide_sandbox.protocols.endpoint import ProtocolEndpoint, ProtocolRequest

__all__ = ["ENDPOINTS", "ProtocolEndpoint", "ProtocolRequest"]

ENDPOINTS: tuple[ProtocolEndpoint, ...] = (
    *cbr.ENDPOINTS,
    *corporations_canada.ENDPOINTS,
    *entity_pages.ENDPOINTS,
    *gleif.ENDPOINTS,
    *orgbook.ENDPOINTS,
    *pei.ENDPOINTS,
    *rdap.ENDPOINTS,
    *rjsc.ENDPOINTS,
)
"""Every live endpoint of the sandbox."""
