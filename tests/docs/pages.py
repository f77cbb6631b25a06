"""What the tests of this folder share: a page of Markdown as blocks (paragraphs, list items, tables, code), the captions
of a block, and the commands in it."""
import dataclasses
import re

FENCE = re.compile(r"^\s*```")
ITEM = re.compile(r"^\s*(?:[*-]|\d+\.) ")
CODE = re.compile(r"`([^`]+)`")


@dataclasses.dataclass
class Block:
    kind: str  # paragraph, item, table, code or heading
    line: int  # its first, from 1
    lines: list

    @property
    def text(self):
        return "\n".join(self.lines)


def kind_of(line, previous):
    """What a line begins, or goes on with; None: nothing, it is empty."""
    if not line.strip():
        return None
    if line.startswith("#"):
        return "heading"
    if line.lstrip().startswith("|"):
        return "table"
    if ITEM.match(line):
        return "item"
    if line.startswith("    ") and (previous is None or previous == "code"):
        return "code"
    return previous if previous in ("item", "paragraph") else "paragraph"


def blocks_of(text):
    """All blocks of a page, in order. Code inside of a list item is a block of its own."""
    found, current, fenced, empty = [], None, False, True
    for number, line in enumerate(text.split("\n"), 1):
        if FENCE.match(line):
            if not fenced:
                found.append(Block("code", number, []))
            fenced, current, empty = not fenced, None, True
            continue
        if fenced:
            found[-1].lines.append(line)
            continue
        kind = kind_of(line, None if empty and (current is None or current.kind != "code") else
                       (current.kind if current else None))
        empty = kind is None
        if kind is None:
            if current and current.kind != "code":
                current = None
            continue
        goes_on = current and current.kind == kind and kind != "heading" and (kind != "item" or not ITEM.match(line))
        if not goes_on:
            current = Block(kind, number, [])
            found.append(current)
        current.lines.append(line)
    return found


def captions_of(blocks, at):
    """The blocks that say what this one is: for an item what its list begins with, for a table the paragraph above
    it and code beside it, for a paragraph the code beside it."""
    def neighbour(step, skip=()):
        other = at + step
        while 0 <= other < len(blocks) and blocks[other].kind in skip:
            other += step
        return blocks[other] if 0 <= other < len(blocks) else None

    kind = blocks[at].kind
    if kind == "item":
        near = [neighbour(-1, ("item", "code")), neighbour(1)]
        return [one for one in near if one and one.kind in ("paragraph", "code")]
    if kind == "table":
        near = [neighbour(-1)]
        if near[0] and near[0].kind in ("code", "table"):
            near.append(neighbour(-1, ("code", "table")))
        below = neighbour(1)
        near += [below] if below and below.kind == "code" else []
        return [one for one in near if one and one.kind in ("paragraph", "code")]
    return [one for one in (neighbour(-1), neighbour(1)) if one and one.kind == "code"]


def code_lines(block):
    """The commands that a block of code shows: lines without prompt and remark."""
    return [re.sub(r"\s+#.*", "", line.strip().removeprefix("$ ")) for line in block.lines if line.strip()]


def spans(block):
    """What stands in backticks, as one line each."""
    return [re.sub(r"\s+", " ", found) for found in CODE.findall(block.text)]


def programs_of(root):
    """Each program that CMake builds, with the folder of its CMakeLists.txt; names made in a loop over words of the
    file are those that the words make."""
    found = {}
    for path in (*root.glob("*/**/CMakeLists.txt"),):
        text = path.read_text(encoding="utf-8")
        folder = path.parent.relative_to(root)
        if folder.parts[0] == "build":
            continue
        for name in re.findall(r"add_(?:executable|fuzzer)\(\s*([\w${}-]+)", text):
            if "${" not in name:
                found[name] = folder
                continue
            pattern = re.sub(r"\\\$\\\{\w+\\\}", r"(\\w+)", re.escape(name))
            before, after = re.fullmatch(r"(.*?)\(.*\)(.*)", pattern).groups()
            made = {before.replace("\\", "") + word + after for word in set(re.findall(r"\w+", text))}
            found |= {name: folder for name in made if "_" in name}
        for stage in re.findall(r"visor_test\(\s*(\w+)", text):
            found[f"{stage}_test"] = folder
    return found
