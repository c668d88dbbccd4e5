"""The requests to one server, with retries."""

from __future__ import annotations

import time
from typing import Any, AsyncIterator, Awaitable, Callable, Optional, Tuple, TypeVar

from .._errors import ConnectionFailed, WaitTimeout
from .._protocol import (
    Query,
    Request,
    Response,
    Settings,
    Sink,
    TransportError,
    backoff,
    parsed,
    refusal,
)
from .transport import AsyncTransport, pause


T = TypeVar("T")

_max_poll_seconds = 5.0


class AsyncHttp:
    """Sends requests until the server accepts or refuses them."""

    def __init__(self, settings: Settings, transport: AsyncTransport) -> None:
        self.settings = settings
        self.transport = transport

    async def json(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Query] = None,
        body: Any = None,
        content: Optional[Tuple[str, bytes]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Returns the JSON of a response."""
        request = self.settings.request(
            method,
            path,
            query=query,
            json_body=body,
            content=content,
            idempotency_key=idempotency_key,
        )
        return parsed(await self._send(request), request.url)

    async def download(self, path: str, query: Query, sink: Optional[Sink]) -> bytes:
        """Returns the body of a response, or writes it to a sink."""
        return (await self._send(self.settings.request("GET", path, query=query), sink)).body

    async def _send(self, request: Request, sink: Optional[Sink] = None) -> Response:
        tries = 0
        # A sink that has received a part cannot receive the body again.
        is_repeatable = request.is_repeatable and sink is None
        while True:
            try:
                response = await self.transport.send(request, sink)
            except TransportError as error:
                if not is_repeatable or tries >= self.settings.max_retries:
                    url = request.url.split("?")[0]
                    raise ConnectionFailed(f"The request to {url} failed: {error}") from error
                await pause(min(backoff(tries), self.settings.max_retry_delay))
            else:
                if response.status < 300:
                    return response
                refused = refusal(response, request.url)
                await pause(self.settings.retry_delay(tries, response, refused))
            tries += 1

    async def paged(self, path: str, query: Query) -> AsyncIterator[Any]:
        """Yields the entries of a list, and requests the next page when it is needed."""
        offset = 0
        cursor: Optional[str] = None
        while True:
            place: Query = {"offset": offset} if cursor is None else {"cursor": cursor}
            page = await self.json("GET", path, query={**query, **place})
            for item in page["items"]:
                yield item
            offset += len(page["items"])
            cursor = page["nextCursor"]
            # A sorted list has no cursor.
            if not page["items"] or (cursor is None and offset >= page["total"]):
                return


async def poll(
    id: str, read: Callable[[float], Awaitable[Optional[T]]], timeout: Optional[float]
) -> T:
    """Calls `read` until it returns a value, with pauses that grow to five seconds."""
    end = float("inf") if timeout is None else time.monotonic() + timeout
    tries = 0
    while True:
        started = time.monotonic()
        value = await read(end - started)
        if value is not None:
            return value
        now = time.monotonic()
        if now >= end:
            raise WaitTimeout(id, timeout or 0)
        # A server that waited itself needs no pause.
        seconds = min(0.5 * float(2**tries), _max_poll_seconds) - (now - started)
        if seconds > 0:
            await pause(min(seconds, end - now))
        tries += 1
