"""Sends requests with the standard library."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from typing import IO, Any, Optional

from ._protocol import Request, Response, Sink, TransportError

_part_bytes = 256 * 1024


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the API key to another server."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def send(request: Request, sink: Optional[Sink] = None) -> Response:
    """Sends a request. The body of a success goes to the sink, if there is one."""
    message = urllib.request.Request(
        request.url, data=request.body, headers=request.headers, method=request.method
    )
    try:
        try:
            with _opener.open(message, timeout=request.timeout) as reply:
                body = b"" if sink else reply.read()
                if sink:
                    _copy(reply, sink)
                return Response(reply.status, _headers(reply.headers), body)
        except urllib.error.HTTPError as error:
            with error:
                return Response(error.code, _headers(error.headers), error.read())
    except (OSError, http.client.HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise TransportError(str(reason) or type(error).__name__) from error


def _copy(reply: IO[bytes], sink: Sink) -> None:
    while part := reply.read(_part_bytes):
        sink.write(part)


def _headers(headers: Any) -> "dict[str, str]":
    return {name.lower(): value for name, value in headers.items()}
