"""Requests and responses, without sending them."""

from __future__ import annotations

import json
import random
import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional, Protocol, Sequence, Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

from ._errors import ApiError, OutOfCredit, RunFailed, TrawlError, api_error
from ._items import is_error_item

Scalar = Union[str, int, float, bool]
QueryValue = Union[Scalar, Sequence[Scalar], None]
Query = Mapping[str, QueryValue]


class Sink(Protocol):
    """Receives the parts of a body, as a file does."""

    def write(self, part: bytes, /) -> object: ...


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Dict[str, str]
    body: Optional[bytes]
    #: Seconds without any byte after which the request fails.
    timeout: float
    #: A request whose response was lost is only repeated if that cannot create something twice.
    is_repeatable: bool


@dataclass(frozen=True)
class Response:
    status: int
    #: Names in small letters.
    headers: Mapping[str, str]
    #: Empty if a sink received it.
    body: bytes


class TransportError(Exception):
    """The request did not reach the server, or its response was lost."""


@dataclass
class Settings:
    base_url: str = "http://127.0.0.1:8080"
    api_key: Optional[str] = field(default=None, repr=False)
    agent_id: Optional[str] = None
    max_retries: int = 4
    max_retry_delay: float = 60.0
    request_timeout: float = 120.0

    def __post_init__(self) -> None:
        self.base_url = self.base_url.rstrip("/")
        if not re.match(r"https?://", self.base_url):
            message = f'base_url must start with http:// or https://: "{self.base_url}".'
            raise TrawlError(message)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Query] = None,
        json_body: Any = None,
        content: Optional[Tuple[str, bytes]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Request:
        """Returns a request to a path of the server."""
        if not path.startswith("/"):
            raise TrawlError(f'A path starts with "/": "{path}".')
        headers = {"accept": "*/*", "user-agent": "trawl-client-python"}
        if self.api_key is not None:
            headers["authorization"] = f"Bearer {self.api_key}"
        elif self.agent_id is not None:
            headers["x-trawl-agent"] = self.agent_id
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        body = None
        if content is not None:
            headers["content-type"], body = content
        elif json_body is not None:
            headers["content-type"] = "application/json"
            body = json.dumps(json_body).encode()
        pairs = query_pairs(query or {})
        separator = "&" if "?" in path else "?"
        return Request(
            method=method,
            url=self.base_url + path + (separator + urlencode(pairs) if pairs else ""),
            headers=headers,
            body=body,
            timeout=self.request_timeout,
            is_repeatable=method in ("GET", "DELETE") or idempotency_key is not None,
        )

    def retry_delay(self, tries: int, response: Optional[Response], error: ApiError) -> float:
        """Returns the seconds before the next try. Raises the error if there is none."""
        asked = error.retry_after
        delay = backoff(tries) if asked is None else asked
        is_busy = response is not None and response.status in (429, 503)
        if not is_busy or tries >= self.max_retries or delay > self.max_retry_delay:
            raise error
        return delay


def backoff(tries: int) -> float:
    """From 0.5 to 1 second at first, doubled for each try."""
    return 0.5 * float(2**tries) * (1 + random.random())


def random_key() -> str:
    return secrets.token_hex(16)


def part(text: str) -> str:
    """Returns a text as one part of a path."""
    return quote(text, safe="")


def camel(name: str) -> str:
    """Returns the API's name of an option.

    >>> camel("max_items")
    'maxItems'
    """
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def camel_keys(options: Mapping[str, Any]) -> Dict[str, Any]:
    return {camel(name): value for name, value in options.items()}


def query_pairs(query: Query) -> List[Tuple[str, str]]:
    pairs: List[Tuple[str, str]] = []
    for name, value in query.items():
        several = value if isinstance(value, (list, tuple)) else [value]
        for one in several:
            if one is not None:
                text = ("true" if one else "false") if isinstance(one, bool) else str(one)
                pairs.append((name, text))
    return pairs


def parsed(response: Response, url: str) -> Any:
    """Returns the JSON of a response."""
    if response.body == b"":
        return None
    try:
        return json.loads(response.body)
    except ValueError:
        message = f"{url.split('?')[0]} did not return JSON: is this a Trawl server?"
        raise TrawlError(message) from None


def refusal(response: Response, url: str) -> ApiError:
    """Returns the error of a response that is not a success."""
    try:
        body = json.loads(response.body)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    error = body.get("error")
    details = error if isinstance(error, dict) else {"message": error}
    status = response.status
    text = response.body[:200].decode("utf-8", "replace")
    message = f"The server responded with status {status}: {text}"
    if 300 <= status < 400:
        location = response.headers.get("location", "another URL")
        message = f"{url.split('?')[0]} redirects to {location}: set base_url to the server's own URL."
    code = details.get("code")
    return api_error(
        status,
        details.get("message") or message,
        code=code if isinstance(code, str) else None,
        details=details.get("details"),
        retry_after=seconds_in(response.headers.get("retry-after")),
        links=body,
    )


def seconds_in(header: Optional[str]) -> Optional[float]:
    """Returns the seconds of `Retry-After`: a number, or a date."""
    if header is None:
        return None
    if header.isdigit():
        return float(header)
    try:
        date = parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())


def api_path(url: str) -> str:
    """Returns the path of a URL that the server returned: its own name for itself can differ from `base_url`."""
    parts = urlsplit(url)
    path = parts.path[max(0, parts.path.rfind("/api/")) :]
    return f"{path}?{parts.query}" if parts.query else path


_statuses = {"INVALID_INPUT": 400, "USAGE": 400, "PAYMENT_REQUIRED": 402}


def keyless_error(page: Mapping[str, Any]) -> Union[ApiError, RunFailed]:
    """Returns the error of a call without a key, whose HTTP status is 200."""
    status = str(page.get("status"))
    error = page.get("error")
    failed = [item for item in page.get("items", []) if is_error_item(item)]
    if status == "ERROR" and failed:
        return RunFailed(None, failed)
    details = error if isinstance(error, dict) else {"message": error}
    message = details.get("message") or f"The call ended with status {status}."
    if status == "PAYMENT_REQUIRED":
        return OutOfCredit(402, "out_of_credit", message, links=page)
    more = details.get("details")
    # A search whose engines all failed names the code in its details.
    code = more.get("code") if isinstance(more, dict) else None
    return api_error(_statuses.get(status, 500), message, code=code, details=more)


def fields_text(fields: Mapping[str, str]) -> str:
    r"""Returns field definitions as one parameter.

    >>> fields_text({"title": "h1", "[]links": "a @href"})
    'title: h1|[]links: a @href'
    """
    escaped = {name: selector.replace("|", "\\|") for name, selector in fields.items()}
    return "|".join(f"{name}: {selector}" for name, selector in escaped.items())
