"""Runs the commands of docs/dev/tour.md, in their order, in a new folder. tour_test.py VISOR SOURCES"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def main():
    visor, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    commands = re.findall(r"^    (.*)$", (root / "docs/dev/tour.md").read_text(encoding="utf-8"), re.MULTILINE)
    present = []
    for command in commands:
        lacking = [tool for tool in ("clinfo", "objdump") if tool in command.split() and shutil.which(tool) is None]
        if lacking:
            print(f"tour: SKIPPED `{command}`: no {lacking[0]}")
        else:
            present.append(command)
    environment = os.environ | {"PATH": f"{visor.parent}:{os.environ['PATH']}", "VISOR": str(root)}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["bash", "-euxo", "pipefail", "-c", "\n".join(present)], cwd=folder, env=environment,
                              capture_output=True, text=True, check=False)
    sums = done.stdout.count("0 = 8128 24512\n")
    if done.returncode != 0 or sums != 2:
        print(done.stdout[-2000:], done.stderr[-4000:])
    print(f"tour: {len(present)} commands, exit code {done.returncode}, {sums} times the sums")
    return 1 if done.returncode != 0 or sums != 2 or not present else 0


if __name__ == "__main__":
    sys.exit(main())
