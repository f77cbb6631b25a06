"""How things are shown: in a line, and as tables where a notebook asks for HTML."""

from __future__ import annotations

import html
from typing import Any, Mapping

_engines = ("auto", "interp", "jit")
_MOST_ROWS = 64  # of a table


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def of_report(kernel: str, report: Mapping[str, Any]) -> str:
    """A launch in a line."""
    return (f"{kernel + ': ' if kernel else ''}{counted(report['work_groups'], 'work-group')}, "
            f"{counted(report['instructions'], 'instruction')}, {report['fidelity']}")


def settings(given: Mapping[str, Any]) -> list[str]:
    """Those of a device, as its keywords."""
    return [f"{name}={_engines[value] if name == 'engine' else value}" for name, value in given.items()]


def table(rows: Mapping[str, Any]) -> str:
    """Two columns; whatever a name or a value holds is text."""
    shown = list(rows.items())[:_MOST_ROWS]
    lines = [f"<tr><th>{html.escape(str(name))}</th><td>{html.escape(str(value))}</td></tr>" for name, value in shown]
    if len(rows) > len(shown):
        lines.append(f"<tr><th></th><td>and {len(rows) - len(shown)} more</td></tr>")
    return f"<table>{''.join(lines)}</table>"
