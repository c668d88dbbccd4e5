"""The errors of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Type, TypedDict

from ._items import ErrorItem

if TYPE_CHECKING:
    from ._api import Run


class _InputIssue(TypedDict):
    field: str
    message: str
    expected: str


class InputIssue(_InputIssue, total=False):
    """One invalid field of an input or a query."""

    #: Index in a list, from 0, if one of its entries is invalid.
    index: int
    actual: Any


class TrawlError(Exception):
    """The base of all errors of this package."""


class ConnectionFailed(TrawlError):
    """The request did not reach the service, or its response was lost."""


class WaitTimeout(TrawlError):
    """The run did not finish in time. It continues: call `wait` again, or `abort`."""

    def __init__(self, id: str, seconds: float) -> None:
        super().__init__(f"{id} did not finish within {seconds:g} s. It continues on the server.")
        self.id = id


class RunFailed(TrawlError):
    """The run ended without any item."""

    def __init__(self, run: Optional[Run], errors: Sequence[ErrorItem]) -> None:
        reason: Mapping[str, Any] = (run and run["error"]) or (errors[0]["error"] if errors else {})
        subject = f"The run {run['id']} ended {run['status']}" if run else "The run failed"
        super().__init__(f"{subject}: {reason.get('message', 'It returned no items.')}")
        self.run = run
        self.errors: List[ErrorItem] = list(errors)
        self.code: str = reason.get("code", run["status"] if run else "failed")


class ApiError(TrawlError):
    """The service refused the request."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: Any = None,
        retry_after: Optional[float] = None,
        links: Optional[Mapping[str, str]] = None,
    ) -> None:
        super().__init__(message)
        #: HTTP status.
        self.status = status
        #: Error code of the API, for example `not_found`.
        self.code = code
        self.details = details
        #: Seconds to wait, with `RateLimited` and `Unavailable`.
        self.retry_after = retry_after
        self._links: Mapping[str, str] = links or {}


class InvalidInput(ApiError):
    """A field of the input, the query or the body is invalid (400)."""

    @property
    def issues(self) -> List[InputIssue]:
        return self.details if isinstance(self.details, list) else []

    @property
    def field(self) -> Optional[str]:
        """The name of the first invalid field."""
        return self.issues[0].get("field") if self.issues else None


class Unauthorized(ApiError):
    """The API key is missing or not valid (401)."""


class OutOfCredit(ApiError):
    """The account, the key or the daily free quota has nothing left (402)."""

    @property
    def claim_url(self) -> Optional[str]:
        """Where a user without an account can sign up, after the daily free quota."""
        return self._links.get("claimUrl")

    @property
    def claim_status_url(self) -> Optional[str]:
        """Returns the API key once the user has signed up."""
        return self._links.get("claimStatusUrl")


class Forbidden(ApiError):
    """The key lacks a scope (403)."""


class NotFound(ApiError):
    """The scraper, run, dataset or other entry does not exist (404)."""


class Conflict(ApiError):
    """The entry exists already, a limit is reached, or the state does not allow the call (409, 422)."""


class TooLarge(ApiError):
    """The body is too large (413)."""


class RateLimited(ApiError):
    """Too many requests (429). The client has already retried."""


class Unavailable(ApiError):
    """The service is stopping or cannot write (503, 507). The client has already retried."""


_classes: Dict[str, Type[ApiError]] = {
    "invalid_input": InvalidInput,
    "unauthorized": Unauthorized,
    "out_of_credit": OutOfCredit,
    "forbidden": Forbidden,
    "not_found": NotFound,
    "conflict": Conflict,
    "idempotency_key_reused": Conflict,
    "payload_too_large": TooLarge,
    "rate_limited": RateLimited,
    "unavailable": Unavailable,
    "disk_full": Unavailable,
}
_codes: Dict[int, str] = {
    400: "invalid_input",
    401: "unauthorized",
    402: "out_of_credit",
    403: "forbidden",
    404: "not_found",
    409: "conflict",
    413: "payload_too_large",
    422: "idempotency_key_reused",
    429: "rate_limited",
    503: "unavailable",
    507: "disk_full",
}


def api_error(
    status: int,
    message: str,
    *,
    code: Optional[str] = None,
    details: Any = None,
    retry_after: Optional[float] = None,
    links: Optional[Mapping[str, str]] = None,
) -> ApiError:
    """Returns the error of a refusal, as the class of its code."""
    name = code or _codes.get(status, "internal_error")
    return _classes.get(name, ApiError)(status, name, message, details, retry_after, links)
