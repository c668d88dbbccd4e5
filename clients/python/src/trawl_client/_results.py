"""Options and results of the client's methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Generic,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    TypedDict,
    TypeVar,
)

from ._items import ErrorItem, to_dataframe

if TYPE_CHECKING:
    from ._api import Run

T = TypeVar("T")
JsonObject = Dict[str, Any]


class StartOptions(TypedDict, total=False):
    """Limits of a run, and its dataset."""

    #: Maximum items, in addition to the limits of the input.
    max_items: int
    max_pages: int
    max_credits: int
    #: Maximum run time; the run then ends `timed_out`.
    timeout_seconds: int
    #: Maximum seconds in the queue.
    expires_after: int
    #: ID or name of a dataset to which the items are added.
    append_to: str
    #: Fields that identify an item of that dataset.
    unique_by: Sequence[str]
    #: JSONata expression by which the dataset is read.
    transform: str
    #: Name of the session with which pages of its hosts are fetched.
    session: str
    #: Name of the destination that receives the items.
    destination: str
    #: Starting with the same key within 24 hours starts nothing twice. Default: a random one.
    idempotency_key: str


class RunOptions(StartOptions, total=False):
    #: Maximum seconds to wait; then `WaitTimeout` is raised. Default: no limit.
    wait_timeout: float


class SearchOptions(TypedDict, total=False):
    #: Maximum results (1-50, default 10).
    limit: int
    offset: int
    #: Read the pages of this many results as Markdown (0-10, default 0).
    pages: int
    #: Maximum tokens of all results together, about (default 20,000).
    max_tokens: int
    kind: Literal["web", "news"]
    engines: Sequence[str]
    #: Two-letter country code, for example de.
    country: str
    language: str
    time_range: Literal["day", "week", "month", "year"]
    #: Maximum age in seconds of the result of an identical call.
    max_age: int


@dataclass(frozen=True)
class RunResult(Generic[T]):
    """A finished run with its items."""

    run: Run
    items: List[T]
    #: The targets that failed.
    errors: List[ErrorItem]

    def to_dataframe(self) -> Any:
        """Returns the items as a pandas data frame."""
        return to_dataframe(self.items)


@dataclass(frozen=True)
class KeylessResult(Generic[T]):
    """The items of a call without a key."""

    items: List[T]
    errors: List[ErrorItem]
    #: Identity of the agent, also used for later calls of this client.
    agent_id: str
    #: The daily free quota, or what the account paid.
    free: Mapping[str, Any]

    def to_dataframe(self) -> Any:
        """Returns the items as a pandas data frame."""
        return to_dataframe(self.items)


class PageError(TypedDict):
    code: str
    message: str


class _SearchResult(TypedDict):
    #: Number by which a text can cite the result, from 1.
    source: int
    url: str
    title: str
    snippet: Optional[str]
    publishedAt: Optional[str]
    #: The search engines that list the page.
    engines: List[str]
    score: float


class SearchResult(_SearchResult, total=False):
    """A page that search engines list."""

    #: The page as Markdown, if `pages` asked for it and it could be read.
    markdown: str
    #: The page has more text than `markdown`.
    isShortened: bool
    #: The page could not be read.
    pageError: PageError


class ScrapedFields(TypedDict):
    """A page whose fields were read by selectors."""

    url: str
    data: JsonObject
    missing: List[str]
