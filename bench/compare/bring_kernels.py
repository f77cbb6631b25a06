#!/usr/bin/env python3
"""Brings the OpenCL C of the public projects that fifth_set.json and public_images.json name, for `compare`.

    bench/compare/bring_kernels.py [FOLDER]     `scripts/setup kernels` runs it; FOLDER: build/kernels

Archives have the versions and SHA-256 sums of those files: wheels by pip from PyPI, upstream sources by apt-helper from
Debian's archive ($VISOR_COMPILER_MIRROR, else http://deb.debian.org/debian). Only OpenCL C and headers are kept. What
is there already is left alone. Where no registry answers nothing is brought, which is said and no error; another
sum is one. Kernels of `checkout` projects need `compare --sources FOLDER`.
"""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
APT_HELPER = "/usr/lib/apt/apt-helper"
MIRROR = os.environ.get("VISOR_COMPILER_MIRROR", "http://deb.debian.org/debian")
# The platform of wheels, whatever Python runs this: only their data is used.
PLATFORM = ("--python-version", "3.11", "--implementation", "cp", "--platform", "manylinux_2_28_x86_64",
            "--only-binary", ":all:")
MOST_SECONDS = 240  # of one archive
KEPT = (".cl", ".h", ".clh")
MARK = ".sha256"
DESCRIPTIONS = ("fifth_set.json", "public_images.json")


def run(command: list[str]) -> bool:
    """Whether it succeeded in time."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=MOST_SECONDS,
                              check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def fetched(name: str, project: dict[str, Any], folder: pathlib.Path) -> pathlib.Path | None:
    """The archive; None: no registry answers."""
    archive = folder / pathlib.PurePosixPath(project["archive"]).name
    if project["from"] == "PyPI":
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q", "--no-deps",
                   "--retries", "1", *PLATFORM, "-d", str(folder), f"{name}=={project['version']}"]
    else:
        command = [APT_HELPER, "download-file", f"{MIRROR}/{project['archive'].replace('+', '%2b')}", str(archive)]
    return archive if run(command) and archive.is_file() else None


def members(archive: pathlib.Path) -> list[tuple[str, bytes]]:
    """The paths and contents of what is kept; those of a tar file without its first folder."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as whole:
            return [(name, whole.read(name)) for name in whole.namelist() if name.endswith(KEPT)]
    found = []
    with tarfile.open(archive) as whole:
        for entry in whole:
            if entry.isreg() and entry.name.endswith(KEPT) and "/" in entry.name:
                content = whole.extractfile(entry)
                assert content is not None
                found.append((entry.name.split("/", 1)[1], content.read()))
    return found


def unpack(archive: pathlib.Path, target: pathlib.Path, project: dict[str, Any]) -> int:
    """Replaces the folder as a whole; the number of files."""
    unfinished = pathlib.Path(tempfile.mkdtemp(prefix=".unfinished-", dir=target.parent))
    count = 0
    for name, content in members(archive) + [(header, b"") for header in project.get("empty_headers", [])]:
        path = pathlib.PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError(f"{archive.name}: a path leaves its folder: {name}")
        (unfinished / path).parent.mkdir(parents=True, exist_ok=True)
        (unfinished / path).write_bytes(content)
        count += 1
    (unfinished / MARK).write_text(project["sha256"] + "\n", encoding="utf-8")
    shutil.rmtree(target, ignore_errors=True)
    unfinished.rename(target)
    return count


def bring(name: str, project: dict[str, Any], home: pathlib.Path) -> bool:
    """One project. False: its archive is another one."""
    target = home / name
    mark = target / MARK
    if mark.is_file() and mark.read_text(encoding="utf-8").strip() == project["sha256"]:
        return True
    with tempfile.TemporaryDirectory() as folder:
        archive = fetched(name, project, pathlib.Path(folder))
        if archive is None:
            print(f"setup: SKIPPED the kernels of {name}: {project['from']} does not answer, or has no "
                  f"{project['archive']}")
            return True
        if (found := hashlib.sha256(archive.read_bytes()).hexdigest()) != project["sha256"]:
            print(f"setup: {project['archive']} has the SHA-256 {found} instead of {project['sha256']}", file=sys.stderr)
            return False
        print(f"setup: {unpack(archive, target, project)} files of {name} {project['version']} are in {target}")
    return True


def main(words: list[str]) -> int:
    """See above."""
    if len(words) > 2 or "-h" in words or "--help" in words:
        print(__doc__)
        return 0 if len(words) == 2 else 2
    home = pathlib.Path(words[1]) if len(words) == 2 else HERE.parents[1] / "build" / "kernels"
    home.mkdir(parents=True, exist_ok=True)
    projects: dict[str, Any] = {}
    for file in DESCRIPTIONS:
        projects |= json.loads((HERE / file).read_text(encoding="utf-8"))["projects"]
    fine = [bring(name, project, home) for name, project in projects.items() if project["from"] != "checkout"]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
