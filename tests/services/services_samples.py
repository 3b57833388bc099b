"""Short ways to ask the services, for tests."""

from typing import Any

from bonafide.model.organization import Principal
from bonafide.model.query import SearchRequest
from bonafide.model.result import SearchMeta, SearchResult, SearchStatus
from bonafide.runtime import Runtime
from bonafide.services.search import create_search


async def search(runtime: Runtime, principal: Principal, **request: Any) -> SearchResult:
    """The document of a search, as it was answered."""
    answer = await create_search(runtime, principal, SearchRequest.model_validate(request), respond_async=False)
    return SearchResult.model_validate_json(answer.body)


def completed(result: SearchResult) -> SearchMeta:
    """The meta of a search that met no error."""
    assert (result.meta.status, result.errors) == (SearchStatus.COMPLETED, None)
    return result.meta
