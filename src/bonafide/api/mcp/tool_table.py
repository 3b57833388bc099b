"""The table of the tools, with the scope that each requires; and how a call is made and its errors are reported."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from bonafide.api.mcp import tool_inputs, tools
from bonafide.api.mcp.tool_answers import ToolAnswer, write_answer
from bonafide.api.mcp.tools import ToolCaller
from bonafide.errors import ApiError, InternalFailure, ScopeMissing, ValidationFailed
from bonafide.i18n.catalog import translate
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.base import Document
from bonafide.observability.log import get_logger
from bonafide.web.validation_errors import to_api_error

D = TypeVar("D", bound=Document)
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ToolSpec(Generic[D]):
    """One tool. `description` is for models: what it does, what it needs and how to read its answer."""

    name: str
    title: str
    description: str
    scope: Scope
    arguments: type[D]
    function: Callable[[ToolCaller, D], Awaitable[ToolAnswer]]
    is_read_only: bool = True
    """Whether it stores nothing. No tool changes or deletes what is stored."""
    is_open_world: bool = False
    """Whether it may query registers or websites outside of this service."""

    async def run(self, caller: ToolCaller, arguments: Mapping[str, Any]) -> ToolAnswer:
        """The answer. Raises `ValidationError` for invalid arguments, and `ApiError`."""
        return await self.function(caller, self.arguments.model_validate_json(json.dumps(arguments)))


TOOLS: tuple[ToolSpec[Any], ...] = (
    ToolSpec(
        "search_business",
        "Search for a business",
        "Find a Canadian business in business registries and with regulators by its name, with an optional address and number. "
        "Returns scored registry matches, best first: 0.85 and more is probably the same business, below 0.7 it is another "
        "name. The search is stored and can be explained with `explain_match`.",
        Scope.SEARCH_WRITE,
        tool_inputs.SearchToolInput,
        tools.search_business,
        is_read_only=False,
        is_open_world=True,
    ),
    ToolSpec(
        "explain_match",
        "Explain a match",
        "Explain the score of a registry match of a search, field by field and word by word, with the people and the related "
        "registrations of the business.",
        Scope.SEARCH_READ,
        tool_inputs.ExplainMatchToolInput,
        tools.explain_match,
    ),
    ToolSpec(
        "verify_business",
        "Verify a business",
        "Compare what a customer claims (legal name, jurisdiction, registration number, address, people) with the register, field "
        "by field. If the register does not respond in time, `status` is `pending`: call again with `verificationId`.",
        Scope.VERIFY_WRITE,
        tool_inputs.VerifyToolInput,
        tools.verify_business,
        is_read_only=False,
        is_open_world=True,
    ),
    ToolSpec(
        "screen_sanctions",
        "Screen sanctions lists",
        "Compare a name with every party of the sanctions lists. A hit is a possible match that a person has to review, never a "
        "decision. No hit is a clear result only if `isComplete` is true.",
        Scope.SANCTIONS_WRITE,
        tool_inputs.ScreenToolInput,
        tools.screen_sanctions,
        is_read_only=False,
    ),
    ToolSpec(
        "get_business",
        "Read a business record",
        "Read a business record of the organization: its data, latest checks, risk rating and the state of its monitoring.",
        Scope.BUSINESSES_READ,
        tool_inputs.ReadBusinessToolInput,
        tools.get_business,
    ),
    ToolSpec(
        "get_coverage",
        "Read the coverage",
        "List the registers, regulators and sanctions lists that can be checked now, the age of their data and their gaps, and "
        "where a person can look where no program can.",
        Scope.SEARCH_READ,
        tool_inputs.CoverageToolInput,
        tools.get_coverage,
    ),
    ToolSpec(
        "list_events",
        "List events",
        "List what has changed in the organization since a time or a cursor, oldest first: new sanctions hits, changes in "
        "registers, finished checks. Keep `cursor` to continue later without gaps.",
        Scope.EVENTS_READ,
        tool_inputs.EventsToolInput,
        tools.list_events,
    ),
    ToolSpec(
        "get_registry_report",
        "Get a registry report",
        "Return everything that a register publishes about one registration: names, status, addresses, people and history. A "
        "recent stored report is reused.",
        Scope.REPORTS_WRITE,
        tool_inputs.ReportToolInput,
        tools.get_registry_report,
        is_read_only=False,
        is_open_world=True,
    ),
)
_BY_NAME = {tool.name: tool for tool in TOOLS}


def list_tools(principal: Principal) -> list[ToolSpec[Any]]:
    """The tools that the key may call."""
    return [tool for tool in TOOLS if tool.scope in principal.scopes]


def find_tool(name: str) -> ToolSpec[Any] | None:
    """The tool with this name; None if there is none."""
    return _BY_NAME.get(name)


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a call returns: an answer or an error as JSON values."""

    content: Mapping[str, Any]
    is_error: bool


async def call_tool(caller: ToolCaller, tool: ToolSpec[Any], arguments: Mapping[str, Any]) -> ToolOutcome:
    """Call a tool. Errors are returned, so that a model can read and correct them; unexpected ones are logged."""
    try:
        _check_scope(caller, tool)
        answer = await tool.run(caller, arguments)
    except ValidationError as error:
        return _to_outcome(caller, to_api_error(error, tool.arguments))
    except ApiError as error:
        return _to_outcome(caller, error)
    except Exception:  # noqa: BLE001 - the log has the traceback, the caller only the ID of the request
        _log.exception("tool.failed", tool=tool.name)
        return _to_outcome(caller, InternalFailure())
    return ToolOutcome(write_answer(answer, caller.language), is_error=False)


def _check_scope(caller: ToolCaller, tool: ToolSpec[Any]) -> None:
    if tool.scope not in caller.principal.scopes:
        raise ScopeMissing(Message("This API key lacks the scope `{scope}`, which the tool requires.", scope=tool.scope.value))


def _to_outcome(caller: ToolCaller, error: ApiError) -> ToolOutcome:
    content: dict[str, Any] = {"error": translate(error.message, caller.language), "code": error.code}
    if isinstance(error, ValidationFailed) and error.details:
        content["details"] = [
            {"path": problem.path, "message": translate(problem.message, caller.language)} for problem in error.details
        ]
    if "Retry-After" in error.headers:
        content["retryAfterSeconds"] = int(error.headers["Retry-After"])
    if caller.request_id is not None:
        content["requestId"] = caller.request_id
    return ToolOutcome(content, is_error=True)
