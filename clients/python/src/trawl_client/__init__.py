"""Client of Trawl, a self-hosted web-scraping service.

>>> from trawl_client import Client
>>> page = Client().scrape("https://example.com")  # doctest: +SKIP
"""

from ._async.client import AsyncClient
from ._async.transport import AsyncTransport, HttpxTransport, ThreadTransport
from ._errors import (
    ApiError,
    Conflict,
    ConnectionFailed,
    Forbidden,
    InputIssue,
    InvalidInput,
    NotFound,
    OutOfCredit,
    RateLimited,
    RunFailed,
    TooLarge,
    TrawlError,
    Unauthorized,
    Unavailable,
    WaitTimeout,
)
from ._items import ErrorItem, Scraper, Task, is_error_item, recipe, to_dataframe
from ._results import KeylessResult, RunResult, ScrapedFields, SearchResult
from ._slugs import Slug
from ._sync.client import Client

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncTransport",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "ErrorItem",
    "Forbidden",
    "HttpxTransport",
    "InputIssue",
    "InvalidInput",
    "KeylessResult",
    "NotFound",
    "OutOfCredit",
    "RateLimited",
    "RunFailed",
    "RunResult",
    "ScrapedFields",
    "Scraper",
    "SearchResult",
    "Slug",
    "Task",
    "ThreadTransport",
    "TooLarge",
    "TrawlError",
    "Unauthorized",
    "Unavailable",
    "WaitTimeout",
    "is_error_item",
    "recipe",
    "to_dataframe",
]
__version__ = "0.9.0"
