"""How the asynchronous client sends requests and waits."""

from __future__ import annotations

import asyncio
import importlib.util
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Optional, Protocol

from .. import _urllib
from .._protocol import Request, Response, Sink, TransportError

#: Requests at the same time, for each client.
_max_connections = 20


class AsyncTransport(Protocol):
    async def send(self, request: Request, sink: Optional[Sink] = None) -> Response: ...

    async def aclose(self) -> None: ...


class ThreadTransport:
    """Sends requests with the standard library, in threads."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_max_connections, "trawl-client")

    async def send(self, request: Request, sink: Optional[Sink] = None) -> Response:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _urllib.send, request, sink)

    async def aclose(self) -> None:
        self._threads.shutdown(wait=False)


class HttpxTransport:
    """Sends requests with httpx, over connections that stay open."""

    def __init__(self) -> None:
        import httpx

        self._errors = (httpx.HTTPError, httpx.InvalidURL)
        limits = httpx.Limits(max_connections=_max_connections)
        self._client: Any = httpx.AsyncClient(limits=limits, follow_redirects=False)

    async def send(self, request: Request, sink: Optional[Sink] = None) -> Response:
        try:
            async with self._client.stream(
                request.method,
                request.url,
                headers=request.headers,
                content=request.body,
                timeout=request.timeout,
            ) as reply:
                headers = {name.lower(): value for name, value in reply.headers.items()}
                if sink is None or reply.status_code >= 300:
                    return Response(reply.status_code, headers, await reply.aread())
                async for part in reply.aiter_bytes(256 * 1024):
                    await asyncio.to_thread(sink.write, part)
                return Response(reply.status_code, headers, b"")
        except self._errors as error:
            raise TransportError(str(error) or type(error).__name__) from error

    async def aclose(self) -> None:
        await self._client.aclose()


def default_transport() -> AsyncTransport:
    """Returns a transport with httpx if it is installed."""
    return HttpxTransport() if importlib.util.find_spec("httpx") else ThreadTransport()


async def pause(seconds: float) -> None:
    await asyncio.sleep(seconds)
