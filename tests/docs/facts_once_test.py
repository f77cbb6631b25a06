"""Checks that an instruction's facts stand once, in src/isa. Opcodes and sub-opcodes have their numbers in opcode.h and
sub_opcode.h alone, and their names are the rows' mnemonics. No stage numbers opcodes or operands, and only src/isa and
src/text compare mnemonics. facts_once_test.py SOURCES"""
import pathlib
import re
import sys

# Constants of opcode.h for several rows, or for one with several mnemonics.
GROUPS = {"min_max", "svm", "lsc_untyped", "lsc_typed", "sample_3d", "load_3d", "sample4", "info"}
ALIASES = {"fence": "fence_global"}
# Whose business mnemonics are: the rows, and text.
OF_TEXT = {"src/isa", "src/text"}
# Those that compare mnemonics all the same.
COMPARES = {
    "src/launch/scopes.cpp": "lines of a compiler's text before the parser sees them, which has no rows yet",
    "src/coverage/coverage.cpp": "looks for the name that a user gives",
}

CONSTANT = re.compile(r"^inline constexpr uint8_t (\w+) = (0x[0-9a-f]{2});", re.M)
SUB_SPACE = re.compile(r"^namespace (\w+) \{\nenum : int16_t \{(.*?)\};", re.M | re.S)
# A row's number and mnemonic, as arguments or as members.
ROW = re.compile(r'(\w+(?:::\w+)*),\s+(?:\.sub = (\w+(?:::\w+)*),\s+)?(?:\.mnemonic = )?"([a-z][a-z0-9_.]*)"')
ROW_NUMBER = re.compile(r'(?:\.opcode = |\()(0x[0-9a-f]{2}),\s+(?:\.sub = \w+,\s+)?(?:\.mnemonic = )?"')

MNEMONIC_COMPARED = re.compile(r'mnemonic\b.*(?:==|!=|\bfind\(|\bcontains\(|_with\()|find\(.*\bmnemonic\b|'
                               r'string_view \w+ = [^;]*\bmnemonic;|isa::find\((?:\s*"|\w+\)->)')
OWN_NUMBERS = (
    (re.compile(r"(?:->|\.)(?:opcode|sub) (?:==|!=|>=?|<=?) (?:0x|[1-9])"), "compares with a bare number"),
    (re.compile(r"\bopcode_\w+ = (?:0x)?[0-9a-f]+[,;]"), "numbers an opcode"),
    (re.compile(r"\benum Opcode\b"), "numbers opcodes"),
    (re.compile(r"\{0x[0-9a-f]{2}, -?\d+, \w"), "keys handlers by bare numbers"),
    (re.compile(r"\bnamespace \w*field\w* \{"), "numbers operands"),
    (re.compile(r"^enum : u?int(?:8|16)_t\b", re.M), "numbers operands or sub-opcodes"),
    (re.compile(r"\b(?:literal|raw)\((?:\w+, )?instruction_?, \d+\)"), "knows an operand by a bare index"),
)


def without_comments(text):
    """The code with comments blanked, lines kept."""
    return re.sub(r"//[^\n]*", "", text)


def as_name(mnemonic):
    """The constant of a mnemonic."""
    name = mnemonic.replace(".", "")
    return name + "_" if name in {"and", "or", "xor", "not", "goto"} else name


def check_rows(isa, opcodes, subs):
    """What is wrong with the names in the rows, and with their numbers."""
    wrong = []
    used = set()
    for path in sorted(isa.glob("*.cpp")):
        text = without_comments(path.read_text(encoding="utf-8"))
        for number in ROW_NUMBER.findall(text):
            if path.stem != "media" and int(number, 16) in opcodes.values():
                wrong.append(f"{path.name}: {number} stands in opcode.h as well")
        for code, sub, mnemonic in ROW.findall(text):
            name = code.rsplit("::", 1)[-1]
            if code.startswith("opcode::") and name not in GROUPS:
                used.add(name)
                if as_name(mnemonic) != name and ALIASES.get(name) != mnemonic:
                    wrong.append(f"{path.name}: the row of {mnemonic} has the opcode of {name}")
            which = sub or code
            if not which.startswith(("code::", "sub_opcode::")):
                continue
            name = which.rsplit("::", 1)[-1]
            if any(name in space for space in subs.values()) and mnemonic not in {name, f"lsc_{name}", f"svm_{name}"}:
                wrong.append(f"{path.name}: the row of {mnemonic} has the sub-opcode of {name}")
    wrong += [f"opcode.h: {name} is in no row" for name in sorted(opcodes.keys() - used - GROUPS)]
    return wrong


def check_stage(path, shown, opcodes, subs):
    """What is wrong with a file that only reads rows."""
    wrong = []
    text = without_comments(path.read_text(encoding="utf-8"))
    if shown not in COMPARES:
        wrong += [f"{shown}: compares a mnemonic: {line.strip()}" for line in text.splitlines()
                  if MNEMONIC_COMPARED.search(line)]
    reads_rows = "isa::" in text or "row" in text
    for pattern, what in OWN_NUMBERS if reads_rows else ():
        wrong += [f"{shown}: {what}: {found[0]}" for found in pattern.finditer(text)]
    for name, number in re.findall(r"\b(\w+) = (0x[0-9a-f]{2})[,;]", text):
        if opcodes.get(name) == int(number, 16):
            wrong.append(f"{shown}: {name} = {number} stands in isa/opcode.h")
    for name, number in re.findall(r"\bsub_(\w+) = (0x[0-9a-f]+|\d+)[,;]", text):
        if any(name in space for space in subs.values()):
            wrong.append(f"{shown}: sub_{name} = {number} stands in isa/sub_opcode.h")
    return wrong


def main():
    sources = pathlib.Path(sys.argv[1])
    isa = sources / "src/isa"
    constants = CONSTANT.findall((isa / "opcode.h").read_text(encoding="utf-8"))
    opcodes = {name: int(number, 16) for name, number in constants}
    spaces = SUB_SPACE.findall((isa / "sub_opcode.h").read_text(encoding="utf-8"))
    subs = {name: set(re.findall(r"(\w+) = ", body)) for name, body in spaces}
    wrong = check_rows(isa, opcodes, subs)
    if len(set(opcodes.values())) != len(constants):
        wrong.append("opcode.h: a number has two names")
    files = 0
    for root in ("src", "cli", "opencl"):
        for path in sorted((sources / root).rglob("*")):
            shown = str(path.relative_to(sources))
            if path.suffix not in (".cpp", ".h") or any(shown.startswith(f"{folder}/") for folder in OF_TEXT):
                continue
            files += 1
            wrong += check_stage(path, shown, opcodes, subs)
    wrong += [f"{shown} is no file any more" for shown in COMPARES if not (sources / shown).is_file()]
    print("\n".join(wrong + [f"facts: {len(opcodes)} opcodes, {sum(map(len, subs.values()))} sub-opcodes, "
                             f"{files} files, {len(wrong)} wrong"]))
    return 1 if wrong or not opcodes or not subs else 0


if __name__ == "__main__":
    sys.exit(main())
