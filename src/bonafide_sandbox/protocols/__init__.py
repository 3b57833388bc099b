"""The live registers of the made-up Canada: each speaks its register's own protocol, over the directory of a world.

They answer as the real ones do, oddities included. What is wrong with a register for a time (429, a challenge, silence) is not
theirs: it is put before them by `publisher_faults.FaultRegistry`.
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
"""Every live address of the sandbox."""
