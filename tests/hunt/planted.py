"""Mistakes that are put into what a compiler made, to see whether the hunt finds them: edits of vISA text.

Each changes the last line of a kernel that it fits, so that little of the kernel is wrong; but of barriers the first: the last
one protects nothing that follows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass



@dataclass(frozen=True)
class Mistake:
    pattern: str
    replacement: str    # "": the line is lost
    is_first: bool = False  # the first line that fits, not the last

    def __call__(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        pattern = re.compile(r"^    " + self.pattern)
        found: int | None = None
        for number, line in enumerate(lines):
            if line.startswith(".kernel "):
                self._change(lines, found, pattern)
                found = None
            elif pattern.match(line) and (found is None or not self.is_first):
                found = number
        self._change(lines, found, pattern)
        return "".join(lines)

    def _change(self, lines: list[str], at: int | None, pattern: re.Pattern[str]) -> None:
        if at is not None:
            lines[at] = pattern.sub(f"    {self.replacement}", lines[at], 1) if self.replacement else ""


PREDICATE = r"(\(\S+\) )?"
MISTAKES = {
    "min-as-max": Mistake(PREDICATE + "min ", r"\1max "),
    "max-as-min": Mistake(PREDICATE + "max ", r"\1min "),
    "and-as-or": Mistake(PREDICATE + r"and (\(M\d, \d+\))", r"\1or \2"),
    "xor-as-or": Mistake(PREDICATE + r"xor (\(M\d, \d+\))", r"\1or \2"),
    "asr-as-shr": Mistake(PREDICATE + "asr ", r"\1shr "),
    "less-or-equal": Mistake(r"cmp\.lt ", "cmp.le "),
    "equal-as-less": Mistake(r"cmp\.(eq|ne) ", "cmp.lt "),
    "inverted-choice": Mistake(r"\((P\d+)\) sel ", r"(!\1) sel "),
    "lost-saturation": Mistake(r"(\w+)\.sat ", r"\1 "),
    "lost-barrier": Mistake(r"barrier", "", True),
}
