"""Checks the commands that README.md, SECURITY.md, CONTRIBUTING.md and docs show, in backticks and in code: paths of the
repository and programs of the build exist, `visor` has the verb and the verb the options, scripts have their stages and
options, and the patterns of `ctest` name a test. commands_test.py VISOR SOURCES BUILD CTEST"""
import json
import pathlib
import re
import subprocess
import sys

import pages

FOLDERS = ("scripts", "bench", "tests", "examples", "editors", "src", "cli", "opencl", "python", "docs", "cmake", "include")
# Names that stand for others, in capitals: `tests/STAGE/`, `tests/exec/<family>/<mnemonic>.case`.
PLACEHOLDER = re.compile(r"<[^>]*>|\b[A-Z]{3,}\b")
# What comes before a command's own name.
BEFORE = re.compile(r"^(?:(?:[A-Z_]+=(?:\$\([^)]*\)|\S+)|nice -n \d+|bash|/usr/bin/python3|python3|\$\S+/(?=bench/)) ?)+")
# What goes from `visor cc` to the compiler, as its help says.
TO_COMPILER = re.compile(r"-(?:[DUI].*|cl-.*|g|gline-tables-only|w|Werror)$")


class Truth:
    """What there is: of the program, of the build and of the sources."""

    def __init__(self, visor, root, build, ctest):
        self.root, self.programs = root, pages.programs_of(root)
        told = subprocess.run([visor, "help", "json"], capture_output=True, text=True, check=True).stdout
        self.options = {verb["name"]: {name for option in verb["options"] for name in option["names"]}
                        for verb in json.loads(told)["verbs"]}
        self.options["help"] = set()
        for names in self.options.values():
            names |= {"-Werror"} if "--Werror" in names else set()
        presets = json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
        self.presets = {preset["name"] for preset in presets if not preset.get("hidden")}
        answer = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
        self.tests = {test["name"] for test in json.loads(answer.stdout)["tests"]} | set(self.written_tests())
        budgets = re.search(r"declare -A budget=\((.*)\)", (root / "scripts/test").read_text(encoding="utf-8"))
        self.stages = set(re.findall(r"\[([\w-]+)\]", budgets[1]))

    def written_tests(self):
        """Tests of programs that are not built, where CTest knows no names: as GoogleTest has them."""
        for source in self.root.glob("tests/*/**/*.cpp"):
            stage = source.relative_to(self.root / "tests").parts[0]
            for suite, name in re.findall(r"^TEST(?:_[FP])?\((\w+), (\w+)\)", source.read_text(encoding="utf-8"), re.MULTILINE):
                yield f"{stage}.{suite}.{name}"


def commands_in(block):
    """What a block shows as commands: lines of code, or words in backticks."""
    if block.kind == "code":
        return [line for line in pages.code_lines(block) if line]
    return pages.spans(block)


def missing_path(word, truth):
    """Whether a word names something of the repository that is not there."""
    path = re.sub(r"(?::\d+)+$|#.*$", "", word.strip("'\"(),;:").removesuffix("."))
    if path.split("/")[0] not in FOLDERS or "/" not in path or "$" in path or "{" in path:
        return False
    pattern = PLACEHOLDER.sub("*", path).rstrip("/")
    return not (any(truth.root.glob(pattern)) if "*" in pattern else (truth.root / path).exists())


def check_program(words, truth):
    """What is wrong with a command whose first word is a program of the build."""
    parts = pathlib.PurePath(words[0]).parts
    if len(parts) < 4 or "$" in words[0]:
        return
    _, preset, *folder, name = parts
    if preset not in truth.presets:
        yield f"there is no preset {preset}"
    if len(words) == 1 and not (truth.root / pathlib.Path(*folder) / "CMakeLists.txt").is_file():
        return # a folder of data
    if truth.programs.get(name) != pathlib.Path(*folder):
        yield f"{words[0]} is no program that CMake builds"
        return
    yield from check_program_options(words, truth, name)


def check_program_options(words, truth, name):
    """Options of a program of the tests or benchmarks stand in its folder's sources, but for Google Benchmark's."""
    text = "".join(path.read_text(encoding="utf-8") for path in (truth.root / truth.programs[name]).rglob("*.[ch]*"))
    for word in words[1:]:
        option = re.match(r"--([a-z][a-z-]*)", word)
        if option and option[1] not in text and not word.startswith("--benchmark_"):
            yield f"{name} has no option {option[0]}"


def check_visor(words, truth):
    verb = words[1]
    if verb.startswith("-") or PLACEHOLDER.fullmatch(verb):
        return
    if verb not in truth.options:
        yield f"visor has no verb {verb}"
        return
    quoted = False
    for before, word in zip(words[1:], words[2:]):
        if word == "--":
            break
        inside, quoted = quoted, quoted != (word.count('"') == 1)
        option = re.match(r"--?[A-Za-z][\w-]*", word)
        if option is None or inside or before == "--options" or verb == "cc" and TO_COMPILER.match(word):
            continue
        if option[0] not in truth.options[verb]:
            yield f"visor {verb} has no option {option[0]}"


def check_script(words, truth):
    path = truth.root / words[0]
    if not path.is_file():
        return # missing_path() says so
    text = path.read_text(encoding="utf-8")
    for word in words[1:]:
        if word == "--": # what follows is for the programs that it runs
            break
        option = re.match(r"--[a-z][\w-]*", word)
        if option and option[0] not in text and option[0][2:] not in text:
            yield f"{words[0]} has no option {option[0]}"
        if words[0] == "scripts/setup" and re.fullmatch(r"[a-z][\w-]+", word) and not re.search(rf"\b{word}\b", text):
            yield f"scripts/setup does not know {word}"
        if words[0] == "scripts/test" and re.fullmatch(r"[a-z][\w-]+", word) and word not in truth.stages:
            yield f"scripts/test has no stage {word}"


def check_ctest(words, truth):
    for option, value in zip(words, words[1:]):
        pattern = value.strip("'\"")
        if option == "-R" and not re.fullmatch("[A-Z]+", pattern):
            if not any(re.search(pattern, name) for name in truth.tests):
                yield f"no test matches {pattern}"


def check_command(text, truth):
    """What is wrong with one command; nothing where it is none."""
    for part in re.split(r" (?:\||&&|;|>|<) ", text):
        words = BEFORE.sub("", part.strip()).split()
        if not words:
            continue
        for word in words:
            if missing_path(word, truth):
                yield f"there is no {word}"
        if words[0] == "visor" and len(words) > 1:
            yield from check_visor(words, truth)
        elif words[0].startswith("build/"):
            yield from check_program(words, truth)
        elif "_" in words[0] and words[0] in truth.programs:
            yield from check_program_options(words, truth, words[0])
        elif words[0].split("/")[0] in ("scripts", "bench", "tests") and len(words) > 1:
            yield from check_script(words, truth)
        elif words[0] == "ctest":
            yield from check_ctest(words, truth)


def check_named_tests(block, truth):
    """Tests that prose names: (ctest `corpus.loads`)."""
    for name in re.findall(r"\bctest `([^`]+)`", block.text):
        pattern = re.escape(name).replace(r"\*", ".*")
        if not any(re.fullmatch(pattern, test) for test in truth.tests):
            yield f"there is no test {name}"


def check_text(text, truth):
    for block in pages.blocks_of(text):
        for command in commands_in(block):
            for wrong in check_command(command, truth):
                yield block.line, wrong
        for wrong in check_named_tests(block, truth):
            yield block.line, wrong


BAD = ("`scripts/none`", "`tests/none/x.py --all`", "`bench/none.py`", "`visor runn k.cl`", "`visor run --chekc=all k.cl`",
       "    $ visor info --jsn", "`build/dev/bench/bench_none`", "`build/none/bench/bench_load`", "`build/dev/tests/seeded/seeded_bugs --nonesuch`", "`jit_fuzz --nonesuch`", "`scripts/test nonesuch`",
       "`ctest -R no_such_test_at_all`", "(ctest `no.such`)", "`scripts/fuzz --nonesuch`", "`scripts/setup nonesuch`", "`VISOR_X=1 visor runn k.cl`")
GOOD = ("`scripts/test --ci`", "`tests/STAGE/`", "`visor cc k.cl -DN=4 -o k.zebin`", "`visor run -- app --anything`", "`scripts/clients -- --anything`",
        "`build/release/bench/bench_load`", "`ctest -R docs.commands`", "`visor VERB --help`", "(ctest `docs.*`)")


def main():
    visor, root, build, ctest = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    truth = Truth(visor, root, build, ctest)
    wrong = [f"nothing wrong is seen in {text}" for text in BAD if not list(check_text(text, truth))]
    wrong += [f"seen in {text}: {found}" for text in GOOD for found in check_text(text, truth)]
    names = [root / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "bench/README.md", "examples/README.md")]
    names += sorted((root / "docs").rglob("*.md"))
    count = 0
    for path in names:
        text = path.read_text(encoding="utf-8")
        count += sum(len(commands_in(block)) for block in pages.blocks_of(text))
        wrong += [f"{path.relative_to(root)}:{line}: {said}" for line, said in check_text(text, truth)]
    print("\n".join(wrong + [f"commands: {len(names)} pages, {count} words and commands, {len(wrong)} wrong"]))
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
