from __future__ import annotations

import inspect
import typing
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union, get_args, get_origin, get_type_hints

from .context import Context
from .errors import TerminalError


class Secret(str):
    """The type of a parameter that is a secret: a text that Millrace masks wherever it would be shown."""


_missing = object()
_words = {str: "a string", Secret: "a string", int: "a whole number", float: "a number", bool: "true or false",
          list: "a list", dict: "an object"}


class Param:
    """A parameter of a task, from the type hint of a function."""

    def __init__(self, name: str, hint: Any, default: Any) -> None:
        self.name = name
        self.type, self.is_optional = _plain(name, hint)
        self.default = default

    @property
    def is_required(self) -> bool:
        return self.default is _missing and not self.is_optional

    @property
    def has_default(self) -> bool:
        return self.default is not _missing and self.default is not None

    def read(self, given: Dict[str, Any]) -> Any:
        """The value that the function gets. Raises TerminalError where it is of another type."""
        value = given.get(self.name)
        if value is None:
            if self.is_required:
                raise TerminalError(f"parameter {self.name} is missing; it must be {_words.get(self.type, 'given')}")
            return None if self.default is _missing else self.default
        if self.type is None:
            return value
        found = _convert(self.type, value)
        if found is _missing:
            raise TerminalError(f"parameter {self.name} is {_short(value)}; it must be {_words[self.type]}")
        return found


def _plain(name: str, hint: Any) -> Tuple[Optional[type], bool]:
    """The type that the hint stands for; None: any."""
    origin = get_origin(hint)
    if origin is Union or type(hint).__name__ == "UnionType":
        inner = [one for one in get_args(hint) if one is not type(None)]
        is_optional = len(inner) < len(get_args(hint))
        return (_plain(name, inner[0])[0] if len(inner) == 1 else None), is_optional
    if hint is Any or hint is inspect.Parameter.empty:
        return None, False
    plain = origin or hint
    if plain in (list, tuple, typing.Sequence):
        return list, False
    if plain in _words:
        return plain, False
    raise TypeError(f"parameter {name} has the type {hint}; use str, int, float, bool, list, dict, Secret, or Optional of one of them")


def _convert(kind: type, value: Any) -> Any:
    """Texts of numbers and truth values are read, since parameters of Millrace are texts unless their task says more."""
    if kind in (str, Secret):
        return kind(value) if isinstance(value, str) else _missing
    if kind is bool:
        return value if isinstance(value, bool) else {"true": True, "false": False}.get(value, _missing) if isinstance(value, str) else _missing
    if kind in (int, float):
        return _number(kind, value)
    return value if isinstance(value, kind) else _missing


def _number(kind: type, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return _missing
    try:
        number = float(value)
        if kind is float:
            return number
        return int(value) if not isinstance(value, float) or number.is_integer() else _missing
    except (ValueError, OverflowError):
        return _missing


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "..."


class Task:
    """A function as a task. It can still be called as the function that it is."""

    def __init__(self, function: Callable[..., Any], name: Optional[str] = None, results: Sequence[str] = ()) -> None:
        self.function = function
        self.name = name or function.__name__.replace("_", "-")
        self.results = list(results)
        self.description = inspect.getdoc(function)
        self.params: List[Param] = []
        self.context_name: Optional[str] = None
        self.takes_any = False
        self._read_signature()

    def _read_signature(self) -> None:
        hints = get_type_hints(self.function)
        for param in inspect.signature(self.function).parameters.values():
            hint = hints.get(param.name, inspect.Parameter.empty)
            if hint is Context or Context in get_args(hint):
                self.context_name = param.name
            elif param.kind is inspect.Parameter.VAR_KEYWORD:
                self.takes_any = True
            elif param.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY):
                raise TypeError(f"task {self.name}: parameter {param.name} can't be given by its name")
            else:
                default = _missing if param.default is inspect.Parameter.empty else param.default
                self.params.append(Param(param.name, hint, default))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def run(self, given: Dict[str, Any], context: Context) -> Dict[str, Any]:
        """Calls the function with what it declares. An object is the results by name; any other value is the result named result."""
        values = {param.name: param.read(given) for param in self.params}
        if self.takes_any:
            values = {**given, **values}
        if self.context_name is not None:
            values[self.context_name] = context
        found = self.function(**values)
        if found is None:
            return {}
        return found if isinstance(found, dict) else {"result": found}


def task(function: Optional[Callable[..., Any]] = None, *, name: Optional[str] = None, results: Sequence[str] = ()) -> Any:
    """Makes a task of a function: `@task`, or `@task(name="send-mail", results=["id"])`."""
    if function is not None:
        return Task(function)
    return lambda one: Task(one, name, results)
