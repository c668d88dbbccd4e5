"""Runs, datasets and batches."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import (
    IO,
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Dict,
    Literal,
    Mapping,
    Optional,
    Sequence,
    TypedDict,
    Union,
    cast,
)

from .._files import media_type, read_file
from .._items import Task, to_dataframe
from .._protocol import camel_keys, part, random_key
from .http import AsyncHttp, poll

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._api import (
        Batch,
        Dataset,
        DatasetChange,
        ListedRun,
        LogLine,
        NewDatasetLink,
        Run,
        RunTarget,
    )

RunStatus = Literal[
    "queued", "running", "succeeded", "failed", "timed_out", "aborting", "aborted"
]
ExportFormat = Literal["json", "jsonl", "csv", "xlsx", "parquet", "md"]
JsonObject = Dict[str, Any]

#: Seconds of one wait. Reverse proxies close connections that are idle for longer.
_wait_seconds = 50
_finished = frozenset(["succeeded", "failed", "timed_out", "aborted"])


class ItemOptions(TypedDict, total=False):
    """Which items of a dataset are read, and how."""

    #: Only these fields.
    fields: Sequence[str]
    #: Without these fields.
    omit: Sequence[str]
    #: Conditions that all hold, for example `price<20`.
    filter: Sequence[str]
    #: Fields, with `-` for descending order: `-price`.
    sort: str
    #: Only the first item of those with the same values in these fields.
    unique: str
    #: With `unique`: only items that this dataset does not have. `previous` for the last earlier run.
    since: str
    #: Without error items.
    clean: bool
    #: JSONata expression that replaces each item.
    transform: str
    #: Of a batch: with the row of the file that the input came from, as `source`.
    sources: bool


class ExportOptions(ItemOptions, total=False):
    """What an export contains."""

    #: Columns of a table, in this order.
    columns: Sequence[str]
    limit: int


async def _export(
    http: AsyncHttp,
    place: str,
    format: ExportFormat,
    path: Union[str, "os.PathLike[str]", None],
    options: ExportOptions,
) -> bytes:
    query = {**camel_keys(cast("Dict[str, Any]", options)), "format": format}
    if path is None:
        return await http.download(place, query, None)
    target = Path(path)
    unfinished = target.with_name(target.name + ".part")
    try:
        with unfinished.open("wb") as file:
            await http.download(place, query, file)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return b""


class AsyncRuns:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(self, run_id: str) -> Run:
        return cast("Run", await self._http.json("GET", f"/api/v1/runs/{part(run_id)}"))

    def list(
        self,
        *,
        status: Optional[RunStatus] = None,
        scraper: Optional[str] = None,
        search: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
    ) -> AsyncIterator[ListedRun]:
        """Yields the account's runs, the newest first."""
        query = {
            "status": status,
            "scraper": scraper,
            "search": search,
            "createdAfter": created_after,
            "createdBefore": created_before,
        }
        return self._http.paged("/api/v1/runs", query)

    async def wait(self, run_id: str, *, timeout: Optional[float] = None) -> Run:
        """Returns the run once it has finished. Raises `WaitTimeout` after `timeout` seconds."""

        async def read(remaining: float) -> Optional[Run]:
            seconds = int(min(_wait_seconds, max(0.0, remaining + 0.999)))
            path = f"/api/v1/runs/{part(run_id)}"
            run = await self._http.json("GET", path, query={"waitForFinish": seconds})
            return cast("Run", run) if run["status"] in _finished else None

        return await poll(run_id, read, timeout)

    async def abort(self, run_id: str) -> Run:
        return cast("Run", await self._http.json("POST", f"/api/v1/runs/{part(run_id)}/abort"))

    async def resume(self, run_id: str) -> Run:
        """Continues a failed, aborted or timed-out run."""
        return cast("Run", await self._http.json("POST", f"/api/v1/runs/{part(run_id)}/resume"))

    async def retry(self, run_id: str) -> Run:
        """Runs the failed targets again, into the same dataset."""
        return cast("Run", await self._http.json("POST", f"/api/v1/runs/{part(run_id)}/retry"))

    async def rename(self, run_id: str, title: str) -> Run:
        path = f"/api/v1/runs/{part(run_id)}"
        return cast("Run", await self._http.json("PATCH", path, body={"title": title}))

    async def delete(self, run_id: str) -> None:
        """Deletes a finished run with its items and log."""
        await self._http.json("DELETE", f"/api/v1/runs/{part(run_id)}")

    def log(self, run_id: str) -> AsyncIterator[LogLine]:
        return self._http.paged(f"/api/v1/runs/{part(run_id)}/log", {})

    def targets(
        self, run_id: str, *, state: Optional[Literal["queued", "running", "done", "failed"]] = None
    ) -> AsyncIterator[RunTarget]:
        return self._http.paged(f"/api/v1/runs/{part(run_id)}/targets", {"state": state})


class AsyncDatasets:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(self, dataset_id: str) -> Dataset:
        path = f"/api/v1/datasets/{part(dataset_id)}"
        return cast("Dataset", await self._http.json("GET", path))

    def list(
        self, *, name: Optional[str] = None, search: Optional[str] = None
    ) -> AsyncIterator[Dataset]:
        """Yields the account's datasets, the newest first."""
        return self._http.paged("/api/v1/datasets", {"name": name, "search": search})

    def items(
        self, dataset_id: str, *, page_size: int = 1000, **options: Unpack[ItemOptions]
    ) -> AsyncIterator[JsonObject]:
        """Yields the items of a dataset, including error items unless `clean` is set."""
        path = f"/api/v1/datasets/{part(dataset_id)}/items"
        return self._http.paged(path, {**camel_keys(options), "limit": page_size})

    async def export(
        self,
        dataset_id: str,
        format: ExportFormat,
        path: Union[str, "os.PathLike[str]", None] = None,
        **options: Unpack[ExportOptions],
    ) -> bytes:
        """Writes the dataset to a file. Without `path`, it returns the bytes."""
        place = f"/api/v1/datasets/{part(dataset_id)}/items"
        return await _export(self._http, place, format, path, options)

    async def to_dataframe(self, dataset_id: str, **options: Unpack[ItemOptions]) -> Any:
        """Returns the good items as a pandas data frame. Nested objects become columns such as `offer.price`."""
        options.setdefault("clean", True)
        return to_dataframe([item async for item in self.items(dataset_id, **options)])

    def diff(
        self,
        dataset_id: str,
        *,
        since: str = "previous",
        by: Optional[Sequence[str]] = None,
        fields: Optional[Sequence[str]] = None,
    ) -> AsyncIterator[DatasetChange]:
        """Yields the differences to an earlier dataset, by default that of the last earlier run."""
        query = {"since": since, "by": by, "fields": fields, "limit": 1000}
        return self._http.paged(f"/api/v1/datasets/{part(dataset_id)}/diff", query)

    async def share(
        self, dataset_id: str, *, expires_at: Optional[str] = None, password: Optional[str] = None
    ) -> NewDatasetLink:
        """Creates a link that opens the dataset without a key."""
        options = {"expiresAt": expires_at, "password": password}
        body = {name: value for name, value in options.items() if value is not None}
        path = f"/api/v1/datasets/{part(dataset_id)}/links"
        return cast("NewDatasetLink", await self._http.json("POST", path, body=body))

    async def delete(self, dataset_id: str) -> None:
        await self._http.json("DELETE", f"/api/v1/datasets/{part(dataset_id)}")


class AsyncBatches:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self,
        tasks: Sequence[Task[Any]],
        *,
        name: Optional[str] = None,
        session: Optional[str] = None,
        destination: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Batch:
        """Starts a run for each task, with a session and a destination of the account if they are named."""
        options = {"name": name, "session": session, "destination": destination}
        body: JsonObject = {
            "runs": [{"scraper": task.slug, "input": dict(task.input)} for task in tasks],
            **{option: value for option, value in options.items() if value is not None},
        }
        key = idempotency_key or random_key()
        path = "/api/v1/batches"
        return cast("Batch", await self._http.json("POST", path, body=body, idempotency_key=key))

    async def upload(
        self,
        scraper: str,
        file: Union[str, "os.PathLike[str]", bytes, IO[bytes]],
        *,
        type: Optional[str] = None,
        column: Optional[str] = None,
        field: Optional[str] = None,
        input: Optional[Mapping[str, Any]] = None,
        name: Optional[str] = None,
        session: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Batch:
        """Starts a batch with the values of a file: lines of text, CSV, TSV or Excel.

        `file` is a path, an open file, or the bytes. `type` is its media type: by default that of the
        path's ending, else text/csv. `column` has the values, `field` of the input receives them.
        """
        query = {
            "scraper": scraper,
            "column": column,
            "field": field,
            "name": name,
            "session": session,
            "input": None if input is None else json.dumps(input),
        }
        content = (type or media_type(file), read_file(file))
        batch = await self._http.json(
            "POST",
            "/api/v1/batches/upload",
            query=query,
            content=content,
            idempotency_key=idempotency_key or random_key(),
        )
        return cast("Batch", batch)

    async def get(self, batch_id: str) -> Batch:
        return cast("Batch", await self._http.json("GET", f"/api/v1/batches/{part(batch_id)}"))

    def list(self) -> AsyncIterator[Batch]:
        return self._http.paged("/api/v1/batches", {})

    async def wait(self, batch_id: str, *, timeout: Optional[float] = None) -> Batch:
        """Returns the batch once all of its runs have finished."""

        async def read(_: float) -> Optional[Batch]:
            batch = await self.get(batch_id)
            return batch if batch["status"] == "finished" else None

        return await poll(batch_id, read, timeout)

    def runs(self, batch_id: str) -> AsyncIterator[ListedRun]:
        return self._http.paged(f"/api/v1/batches/{part(batch_id)}/runs", {})

    def items(
        self, batch_id: str, *, page_size: int = 1000, **options: Unpack[ItemOptions]
    ) -> AsyncIterator[JsonObject]:
        """Yields the items of all runs, in the order of the inputs."""
        path = f"/api/v1/batches/{part(batch_id)}/items"
        return self._http.paged(path, {**camel_keys(options), "limit": page_size})

    async def export(
        self,
        batch_id: str,
        format: ExportFormat,
        path: Union[str, "os.PathLike[str]", None] = None,
        **options: Unpack[ExportOptions],
    ) -> bytes:
        """Writes the items of all runs to a file. Without `path`, it returns the bytes."""
        place = f"/api/v1/batches/{part(batch_id)}/items"
        return await _export(self._http, place, format, path, options)

    async def to_dataframe(self, batch_id: str, **options: Unpack[ItemOptions]) -> Any:
        """Returns the good items as a pandas data frame."""
        options.setdefault("clean", True)
        return to_dataframe([item async for item in self.items(batch_id, **options)])

    async def abort(self, batch_id: str) -> Batch:
        path = f"/api/v1/batches/{part(batch_id)}/abort"
        return cast("Batch", await self._http.json("POST", path))

    async def retry(self, batch_id: str) -> Batch:
        """Runs the failed targets again, into the same datasets."""
        path = f"/api/v1/batches/{part(batch_id)}/retry"
        return cast("Batch", await self._http.json("POST", path))
