"""The client of one Trawl server."""

from __future__ import annotations

from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Dict,
    List,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
    cast,
    overload,
)

from .._errors import RunFailed
from .._items import ErrorItem, Task, is_error_item, split
from .._protocol import (
    Query,
    Settings,
    api_path,
    camel_keys,
    fields_text,
    keyless_error,
    part,
    random_key,
)
from .._results import (
    KeylessResult,
    RunOptions,
    RunResult,
    ScrapedFields,
    SearchOptions,
    SearchResult,
    StartOptions,
)
from .automation import AsyncMonitors, AsyncRecipes, AsyncSchedules
from .http import AsyncHttp, poll
from .resources import AsyncBatches, AsyncDatasets, AsyncRuns
from .transport import AsyncTransport, default_transport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._api import Account, Run, RunEstimate, SiteMap
    from .._slugs import Slug
    from ..scrapers import UrlToMarkdownScraperItem

T = TypeVar("T")
JsonObject = Dict[str, Any]

#: Tokens of one response without a key. The next page of items is requested after them.
_max_tokens = 1_000_000
_default_wait = 300.0


class AsyncClient:
    """A client of one Trawl server.

    >>> async with AsyncClient(api_key="trawl_live_…") as trawl:
    ...     result = await trawl.run("pypi-package-scraper", {"packages": ["flask"]})

    Without `api_key`, only `scrape`, `run_keyless` and `search` work, within the daily free quota.
    After 429, 503 or a lost connection, a request is sent again, `max_retries` times at most.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        *,
        api_key: Optional[str] = None,
        agent_id: Optional[str] = None,
        max_retries: int = 4,
        max_retry_delay: float = 60.0,
        request_timeout: float = 120.0,
        transport: Optional[AsyncTransport] = None,
    ) -> None:
        self._settings = Settings(
            base_url=base_url,
            api_key=api_key,
            agent_id=agent_id,
            max_retries=max_retries,
            max_retry_delay=max_retry_delay,
            request_timeout=request_timeout,
        )
        self._http = AsyncHttp(self._settings, transport or default_transport())
        self.runs = AsyncRuns(self._http)
        self.datasets = AsyncDatasets(self._http)
        self.batches = AsyncBatches(self._http)
        self.schedules = AsyncSchedules(self._http)
        self.monitors = AsyncMonitors(self._http)
        self.recipes = AsyncRecipes(self._http)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.transport.aclose()

    @property
    def agent_id(self) -> Optional[str]:
        """Identity of an agent without a key. Store it to keep the same identity later."""
        return self._settings.agent_id

    @overload
    async def scrape(
        self, url: str, *, max_age: Optional[int] = None, wait_timeout: float = _default_wait
    ) -> UrlToMarkdownScraperItem: ...
    @overload
    async def scrape(
        self,
        url: str,
        *,
        fields: Mapping[str, str],
        max_age: Optional[int] = None,
        wait_timeout: float = _default_wait,
    ) -> ScrapedFields: ...
    async def scrape(
        self,
        url: str,
        *,
        fields: Optional[Mapping[str, str]] = None,
        max_age: Optional[int] = None,
        wait_timeout: float = _default_wait,
    ) -> Any:
        """Reads one page as Markdown, or its fields by CSS selectors. Works without a key.

        `fields` has selectors by name, for example `{"title": "h1", "[]links": "a @href"}`.
        """
        text = None if fields is None else fields_text(fields)
        query: Query = {"url": url, "fields": text, "maxTokens": _max_tokens, "maxAge": max_age}
        items, errors, _ = await self._keyless(
            "GET", "/api/scrape", query=query, timeout=wait_timeout
        )
        if not items:
            raise RunFailed(None, errors)
        return items[0]

    @overload
    async def run_keyless(
        self,
        scraper: Task[T],
        *,
        max_age: Optional[int] = None,
        wait_timeout: float = _default_wait,
    ) -> KeylessResult[T]: ...
    @overload
    async def run_keyless(
        self,
        scraper: Slug,
        input: Mapping[str, Any],
        *,
        max_age: Optional[int] = None,
        wait_timeout: float = _default_wait,
    ) -> KeylessResult[JsonObject]: ...
    async def run_keyless(
        self,
        scraper: Union[Task[Any], str],
        input: Optional[Mapping[str, Any]] = None,
        *,
        max_age: Optional[int] = None,
        wait_timeout: float = _default_wait,
    ) -> KeylessResult[Any]:
        """Runs a scraper without a key, within the daily free quota."""
        task = task_of(scraper, input)
        options = {"agentId": self.agent_id, "maxAge": max_age}
        body = {
            "scraper": task.slug,
            "input": dict(task.input),
            "maxTokens": _max_tokens,
            **{name: value for name, value in options.items() if value is not None},
        }
        items, errors, page = await self._keyless(
            "POST", "/api/agent/scrape", body=body, timeout=wait_timeout
        )
        if not items and errors:
            raise RunFailed(None, errors)
        return KeylessResult(items, errors, page["agentId"], page["free"])

    async def search(self, query: str, **options: Unpack[SearchOptions]) -> List[SearchResult]:
        """Searches the web with several engines. Works without a key."""
        parameters = {**camel_keys(options), "q": query}
        if "engines" in options:
            parameters["engines"] = ",".join(options["engines"])
        items, _, _ = await self._keyless(
            "GET", "/api/search", query=parameters, timeout=_default_wait
        )
        return items

    @overload
    async def run(self, scraper: Task[T], **options: Unpack[RunOptions]) -> RunResult[T]: ...
    @overload
    async def run(
        self, scraper: Slug, input: Mapping[str, Any], **options: Unpack[RunOptions]
    ) -> RunResult[JsonObject]: ...
    async def run(
        self,
        scraper: Union[Task[Any], str],
        input: Optional[Mapping[str, Any]] = None,
        **options: Unpack[RunOptions],
    ) -> RunResult[Any]:
        """Runs a scraper, waits for its end, and returns all items.

        Raises `RunFailed` if the run ended without items.
        """
        run = await self._finished(task_of(scraper, input), options)
        mixed = [item async for item in self.datasets.items(run["datasetId"])]
        items, errors = split(mixed)
        if run["status"] != "succeeded" and not items:
            raise RunFailed(run, errors)
        return RunResult(run, items, errors)

    @overload
    def iterate(self, scraper: Task[T], **options: Unpack[RunOptions]) -> AsyncIterator[T]: ...
    @overload
    def iterate(
        self, scraper: Slug, input: Mapping[str, Any], **options: Unpack[RunOptions]
    ) -> AsyncIterator[JsonObject]: ...
    async def iterate(
        self,
        scraper: Union[Task[Any], str],
        input: Optional[Mapping[str, Any]] = None,
        **options: Unpack[RunOptions],
    ) -> AsyncIterator[Any]:
        """Runs a scraper, waits for its end, and yields its good items.

        Pages of items are requested one after the other, so that a large dataset is never in memory.
        """
        run = await self._finished(task_of(scraper, input), options)
        count = 0
        errors: List[ErrorItem] = []
        async for item in self.datasets.items(run["datasetId"]):
            if not is_error_item(item):
                count += 1
                yield item
            elif len(errors) < 10:
                errors.append(item)
        if run["status"] != "succeeded" and count == 0:
            raise RunFailed(run, errors)

    @overload
    async def start(self, scraper: Task[Any], **options: Unpack[StartOptions]) -> Run: ...
    @overload
    async def start(
        self, scraper: Slug, input: Mapping[str, Any], **options: Unpack[StartOptions]
    ) -> Run: ...
    async def start(
        self,
        scraper: Union[Task[Any], str],
        input: Optional[Mapping[str, Any]] = None,
        **options: Unpack[StartOptions],
    ) -> Run:
        """Starts a run. It is stored when this returns."""
        return await self._start(task_of(scraper, input), options)

    async def wait(self, run_id: str, *, timeout: Optional[float] = None) -> Run:
        """Returns the run once it has finished. Raises `WaitTimeout` after `timeout` seconds."""
        return await self.runs.wait(run_id, timeout=timeout)

    async def abort(self, run_id: str) -> Run:
        return await self.runs.abort(run_id)

    @overload
    async def estimate(self, scraper: Task[Any]) -> RunEstimate: ...
    @overload
    async def estimate(self, scraper: Slug, input: Mapping[str, Any]) -> RunEstimate: ...
    async def estimate(
        self, scraper: Union[Task[Any], str], input: Optional[Mapping[str, Any]] = None
    ) -> RunEstimate:
        """Returns the number of targets and the minimum credits of a run."""
        task = task_of(scraper, input)
        path = f"/api/v1/scrapers/{part(task.slug)}/estimate"
        return cast("RunEstimate", await self._http.json("POST", path, body=dict(task.input)))

    async def map(
        self,
        url: str,
        *,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        include_subdomains: Optional[bool] = None,
    ) -> SiteMap:
        """Returns the URLs and titles of a site."""
        query: Query = {
            "url": url,
            "search": search,
            "limit": limit,
            "includeSubdomains": include_subdomains,
        }
        return cast("SiteMap", await self._http.json("GET", "/api/v1/map", query=query))

    async def me(self) -> Account:
        """Returns the account with its credits and usage."""
        return cast("Account", await self._http.json("GET", "/api/v1/me"))

    async def request(
        self, method: str, path: str, *, query: Optional[Query] = None, body: Any = None
    ) -> Any:
        """Calls any route of the API that has no method here, and returns its JSON."""
        return await self._http.json(method, path, query=query, body=body)

    async def _start(self, task: Task[Any], options: Mapping[str, Any]) -> Run:
        limits = dict(options)
        limits.pop("wait_timeout", None)
        key = limits.pop("idempotency_key", None) or random_key()
        if "unique_by" in limits:
            limits["unique_by"] = ",".join(limits["unique_by"])
        run = await self._http.json(
            "POST",
            f"/api/v1/scrapers/{part(task.slug)}/runs",
            query=camel_keys(limits),
            body=dict(task.input),
            idempotency_key=key,
        )
        return cast("Run", run)

    async def _finished(self, task: Task[Any], options: Mapping[str, Any]) -> Run:
        run = await self._start(task, options)
        return await self.runs.wait(run["id"], timeout=options.get("wait_timeout"))

    async def _keyless(
        self,
        method: str,
        path: str,
        *,
        timeout: float,
        query: Optional[Query] = None,
        body: Any = None,
    ) -> Tuple[List[Any], List[ErrorItem], JsonObject]:
        """Calls a route that works without a key, waits for its result, and reads all of its pages."""
        page: JsonObject = await self._http.json(method, path, query=query, body=body)
        if page.get("status") == "RUNNING":
            place = api_path(page["resultUrl"])

            async def read(_: float) -> Optional[JsonObject]:
                result: JsonObject = await self._http.json("GET", place)
                return None if result.get("status") == "RUNNING" else result

            page = await poll(place, read, timeout)
        if self._settings.agent_id is None:
            self._settings.agent_id = page.get("agentId")
        first = page
        mixed: List[Any] = []
        while True:
            if page.get("status") != "SUCCEEDED":
                raise keyless_error(page)
            mixed += page["items"]
            if "next" not in page:
                break
            page = await self._http.json("GET", api_path(page["next"]))
        items, errors = split(mixed)
        return items, errors, first


def task_of(scraper: Union[Task[Any], str], input: Optional[Mapping[str, Any]]) -> Task[Any]:
    """Returns the task of a call: a task, or a slug with its input."""
    if isinstance(scraper, Task):
        return scraper
    return Task(scraper, {} if input is None else input)
