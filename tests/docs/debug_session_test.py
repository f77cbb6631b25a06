"""Runs the sessions of `visor debug` that docs/debugging.md shows on examples, and compares what the page has with what is said.
debug_session_test.py VISOR SOURCES [--record]: --record writes what is said into the page."""
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```\n\$ visor (debug examples/.*)\n((?:.*\n)*?)```$", re.MULTILINE)
PROMPT = "(visor) "


def replies(visor, root, words, commands):
    """What is said before the first command, and to each: `print` of a number marks where a reply ends."""
    mark = 12345678901
    said = subprocess.run([visor, *words.split()], cwd=root, input="".join(f"print {mark + k}\n{one}\n" for k, one in enumerate(commands)),
                          capture_output=True, text=True, check=False, timeout=120).stdout
    return re.split(rf"^(?:{'|'.join(str(mark + k) for k in range(len(commands)))})\n", said, flags=re.MULTILINE)


def comparable(text):
    """Without what another release of the compiler makes: its instructions, and how many."""
    text = re.sub(r"^\w+\.visaasm:.*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\binstruction \d+|\s+$", "", text, flags=re.MULTILINE)


def main():
    visor, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    page = root / "docs/debugging.md"
    text = page.read_text(encoding="utf-8")
    sessions, wrong = 0, []

    def said_now(block):
        nonlocal sessions
        sessions += 1
        commands = [line.removeprefix(PROMPT) for line in block[2].splitlines() if line.startswith(PROMPT)]
        parts = replies(visor, root, block[1], commands)
        if len(parts) != len(commands) + 1:
            wrong.append(f"{block[1]}: {len(parts)} replies to {len(commands)} commands:\n{''.join(parts)}")
            return block[0]
        new = parts[0] + "".join(f"{PROMPT}{command}\n{part}" for command, part in zip(commands, parts[1:]))
        new = "\n".join(re.sub(r"\s+(?:///.*)?$", "", line) for line in new.splitlines()) + "\n"
        if comparable(new) != comparable(block[2]):
            wrong.append(f"{block[1]}: the page has\n{block[2]}and visor says\n{new}")
        return f"```\n$ visor {block[1]}\n{new}```"

    recorded = BLOCK.sub(said_now, text)
    if "--record" in sys.argv[3:]:
        page.write_text(recorded, encoding="utf-8")
        return 0
    print("\n".join(wrong + [f"debugging.md: {sessions} sessions, {len(wrong)} wrong"]))
    return 1 if wrong or sessions == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
