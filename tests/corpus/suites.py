#!/usr/bin/env python3
"""Test programs of OpenCL that Debian packages, each on Visor with all checkers: its kernels run on the data that
its authors gave it, and it judges what comes back.

usage: suites.py [--visor VISOR] [--device D] [--jobs N] [--check LIST] [SUITE/[PREFIX]...]

Suites: piglit; pocl; hosts, which are programs of our own around kernels of packages whose data must fit together.
Every test has to end well and without a finding, but for what suites.tsv has with its reason;
an entry of it that is no longer needed is a failure, too. Packages come by `fetch`. Exit code: 0, 1, or 77 where
the machine lacks what the programs are linked with (scripts/setup more-apps)."""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parent.parent / "build" / "corpus"
WORK = CORPUS / "suites"
LIMIT_SECONDS = 900


@dataclasses.dataclass
class Test:
    name: str
    command: list[str]
    folder: pathlib.Path
    expected: str | None = None  # what it prints
    in_any_order: bool = False
    libraries: pathlib.Path | None = None


@dataclasses.dataclass
class Outcome:
    name: str
    what: set[str]  # rules, and `fails` or `skipped`
    launches: int
    told: str


def fetched(package: str) -> pathlib.Path:
    subprocess.run([HERE / "fetch", package], check=True, stdout=subprocess.DEVNULL)
    return CORPUS / package


# ---- piglit: a program that reads kernels with the arguments and results that they have in a comment ----


def piglit_tests() -> list[Test]:
    root = fetched("piglit") / "usr/lib/x86_64-linux-gnu/piglit"
    tester = root / "bin/cl-program-tester"
    files = []
    for folder in ("tests/cl/program", "generated_tests/cl"):
        for suffix in ("cl", "program_test"):
            files += (root / folder).rglob(f"*.{suffix}")
    names = [str(path.relative_to(root)) for path in sorted(files)]
    return [Test(f"piglit/{name}", [str(tester), name], root, libraries=root / "lib") for name in names]


# ---- PoCL: programs with kernels of their own; its source package has them with the library that they use ----


def unpacked_pocl() -> pathlib.Path:
    archive = fetched("pocl-source") / "usr/src/pocl.tar.xz"
    root = WORK / "pocl-source"
    if not (root / "pocl").is_dir():
        root.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "-xf", archive, "-C", root], check=True)
    return root / "pocl"


def compiled(sources: list[pathlib.Path], output: pathlib.Path, options: list[str], libraries: list[str]) -> bool:
    compiler = "g++" if any(path.suffix in (".cpp", ".cc") for path in sources) else "gcc"
    command = [compiler, "-w", "-O1", *options, *map(str, sources), "-o", str(output), *libraries]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"suites: {output.name} does not compile\n{done.stderr[:500]}", file=sys.stderr)
    return done.returncode == 0


# Folders whose programs look for kernels where they are themselves.
SOURCES_IN_FOLDER = ("kernel", "workgroup", "regression", "EinsteinToolkit")

# A benchmark that wants a CPU for a minute: one turn over a small grid, on what device there is.
EDITS = {
    "EinsteinToolkit": [
        (r"niters = 10\b", "niters = 1"),
        (r"(cctk_gsh\[\d\]) = 70\b", r"\1 = 12"),
        (r"CL_DEVICE_TYPE_CPU;", "CL_DEVICE_TYPE_GPU;"),
    ]
}

# What PoCL's own compiler declares and these kernels use.
KERNEL_MACROS = """#define _CL_NOINLINE __attribute__((noinline))
#define _CL_OVERLOADABLE __attribute__((overloadable))
#define _CL_READNONE __attribute__((const))
#define __IF_INT64(x) x
#define __IF_FP64(x) x
#define __IF_FP16(x) x
#define cl_khr_int64 1
"""


def with_macros(folder: pathlib.Path) -> None:
    for path in folder.glob("*.cl"):
        first_line = f'#line 1 "{path.name}"\n'
        text = path.read_text().split(first_line)[-1]
        path.write_text(KERNEL_MACROS + first_line + text)


class PoclPrograms:
    """Compiles a program once, when the first test asks for it."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        self.built = WORK / "pocl"
        (self.built / "tests/runtime").mkdir(parents=True, exist_ok=True)  # one of them writes there
        (self.built / "config.h").write_text(f'#undef SRCDIR\n#define SRCDIR "{root}"\n')
        (self.built / "pocl_opencl.h").write_text("#include <CL/opencl.h>\n#include <poclu.h>\n")
        self.library = self.built / "libpoclu.so"
        if not self.library.exists():
            sources = sorted((root / "poclu").glob("*.c"))
            if not compiled(sources, self.library, [*self.options(root), "-shared", "-fPIC"], ["-lOpenCL", "-lm"]):
                raise SystemExit("suites: PoCL's library for its tests does not compile")
        self.known: dict[str, pathlib.Path | None] = {}

    def options(self, folder: pathlib.Path) -> list[str]:
        defined = {"SRCDIR": f'"{folder}"', "BUILDDIR": f'"{self.built}"', "CL_TARGET_OPENCL_VERSION": "300"}
        defined["CL_HPP_TARGET_OPENCL_VERSION"] = "200"
        included = (self.built, self.root / "poclu", self.root / "include", self.root / "include/hpp", self.root)
        return [f"-D{name}={value}" for name, value in defined.items()] + [f"-I{path}" for path in included]

    def edited(self, source: pathlib.Path) -> pathlib.Path:
        edits = EDITS.get(source.stem)
        if edits is None:
            return source
        text = source.read_text()
        for old, new in edits:
            text, count = re.subn(old, new, text)
            if count == 0:
                raise SystemExit(f"suites: {source.name} has no `{old}`")
        copy = self.built / source.name
        if not copy.exists() or copy.read_text() != text:
            copy.write_text(text)
            (self.built / source.stem).unlink(missing_ok=True)  # what was made of another text
        return copy

    def program(self, folder: pathlib.Path, name: str) -> pathlib.Path | None:
        if name not in self.known:
            sources = [path for suffix in (".c", ".cpp", ".cc") if (path := folder / (name + suffix)).exists()]
            further = folder / f"{name}_exec.c"
            sources += [further] if further.exists() else []
            sources = [self.edited(path) for path in sources]
            output = self.built / name
            options = [*self.options(folder if folder.name in SOURCES_IN_FOLDER else self.root), "-fpermissive"]
            libraries = [str(self.library), f"-Wl,-rpath,{self.built}", "-lOpenCL", "-lm", "-ldl", "-lpthread"]
            is_good = output.exists() or (bool(sources) and compiled(sources, output, options, libraries))
            self.known[name] = output if is_good else None
        return self.known[name]


def pocl_tests() -> list[Test]:
    root = unpacked_pocl()
    with_macros(root / "tests/kernel")
    programs = PoclPrograms(root)
    tests: dict[str, Test] = {}
    folders = [root / "tests" / name for name in ("kernel", "workgroup", "regression", "runtime")]
    examples = [path.parent for path in sorted((root / "examples").glob("*/*.c"))]
    folders += [folder for folder in examples if folder.name != "accel"]  # which wants an accelerator
    for folder in dict.fromkeys(folders):
        text = re.sub("#.*", "", (folder / "CMakeLists.txt").read_text())
        for call in re.findall(r"add_test(?:_pocl)?\s*\(([^)]*)\)", text):
            words = [a or b for a, b in re.findall(r'"([^"]*)"|([^\s"]+)', call)]
            if "COMMAND" not in words or words[0] != "NAME":
                continue
            command = words[words.index("COMMAND") + 1 :]
            if "EXPECTED_OUTPUT" in command:
                command = command[: command.index("EXPECTED_OUTPUT")]
            # The last word of an example asks for its kernels as SPIR-V, which the package does not bring.
            is_own = re.fullmatch(r"[\w-]+", command[0]) is not None and command[1:] not in (["s"], ["v"])
            program = programs.program(folder, command[0]) if is_own else None
            name = "pocl/" + " ".join([f"{folder.name}/{command[0]}", *command[1:]])
            if not is_own or name in tests:
                continue
            expected = words[words.index("EXPECTED_OUTPUT") + 1] if "EXPECTED_OUTPUT" in words else ""
            tests[name] = Test(
                name,
                [str(program or "false"), *command[1:]],  # what does not compile has failed
                programs.built / "tests" / folder.name if "${CMAKE_CURRENT_BINARY_DIR}" in words else folder,
                (folder / expected).read_text() if expected else None,
                "SORT_OUTPUT" in words or folder.name == "workgroup",  # work-items print in any order
            )
    return list(tests.values())


# ---- hosts ----


def host_tests() -> list[Test]:
    pyfai = fetched("python3-pyfai") / "usr/lib/python3/dist-packages/pyFAI/resources/openCL"
    wings = next(fetched("wings3d").rglob("cc_subdiv.cl"))
    segment = next(fetched("ufo-filters-data").rglob("segment.cl"))
    of_host = {
        "wings3d_subdivision": [[wings]],
        "ufo_segment": [[segment]],
        "pyfai_tables": [
            [pyfai / f"{name}.cl", pyfai, HERE / "include"]
            for name in ("ocl_lut", "ocl_lut_pixelsplit2", "ocl_lut_pixelsplit3", "ocl_lut_pixelsplit_test")
        ],
    }
    return [
        Test(
            f"hosts/{host} {words[0].name}",
            ["/usr/bin/python3", "-W", "ignore", str(HERE / "hosts" / f"{host}.py"), *map(str, words)],
            WORK,
        )
        for host, runs in of_host.items()
        for words in runs
    ]


SUITES = {"piglit": piglit_tests, "pocl": pocl_tests, "hosts": host_tests}


# ---- running and judging ----


def ended_well(test: Test, code: int, output: str) -> str:
    results = re.findall(r'PIGLIT: \{"result": "(\w+)"', output)
    if results and results[-1] == "skip" or code == 77:
        return "skipped"
    if results:
        return "" if results[-1] == "pass" else "fails"
    if code != 0 or "FAIL" in output or "WRONG" in output:
        return "fails"
    lines, wanted = output.split("\n"), (test.expected or "").split("\n")
    if test.in_any_order:
        lines, wanted = sorted(lines), sorted(wanted)
    return "" if test.expected is None or lines == wanted else "fails"


def run(test: Test, options: argparse.Namespace) -> Outcome:
    environment = os.environ | {"VISOR_CACHE_DIR": os.environ.get("VISOR_CACHE_DIR", str(WORK / "cache"))}
    if test.libraries is not None:
        environment["LD_LIBRARY_PATH"] = str(test.libraries)
    command = [options.visor, "run", "--device", options.device]
    command += [f"--check={options.check}"] if options.check else []
    process = subprocess.Popen(
        [*command, "--", *test.command], cwd=test.folder, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
    )
    try:
        output, told = process.communicate(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # the program, too
        process.communicate()
        return Outcome(test.name, {"time"}, 0, "")
    what = set(re.findall(r": error: .* \[([a-z-]+)\]$", told, re.MULTILINE))
    if "the OpenCL compiler's process ended without an answer" in told:
        what.add("compiler")
    elif re.search(r"^visor: .*error: ", told, re.MULTILINE):
        what.add("fault")
    own = re.search(r"ended with exit code (\d+)", told)
    by_signal = re.search(r"ended by signal", told)
    died = process.returncode < 0 or not re.search(r"^visor: .*(?:launch|kernel)", told, re.MULTILINE)
    code = int(own.group(1)) if own else 1 if by_signal or died else 0
    verdict = ended_well(test, code, output)
    if verdict:
        what.add(verdict)
    launches = re.search(r"kernels?, ([\d ]+) launch", told)
    return Outcome(test.name, what, int(launches.group(1).replace(" ", "")) if launches else 0, told)


def allowed(device: str) -> dict[str, set[str]]:
    entries: dict[str, set[str]] = {}
    for line in (HERE / "suites.tsv").read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        name, on, what, _why = line.split("\t")
        if on in ("*", device):
            entries.setdefault(name, set()).update(what.split(","))
    return entries


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visor", default=str(HERE.parent.parent / "build/release/cli/visor"))
    parser.add_argument("--device", default="skl")
    parser.add_argument("--check", default="all", help="empty: none")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", action="store_true", help="all that is told of those with something")
    parser.add_argument("chosen", nargs="*", default=[f"{suite}/" for suite in SUITES])
    options = parser.parse_args()
    found = shutil.which(options.visor)  # the tests run in their own folders
    if not found:
        parser.error(f"there is no program {options.visor}")
    options.visor = os.path.abspath(found)
    WORK.mkdir(parents=True, exist_ok=True)
    tests = [
        test
        for suite, tests_of in SUITES.items()
        if any(word.split("/")[0] == suite for word in options.chosen)
        for test in tests_of()
        if any(test.name.startswith(word) for word in options.chosen)
    ]
    for library in {test.libraries for test in tests} - {None}:
        needed = subprocess.run(["ldd", *library.glob("libpiglitutil.so.0")], capture_output=True, text=True).stdout
        if "not found" in needed:
            print("suites: piglit's libraries are not installed (scripts/setup more-apps)")
            return 77
    entries = allowed(options.device)
    suites = {word for word in options.chosen if word.endswith("/") and word[:-1] in SUITES}
    unknown = [name for name in entries.keys() - {test.name for test in tests} if name.split("/")[0] + "/" in suites]
    for name in unknown:
        print(f"{name}: suites.tsv has it, and there is no such test")
    endless = [test for test in tests if entries.get(test.name) == {"time"}]
    tests = [test for test in tests if test not in endless]
    surprises = launches = clean = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda test: run(test, options), tests):
            launches += outcome.launches
            clean += not outcome.what and outcome.name not in entries
            known = entries.get(outcome.name, set())
            if outcome.what != known:
                surprises += 1
                print(f"{outcome.name}: {' '.join(sorted(outcome.what)) or 'nothing'}"
                      f"{f', but suites.tsv has {chr(32).join(sorted(known))}' if known else ''}")
            if options.show and outcome.what:
                print(outcome.told)
    print(f"suites: {len(tests)} tests on {options.device}, {launches} launches: {clean} ended well without a finding, "
          f"{len(tests) - clean - surprises} have what suites.tsv says, {surprises} something else"
          f"{f'; {len(endless)} that would take hours not run' if endless else ''}")
    return 1 if surprises or unknown or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
