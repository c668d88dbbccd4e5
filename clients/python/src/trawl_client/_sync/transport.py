"""How the blocking client sends requests and waits."""

from __future__ import annotations

import time
from typing import Optional

from .. import _urllib
from .._protocol import Request, Response, Sink


class Transport:
    """Sends requests with the standard library."""

    def send(self, request: Request, sink: Optional[Sink] = None) -> Response:
        return _urllib.send(request, sink)

    def close(self) -> None:
        """There is nothing to close: each request has its own connection."""


def default_transport() -> Transport:
    return Transport()


def pause(seconds: float) -> None:
    time.sleep(seconds)
