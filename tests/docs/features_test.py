"""Compares README.md's table of devices with what the program says: `visor info --json`, `visor isa --json`, what the
OpenCL platform answers for each device, and the engine that runs a kernel for it. features_test.py VISOR SOURCES"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import pages

HEADINGS = ("devices", "generation", "GRF", "SIMD", "int64", "fp64", "matrix", "messages", "OpenCL", "images", "samplers", "work-group",
            "SLM", "JIT", "instructions", "compilers")
KERNEL = """.version 4.1
.kernel "one"
.decl V v_type=G type=d num_elts=16 align=GRF
.kernel_attr SimdSize=16
    mov (M1, 16) V(0,0)<1> 0x1:d
    ret (M1, 1)
"""
# An OpenCL application: CL_DEVICE_VERSION, _IMAGE_SUPPORT, _MAX_WORK_GROUP_SIZE, _LOCAL_MEM_SIZE, _DOUBLE_FP_CONFIG,
# _SUB_GROUP_SIZES_INTEL.
QUERY = """
import ctypes, json
cl = ctypes.CDLL("libOpenCL.so.1")
platform, device, needed = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
assert cl.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
assert cl.clGetDeviceIDs(platform, ctypes.c_uint64(4), 1, ctypes.byref(device), None) == 0
def ask(what):
    assert cl.clGetDeviceInfo(device, what, ctypes.c_size_t(0), None, ctypes.byref(needed)) == 0
    room = ctypes.create_string_buffer(needed.value)
    assert cl.clGetDeviceInfo(device, what, ctypes.c_size_t(needed.value), room, None) == 0
    return room.raw
number = lambda what: int.from_bytes(ask(what), "little")
sizes = ask(0x4108)
print(json.dumps({"version": ask(0x102F).decode().split()[1], "images": number(0x1016) != 0, "group": number(0x1004),
                  "slm": number(0x1023), "fp64": number(0x1032) != 0,
                  "simd": [int.from_bytes(sizes[i:i + 8], "little") for i in range(0, len(sizes), 8)]}))
"""


def said(visor, *words):
    """What a verb says, as data."""
    return json.loads(subprocess.run([visor, *words, "--json"], capture_output=True, text=True, check=True).stdout)


def rows_of(readme):
    """The table whose headings are those above, cells without backticks."""
    for block in pages.blocks_of(readme):
        lines = [[cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")] for line in block.lines]
        if block.kind == "table" and tuple(lines[0]) == HEADINGS:
            return [dict(zip(HEADINGS, line)) for line in lines[2:]]
    return []


def words(flag):
    return "yes" if flag else "-"


def facts_of(device, instructions):
    """The cells of a device by the program's lists."""
    name = device["name"]
    here = [one for one in instructions if name in one["devices"]]
    executed = [one for one in here if not one["unsupported"]]
    legacy = any(one["family"] == "svm" for one in executed) and any(one["family"] == "scattered" for one in executed)
    lsc = any(one["family"] == "lsc" for one in executed)
    return {"generation": device["description"].split(":")[0], "GRF": str(device["grf_bytes"]),
            "SIMD": " ".join(map(str, device["simd_widths"])), "int64": words(device["int64"]), "fp64": words(device["fp64"]),
            "matrix": " ".join(one["mnemonic"] for one in executed if one["family"] == "matrix") or "-",
            "messages": ", ".join(word for word, has in (("legacy", legacy), ("LSC", lsc)) if has),
            "images": words(device["images"]), "samplers": words(any(one["family"] == "sampler" for one in executed)),
            "work-group": str(device["max_group_size"]), "SLM": f"{device['slm_bytes'] >> 10} KiB",
            "instructions": f"{len(executed)} of {len(here)}"}


def check_lists(device, facts, instructions):
    """Whether the program's lists agree with each other."""
    name = device["name"]
    counted = device["instructions"]
    if f"{counted['executed']} of {counted['available']}" != facts["instructions"]:
        yield f"{name}: info counts {counted}, isa {facts['instructions']}"
    if " ".join(device["matrix"]) != facts["matrix"].removesuffix("-"):
        yield f"{name}: info has {device['matrix']}, isa {facts['matrix']}"
    if device["samplers"] != (facts["samplers"] == "yes") or device["lsc"] != facts["messages"].endswith("LSC"):
        yield f"{name}: info and isa differ in samplers or LSC"
    if not instructions:
        yield "isa lists nothing"


def opencl_of(visor, name):
    """What the OpenCL platform answers as this device; None: it is not built, or there is no loader."""
    done = subprocess.run([visor, "run", "--device", name, "-q", "--", sys.executable, "-c", QUERY], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0 or not done.stdout.strip():
        return None, done.stderr[-400:]
    return json.loads(done.stdout), ""


def engine_of(visor, name, folder):
    text = folder / "one.visaasm"
    text.write_text(KERNEL, encoding="utf-8")
    return said(visor, "run", text, "--device", name, "--engine", "jit", "--groups", "1")["engine"]


def check_compilers(cells, name, compilers):
    """The versions of this machine's compilers that a row should have, and others that it has."""
    listed = set(cells["compilers"].split()) - {"none"}
    for version, devices in compilers.items():
        if (version in listed) != (name in devices):
            yield f"{name}: compilers are {cells['compilers']}, {version} knows {' '.join(devices)}"


def check_row(cells, device, truth):
    facts = facts_of(device, truth["instructions"])
    yield from check_lists(device, facts, truth["instructions"])
    yield from (f"{device['name']}: {key} is `{cells[key]}`, not `{value}`" for key, value in facts.items() if cells[key] != value)
    yield from check_compilers(cells, device["name"], truth["compilers"])
    if truth["jit"] and cells["JIT"] != words(engine_of(truth["visor"], device["name"], truth["folder"]) == "jit"):
        yield f"{device['name']}: JIT is `{cells['JIT']}`"
    if truth["opencl"]:
        answers, problem = opencl_of(truth["visor"], device["name"])
        wanted = answers and {"version": cells["OpenCL"], "images": cells["images"] == "yes", "group": int(cells["work-group"]),
                              "slm": int(cells["SLM"].split()[0]) << 10, "fp64": cells["fp64"] == "yes",
                              "simd": [int(width) for width in cells["SIMD"].split()]}
        if answers != wanted or answers is None:
            yield f"{device['name']}: OpenCL answers {answers} {problem}, the table has {wanted}"


def main():
    visor, root = sys.argv[1], pathlib.Path(sys.argv[2])
    readme = (root / "README.md").read_text(encoding="utf-8")
    info, instructions = said(visor, "info"), said(visor, "isa")["instructions"]
    devices = {device["name"]: device for device in info["devices"]}
    compilers = {".".join(one["version"].split(".")[:2]): one["devices"] for one in info["compilers"]}
    rows = {name: cells for cells in rows_of(readme) for name in cells["devices"].split()}
    wrong = [] if list(rows) == list(devices) else [f"the table has {list(rows)}, visor {list(devices)}"]
    with tempfile.TemporaryDirectory() as folder:
        opencl = opencl_of(visor, "skl")[0] is not None
        truth = {"visor": visor, "instructions": instructions, "compilers": compilers, "jit": "jit" in info["engines"],
                 "opencl": opencl, "folder": pathlib.Path(folder)}
        for name in rows.keys() & devices.keys():
            wrong += check_row(rows[name], devices[name], truth)
    for number in re.findall(r"each of the (\d+) instructions", readme) or ["none"]:
        if number != str(len(instructions)):
            wrong.append(f"{number} instructions, `visor isa` lists {len(instructions)}")
    versions = {version for cells in rows.values() for version in cells["compilers"].split()} - {"none"}
    print("\n".join(f"README.md: {line}" for line in sorted(wrong)))
    print(f"features: {len(rows)} devices, compilers compared {sorted(compilers)}, not on this machine {sorted(versions - set(compilers))}, "
          f"JIT {'compared' if truth['jit'] else 'SKIPPED: this build has none'}, "
          f"OpenCL {'compared' if opencl else 'SKIPPED: no platform or no loader here'}, {len(wrong)} wrong")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
