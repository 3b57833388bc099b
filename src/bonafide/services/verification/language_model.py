"""Client of a language model, for the OpenAI and Anthropic protocols.

Every request goes through `net/fetch`, with its time limits, size limit and address guard, and without redirects.
"""

import asyncio
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, Field, JsonValue, ValidationError

from bonafide.errors import ParseFailed, SourceNotFound, SourceTimeout
from bonafide.net.fetch import Fetcher
from bonafide.net.http_messages import SourceRequest
from bonafide.settings import LanguageModelKind, Settings

MAX_ANSWER_TOKENS = 4096
"""More is no rephrasing of a summary. Anthropic's protocol wants a limit; the other's has two names for it, so none is sent."""
ANTHROPIC_VERSION = "2023-06-01"


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    """`POST /chat/completions`, as far as it is read."""

    choices: Annotated[list[_Choice], Field(min_length=1)]

    @property
    def reply(self) -> str:
        return self.choices[0].message.content


class _Block(BaseModel):
    type: str
    text: str = ""


class _AnthropicMessage(BaseModel):
    """`POST /v1/messages`, as far as it is read."""

    content: Annotated[list[_Block], Field(min_length=1)]

    @property
    def reply(self) -> str:
        return "".join(block.text for block in self.content if block.type == "text")


async def complete_prompt(fetcher: Fetcher, settings: Settings, instructions: str, question: str, limit_s: float) -> str:
    """Return the reply of the model within so many seconds. Raises `SourceError` or `AddressRefused`."""
    request, response_type = _build_request(settings, instructions, question)
    try:
        async with asyncio.timeout(limit_s):
            response = await fetcher.send(request)
    except TimeoutError as error:
        raise SourceTimeout(f"the language model did not answer within {limit_s:g} s") from error
    if not response.found:
        raise SourceNotFound(f"the language model's address has nothing there, or not this model (HTTP {response.status})")
    try:
        return response_type.model_validate_json(response.body).reply
    except ValidationError:
        # Not chained: the error would carry the model's reply into the log.
        raise ParseFailed("the language model's answer is not in the layout of its protocol") from None


def _build_request(
    settings: Settings, instructions: str, question: str
) -> tuple[SourceRequest, type[_Completion] | type[_AnthropicMessage]]:
    base, key = (settings.llm_url or "").rstrip("/"), settings.llm_key
    secret = key.get_secret_value() if key is not None else None
    message: JsonValue = {"role": "user", "content": question}
    if settings.llm_kind is LanguageModelKind.ANTHROPIC:
        headers = {"anthropic-version": ANTHROPIC_VERSION, **({"x-api-key": secret} if secret is not None else {})}
        body: dict[str, JsonValue] = {"max_tokens": MAX_ANSWER_TOKENS, "system": instructions, "messages": [message]}
        return _build_post_request(settings, f"{base}/v1/messages", headers, body), _AnthropicMessage
    headers = {"Authorization": f"Bearer {secret}"} if secret is not None else {}
    body = {"stream": False, "messages": [{"role": "system", "content": instructions}, message]}
    return _build_post_request(settings, f"{base}/chat/completions", headers, body), _Completion


def _build_post_request(settings: Settings, url: str, headers: Mapping[str, str], body: dict[str, JsonValue]) -> SourceRequest:
    return SourceRequest(url, headers=headers, method="POST", json={"model": settings.llm_model, **body})
