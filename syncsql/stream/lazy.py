"""A value that is made when it is first asked for, and kept.

Not :func:`functools.cached_property`: before Python 3.12 that holds one lock for all instances of a class while a value
is made. Making the changes of one view runs Spark jobs, and makes others on the way; two views that are computed at the
same time would wait for each other, in the worst case for ever. A value here belongs to one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):
    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy[T] | T:
        if instance is None:
            return self
        # From now on the instance's own attribute is found first.
        value = instance.__dict__[self._name] = self._make(instance)
        return value
