"""Compares README.md's tables of compilers and of Debian's releases with the truth: `visor info --json` of the
devices and of the compilers on this machine, scripts/compiler of the versions that it brings, scripts/setup of
the releases. devices_test.py VISOR SOURCES"""
import json
import pathlib
import re
import subprocess
import sys


def table(page, heading):
    """Rows of the table whose first heading is this one, as lists of cells without backticks."""
    rows = []
    inside = False
    for line in page.split("\n"):
        cells = [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
        if inside and not line.startswith("|"):
            break
        if inside and not set(line) <= set("|-: "):
            rows.append(cells)
        inside = inside or (line.startswith("|") and cells[0] == heading)
    return rows


def check_compilers(readme, info, brought):
    """The versions in the table and those of scripts/compiler agree; so do devices, of compilers found here."""
    wrong = []
    known = {device["name"] for device in info["devices"]}
    listed = re.search(r"Devices `([^`]+)`", readme)
    if listed is None or listed[1].split() != [device["name"] for device in info["devices"]]:
        wrong.append("the list of devices is not the one of `visor info`")
    rows = {cells[0].split()[0]: cells for cells in table(readme, "OpenCL compiler")}
    for package in ("intel-ocloc", "intel-ocloc-legacy"):
        version = re.search(rf"\b{package}=(\d+\.\d+)\.", brought)[1]
        if version not in rows:
            wrong.append(f"{package} {version}, which scripts/compiler brings, is not in the table")
    for version, cells in rows.items():
        if unknown := set(cells[-1].split()) - known:
            wrong.append(f"{version}: unknown devices {unknown}")
    compared = []
    for compiler in info["compilers"]:
        version = ".".join(compiler["version"].split(".")[:2])
        if version not in rows:
            print(f"docs.devices: {compiler['title']} is not in the table")
            continue
        compared.append(version)
        if rows[version][-1].split() != compiler["devices"]:
            wrong.append(f"{version}: the table says {rows[version][-1]}, the compiler {compiler['devices']}")
    print(f"docs.devices: {len(rows)} compilers in the table, compared {compared}, "
          f"not on this machine {sorted(set(rows) - set(compared))}")
    return wrong


def check_releases(readme, setup):
    told = {cells[0].split()[1] for cells in table(readme, "Debian")}
    names = {"12": "bookworm", "13": "trixie", "sid": "sid"}
    known = {number for number, name in names.items() if re.search(rf"\b{name}\b", setup)}
    return [] if told <= known and told else [f"the table has {told}, scripts/setup knows {known}"]


def main():
    sources = pathlib.Path(sys.argv[2])
    readme = (sources / "README.md").read_text()
    answer = subprocess.run([sys.argv[1], "info", "--json"], capture_output=True, text=True, check=True)
    wrong = check_compilers(readme, json.loads(answer.stdout), (sources / "scripts/compiler").read_text())
    wrong += check_releases(readme, (sources / "scripts/setup").read_text())
    print("\n".join(f"README.md: {line}" for line in wrong))
    return not wrong


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
