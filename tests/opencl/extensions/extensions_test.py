"""What the OpenCL platform tells of a device is true: extensions_test.py VISOR PROGRAM EXCEPTIONS DEVICE...

Runs PROGRAM (main.cpp) for each DEVICE with the compiler that a build takes; with --every for every device and
every compiler of this machine. EXCEPTIONS has what is told although a function of it is not right: a line there
that matches nothing fails as well. --verbose prints what would be right and is not told.
"""

import os
import re
import subprocess
import sys


def compilers(visor):
    """Of this machine, newest first: (release, devices)."""
    text = subprocess.run([visor, "info"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^compiler +ocloc (\d+\.\d+)\.?\S* .*: ([a-z0-9 -]+)$", text, re.MULTILINE)
    return [(release, devices.split()) for release, devices in found]


def exceptions_in(path):
    """Lines of "releases | devices | name | words of the failure | reason"; * is any."""
    out = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                releases, devices, *rest = (part.strip() for part in line.split("|"))
                out.append((releases.split(), devices.split(), *rest))
    return out


def applies(exception, release, device):
    return all(one in words or words == ["*"] for one, words in ((release, exception[0]), (device, exception[1])))


def run(program, release, device, exceptions, verbose):
    """The failures of one device and compiler."""
    environment = dict(os.environ, VISOR_DEVICE=device, VISOR_COMPILER=release)
    done = subprocess.run([program], env=environment, capture_output=True, text=True, errors="replace", check=False)
    known = [exception for exception in exceptions if applies(exception, release, device)]
    used = set()
    failures = []
    for line in done.stdout.splitlines():
        if verbose and line.startswith("more"):
            print(f"{device}, ocloc {release}: {line}")
        if not line.startswith("FAILED "):
            continue
        name, _, problem = line[len("FAILED "):].partition(": told, and ")
        matching = [one for one in known if one[2] == name and one[3] in problem]
        used.update(matching[:1] and [known.index(matching[0])])
        if not matching:
            failures.append(line)
    failures += [f"exceptions.txt: `{one[2]}`: {one[4]}: does not fail" for at, one in enumerate(known) if at not in used]
    if not re.search(r"^\d+ told, \d+ failed$", done.stdout, re.MULTILINE):
        failures.append(f"no verdict, exit code {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return failures


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    visor, program, exceptions, *devices = words
    found = compilers(visor)
    if "--every" in sys.argv:
        pairs = [(release, device) for release, known in found for device in known]
    else:
        pairs = [(next((release for release, known in found if device in known), None), device) for device in devices]
    failed = not pairs
    for release, device in pairs:
        if release is None:
            failures = ["no compiler knows it"]
        else:
            failures = run(program, release, device, exceptions_in(exceptions), "--verbose" in sys.argv)
        print(f"{device}, ocloc {release}: {'ok' if not failures else 'FAILED'}", flush=True)
        for failure in failures:
            print(f"    {failure}")
        failed = failed or bool(failures)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
