"""What the tests of verifications share: short ways to order one, to let a worker work, and to see where it stands."""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from bonafide.app import worker
from bonafide.model.accounts.organizations import Principal
from bonafide.model.verification.requests import VerifyRequest
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.verification.lifecycle import VerificationReply, create_verification, read_verification
from bonafide.services.verification.spec import VerificationRequester
from tests.support.services.runtimes import ManualClock

CLAIM = {"legalName": "Cod & Capelin Ltd.", "jurisdiction": "NL", "registrationNumber": "77001"}
"""What the register of `live_register` states."""
BAKERY = {"legalName": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}
FAR = 10_000


async def ordered(runtime: Runtime, principal: Principal, **changes: Any) -> VerificationReply:
    """A verification that was asked for."""
    asker = VerificationRequester(identity=principal.identity, request_id="test")
    return await create_verification(runtime, principal, VerifyRequest.model_validate({**CLAIM, **changes}), asker)


async def pending(runtime: Runtime, principal: Principal, **changes: Any) -> UUID:
    """The id of one that was answered with 202."""
    answer = await ordered(runtime, principal, **changes)
    assert answer.pending
    return answer.verification_id


async def stands(runtime: Runtime, principal: Principal, verification_id: UUID) -> dict[str, Any]:
    """What a poll answers."""
    body: dict[str, Any] = json.loads((await read_verification(runtime, principal.organization_id, verification_id)).to_json())
    return body


async def state(runtime: Runtime, principal: Principal, verification_id: UUID) -> str:
    """Where it stands, in one word."""
    body = await stands(runtime, principal, verification_id)
    return "completed" if "results" in body else str(body["status"])


async def document(runtime: Runtime, principal: Principal, verification_id: UUID) -> VerifyResponse:
    """The answer of one that is completed."""
    answer = await read_verification(runtime, principal.organization_id, verification_id)
    assert isinstance(answer, VerifyResponse)
    return answer


async def worked(runtime: Runtime, name: str = "w1") -> int:
    """Let a worker do everything that is due; how many jobs that was."""
    for done in range(FAR):
        if not await worker.work_once(runtime, name):
            return done
    raise AssertionError("the worker never came to an end")


async def worked_until_over(
    runtime: Runtime, principal: Principal, ids: Iterable[UUID], clock: ManualClock, step_s: float = 0.2
) -> None:
    """Let a worker work, and time pass in steps, until none of these is under way."""
    left = set(ids)
    for _ in range(FAR):
        await worked(runtime)
        left = {one for one in left if "pending" in await stands(runtime, principal, one)}
        if not left:
            return
        clock.advance(seconds=step_s)
    raise AssertionError("a verification never came to an end")
