"""Code without running it: assembled, disassembled, checked, compared, reduced; the instruction reference."""
from __future__ import annotations

import json as _json
import os as _os
from typing import Any, Callable

from . import _visor
from ._errors import Error, value as _value

Source = str | bytes | _os.PathLike[str]
_MOST_FILE_BYTES = 1 << 30  # of a program; a device gives bytes without end


def content_of(source: Any, name: str | None, default: str) -> tuple[bytes, str]:
    is_text = isinstance(source, str) and ("\n" in source or "{" in source)
    if isinstance(source, _os.PathLike) or (isinstance(source, str) and not is_text):
        with open(source, "rb") as file:
            content = file.read(_MOST_FILE_BYTES + 1)
        if len(content) > _MOST_FILE_BYTES:
            raise ValueError(f"{_os.fspath(source)!r} has more than {_MOST_FILE_BYTES >> 20} MiB")
        return content, name or _os.fspath(source)
    content = source.encode() if isinstance(source, str) else bytes(source)
    if name is None and content.lstrip().startswith(b".version"):
        name = "kernel.visaasm"
    return content, name or default


def assemble(text: Source, device: str = "", name: str | None = None) -> bytes:
    """vISA text to a binary (.isa)."""
    content, name = content_of(text, name, "kernel.visaasm")
    return _value(_visor.translate(True, name, content, device, ""))


def disassemble(binary: Source, device: str = "", name: str | None = None,
                options: str = "") -> str:
    """Whatever holds vISA to text."""
    content, name = content_of(binary, name, "kernel.isa")
    return _value(_visor.translate(False, name, content, device, options)).decode()


def check(text: Source, device: str = "", profile: str = "auto", snippet: bool = False,
          werror: bool = False, name: str | None = None, options: str = "") -> list[dict[str, Any]]:
    """Messages about vISA, a dict each; an empty list when there are none."""
    profiles = ["auto", "spec", "igc"]
    if profile not in profiles:
        raise Error(f"there is no profile `{profile}`: there are {', '.join(profiles)}")
    if snippet and not isinstance(text, _os.PathLike):
        content, name = text.encode() if isinstance(text, str) else bytes(text), name or "snippet"
    else:
        content, name = content_of(text, name, "kernel.visaasm")
    return _value(_visor.check(name, content, device, profiles.index(profile), snippet, werror, options))


def diff(a: Source, b: Source, kernel: str = "", device: str = "", most: int = 10,
         options: str = "", runs: int = 0) -> list[dict[str, Any]]:
    """In what two files that hold vISA differ by meaning, a dict each; an empty list when they are the same.

    A difference has the function's name as `function`, a `message`, and the places in `a` and `b` as `first`
    and `second`, None where there is nothing. At most `most` of a function. With `runs` kernels are run so often on
    both sides with the same drawn inputs instead; one of which that tells nothing is in the list with the reason.
    """
    first, first_name = content_of(a, None, "kernel.cl")
    second, second_name = content_of(b, None, "kernel.cl")
    found = _json.loads(_value(_visor.diff(first_name, first, second_name, second, kernel, device, options, most,
                                     runs)))
    out: list[dict[str, Any]] = []
    for function in found["functions"]:
        if function["state"].startswith("only_"):
            side = function["state"].removeprefix("only_")
            out.append({"function": function["name"], "message": f"only in the {side}", "first": None,
                        "second": None})
        if function["state"] == "untold":
            out.append({"function": function["name"], "message": f"not told: {function['why']}", "first": None,
                        "second": None})
        out += [{"function": function["name"], **difference} for difference in function["differences"]]
    return out


def reduce(text: Source, interesting: Callable[[str], bool], device: str = "",
           name: str | None = None) -> str:
    """vISA text made smaller as long as `interesting`, which is given a smaller text, returns true.

    What vISA refuses is not asked about. An exception of `interesting` ends it.
    """
    content, name = content_of(text, name, "kernel.visaasm")
    return _value(_visor.reduce(name, content, interesting, device)).decode()


def isa(name: str | None = None) -> Any:
    """An instruction's page as text, or a list with everything about all of them."""
    if name is not None:
        return _value(_visor.isa(name, 0, True))
    return _json.loads(_value(_visor.isa("", 0, False)))["instructions"]
