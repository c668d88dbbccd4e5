"""Schedules, monitors and recipes."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Dict,
    Literal,
    Mapping,
    Optional,
    Sequence,
    TypedDict,
    cast,
)

from .._items import Task
from .._protocol import camel_keys, part, random_key
from .http import AsyncHttp

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._api import ListedSchedule, Monitor, MonitorChanges, Recipe, Run, Schedule


class ScheduleOptions(TypedDict, total=False):
    #: Default UTC.
    time_zone: str
    name: str
    enabled: bool
    misfire_policy: Literal["skip", "run_once"]
    #: Conditions of a monitor, for example `[{"when": "changed", "field": "version"}]`.
    conditions: Optional[Sequence[Mapping[str, Any]]]
    tags: Sequence[str]
    #: Name of the session with which pages of its hosts are fetched.
    session: str
    #: Name of the destination that receives the items.
    destination: str


class ScheduleChanges(ScheduleOptions, total=False):
    cron: str
    input: Mapping[str, Any]
    muted_until: Optional[str]


class AsyncSchedules:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self, task: Task[Any], *, cron: str, **options: Unpack[ScheduleOptions]
    ) -> Schedule:
        """Runs a task at the times of five fields, for example `0 6 * * *`."""
        body = {
            "scraper": task.slug,
            "input": dict(task.input),
            "cron": cron,
            **camel_keys(options),
        }
        path = "/api/v1/schedules"
        schedule = await self._http.json("POST", path, body=body, idempotency_key=random_key())
        return cast("Schedule", schedule)

    async def get(self, schedule_id: str) -> Schedule:
        path = f"/api/v1/schedules/{part(schedule_id)}"
        return cast("Schedule", await self._http.json("GET", path))

    def list(self) -> AsyncIterator[ListedSchedule]:
        return self._http.paged("/api/v1/schedules", {})

    async def change(self, schedule_id: str, **changes: Unpack[ScheduleChanges]) -> Schedule:
        path = f"/api/v1/schedules/{part(schedule_id)}"
        return cast("Schedule", await self._http.json("PATCH", path, body=camel_keys(changes)))

    async def run(self, schedule_id: str) -> Run:
        """Starts a run of the schedule now."""
        path = f"/api/v1/schedules/{part(schedule_id)}/run"
        return cast("Run", await self._http.json("POST", path, idempotency_key=random_key()))

    async def delete(self, schedule_id: str) -> None:
        await self._http.json("DELETE", f"/api/v1/schedules/{part(schedule_id)}")


class AsyncMonitors:
    """The values that schedules watch."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(self, schedule_id: str, *, limit: Optional[int] = None) -> Monitor:
        path = f"/api/v1/monitors/{part(schedule_id)}"
        return cast("Monitor", await self._http.json("GET", path, query={"limit": limit}))

    def list(self, *, tag: Optional[str] = None) -> AsyncIterator[Monitor]:
        return self._http.paged("/api/v1/monitors", {"tag": tag})

    async def changes(self, schedule_id: str, *, limit: Optional[int] = None) -> MonitorChanges:
        """Returns the changes as `items`, the newest first."""
        path = f"/api/v1/monitors/{part(schedule_id)}/changes"
        return cast("MonitorChanges", await self._http.json("GET", path, query={"limit": limit}))


class RecipeChanges(TypedDict, total=False):
    name: str
    description: Optional[str]
    pattern: str
    input: Mapping[str, Any]
    session: Optional[str]
    destination: Optional[str]


class AsyncRecipes:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self,
        slug: str,
        *,
        name: str,
        pattern: str,
        input: Mapping[str, Any],
        description: Optional[str] = None,
        session: Optional[str] = None,
        destination: Optional[str] = None,
    ) -> Recipe:
        """Creates a scraper of the account.

        `pattern` has the URLs that it is for, for example `shop.example/p/*`. `input` is that of
        `web-scraper`, without the URLs.
        """
        options = {"description": description, "session": session, "destination": destination}
        body: Dict[str, Any] = {
            "slug": slug,
            "name": name,
            "pattern": pattern,
            "input": dict(input),
            **{option: value for option, value in options.items() if value is not None},
        }
        return cast("Recipe", await self._http.json("POST", "/api/v1/recipes", body=body))

    async def get(self, recipe_id: str) -> Recipe:
        return cast("Recipe", await self._http.json("GET", f"/api/v1/recipes/{part(recipe_id)}"))

    def list(self) -> AsyncIterator[Recipe]:
        return self._http.paged("/api/v1/recipes", {})

    async def change(self, recipe_id: str, **changes: Unpack[RecipeChanges]) -> Recipe:
        path = f"/api/v1/recipes/{part(recipe_id)}"
        return cast("Recipe", await self._http.json("PATCH", path, body=dict(changes)))

    async def delete(self, recipe_id: str) -> None:
        await self._http.json("DELETE", f"/api/v1/recipes/{part(recipe_id)}")
