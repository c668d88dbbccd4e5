"""Scrapers, tasks and the items that runs return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Generic,
    Iterable,
    List,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypedDict,
    TypeVar,
    Union,
    cast,
    overload,
)

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

I = TypeVar("I", bound=Mapping[str, object])
T = TypeVar("T")
JsonObject = Dict[str, Any]


@dataclass(frozen=True)
class Task(Generic[T]):
    """A scraper with its input. `T` is the type of its items."""

    slug: str
    input: Mapping[str, Any]


@dataclass(frozen=True)
class Scraper(Generic[I, T]):
    """A scraper with the types of its input and items. Call it with an input to get a task."""

    slug: str

    def __call__(self, input: I) -> Task[T]:
        return Task(self.slug, input)


@overload
def recipe(slug: str) -> Scraper[JsonObject, JsonObject]: ...
@overload
def recipe(slug: str, item: Type[T]) -> Scraper[JsonObject, T]: ...
def recipe(slug: str, item: Optional[Type[Any]] = None) -> Scraper[JsonObject, Any]:
    """Names a recipe of the account. Its items have the type that you give.

    >>> recipe("shop-products")({"urls": ["https://shop.example/p/1"]}).slug
    'shop-products'
    """
    return Scraper(slug)


class Error(TypedDict, total=False):
    code: str
    message: str
    statusCode: int


class ErrorItem(TypedDict):
    """The item of a target that failed. It also has the fields that name the target."""

    error: Error


def is_error_item(item: object) -> TypeGuard[ErrorItem]:
    """Returns whether an item reports a failed target.

    >>> is_error_item({"input": "flask", "error": {"code": "not_found", "message": "…"}})
    True
    """
    error = item.get("error") if isinstance(item, dict) else None
    return isinstance(error, dict) and isinstance(error.get("code"), str)


def split(mixed: Iterable[Union[T, ErrorItem]]) -> Tuple[List[T], List[ErrorItem]]:
    """Returns the good items, and the failed targets."""
    items: List[T] = []
    errors: List[ErrorItem] = []
    for item in mixed:
        if is_error_item(item):
            errors.append(item)
        else:
            items.append(cast(T, item))
    return items, errors


def to_dataframe(items: Iterable[object]) -> Any:
    """Returns a pandas data frame with one row for each item. Nested objects become columns such as `offer.price`."""
    try:
        import pandas
    except ImportError:
        message = "Data frames need pandas: install trawl-client[pandas]."
        raise ImportError(message) from None
    return pandas.json_normalize([item for item in items if isinstance(item, dict)])
