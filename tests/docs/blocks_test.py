"""Runs what a page of docs/ shows: Python examples as doctest reads them, C and C++ programs against the output
that stands below them. blocks_test.py PAGE [CC CXX INCLUDE LIBRARY FOLDER]"""
import doctest
import pathlib
import re
import subprocess
import sys


def python_examples(page):
    # A fence is no output.
    text = "\n".join("" if line.startswith("```") else line for line in page.read_text().split("\n"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    print(f"{page.name}: {result.attempted} Python examples, {result.failed} failed")
    return result.attempted > 0 and result.failed == 0


def programs(page, cc, cxx, include, library, folder):
    pattern = r"```(c|cpp)\n(.*?)```\s*```text\n(.*?)```"
    blocks = re.findall(pattern, page.read_text(), re.DOTALL)
    folder.mkdir(parents=True, exist_ok=True)
    good = 0
    for number, (language, source, expected) in enumerate(blocks):
        file = folder / f"block{number}.{language}"
        file.write_text(source)
        compiler = [cc, "-std=c11"] if language == "c" else [cxx, "-std=c++23"]
        program = file.with_suffix("")
        subprocess.run([*compiler, "-Wall", "-Werror", f"-I{include}", file, library,
                        f"-Wl,-rpath,{pathlib.Path(library).parent}", "-o", program], check=True)
        got = subprocess.run([program], capture_output=True, text=True, check=False)
        if got.returncode == 0 and got.stdout.strip() == expected.strip():
            good += 1
        else:
            print(f"block {number} gave {got.returncode}\n{got.stdout}{got.stderr}\ninstead of\n{expected}")
    print(f"{page.name}: {len(blocks)} programs, {good} good")
    return len(blocks) > 0 and good == len(blocks)


def main():
    page = pathlib.Path(sys.argv[1])
    if len(sys.argv) == 2:
        return python_examples(page)
    return programs(page, *sys.argv[2:6], pathlib.Path(sys.argv[6]))


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
