"""What goes wrong, and what tells it from what went well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _visor

if TYPE_CHECKING:
    from . import Result


class Error(Exception):
    """What went wrong; `status` is the C API's name for it ("input", "fault" ...)."""

    __module__ = "visor"
    report: dict[str, Any] | None = None  # of run_file

    def __init__(self, message: str, status: str = "argument"):
        super().__init__(message)
        self.status = status


class CompileError(Error):
    """A program that does not build; `diagnostics` has a dict for every message."""

    __module__ = "visor"
    diagnostics: list[dict[str, Any]] = []


class Fault(Error):
    """The kernel did what it must not; `fault` tells group, thread, lane, address and source line."""

    __module__ = "visor"
    fault: dict[str, Any] = {}
    result: "Result | None" = None


class LimitError(Fault):
    """Fuel or time is spent."""

    __module__ = "visor"


class Unsupported(Error):
    """Visor does not do this; nothing is wrong with what was given."""

    __module__ = "visor"
    diagnostics: list[dict[str, Any]] = []


# By the C API's status.
kinds: dict[int, type[Error]] = {3: CompileError, 4: Unsupported, 6: LimitError, 7: Fault, 8: Fault}


def value(outcome: tuple[int, str, Any]) -> Any:
    """What the call gave, or its error."""
    status, message, result = outcome
    if status == 0:
        return result
    error = kinds.get(status, Error)(message, _visor.status_name(status))
    if isinstance(error, (CompileError, Unsupported)) and isinstance(result, list):
        error.diagnostics = result
    raise error
