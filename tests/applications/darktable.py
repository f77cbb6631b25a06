"""darktable-cli develops a picture on the CPU and with OpenCL: the steps that both compute alike have to give the same.

Arguments: a folder for what is written, and the word `prepare` for the first of two runs: darktable compiles its
kernels then, finds the device slow, and leaves OpenCL off until it starts the next time.
"""
import pathlib
import struct
import subprocess
import sys
import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
width, height = 300, 200

# darktable's steps with their parameters, as its sidecar files have them. (Others, "bloom" for one, are approximated
# differently on a GPU, by design.)
STEPS = {"sharpen": [2.0, 0.5, 0.5], "soften": [40.0, 90.0, 0.33, 50.0]}
STEP = ('<rdf:li darktable:num="{}" darktable:operation="{}" darktable:enabled="1" darktable:modversion="1"'
        ' darktable:params="{}" darktable:multi_name="" darktable:multi_priority="0"/>')
SIDECAR = """<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="5"
 darktable:raw_params="0" darktable:auto_presets_applied="1" darktable:history_end="{}" darktable:iop_order_version="2">
<darktable:history><rdf:Seq>{}</rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>
"""


def write_pfm(path, pixels):
    path.write_bytes(b"PF\n%d %d\n-1.0\n" % (pixels.shape[1], pixels.shape[0]) + pixels[::-1].astype("<f4").tobytes())


def read_pfm(path):
    kind, size, scale, data = path.read_bytes().split(b"\n", 3)
    columns, rows = map(int, size.split())
    assert kind == b"PF" and float(scale) < 0
    return np.frombuffer(data, "<f4").reshape(rows, columns, 3)[::-1]


def develop(name, settings, *options):
    out = folder / f"{name}.pfm"
    out.unlink(missing_ok=True)
    home = folder / settings
    home.mkdir(exist_ok=True)
    run = subprocess.run(["darktable-cli", folder / "in.pfm", folder / "in.xmp", out, "--core", "--library", ":memory:",
                          "--configdir", home, "--cachedir", home, "-d", "perf", *options],
                         capture_output=True, text=True, check=False)
    (folder / f"{name}.log").write_text(run.stdout + run.stderr)
    return out, run.stdout + run.stderr


y, x = np.mgrid[0:height, 0:width]
write_pfm(folder / "in.pfm", np.stack([x / width, y / height, 0.5 + 0.4 * np.sin(x / 9) * np.cos(y / 7)], -1))
steps = "".join(STEP.format(number, name, struct.pack(f"<{len(values)}f", *values).hex())
                for number, (name, values) in enumerate(STEPS.items()))
(folder / "in.xmp").write_text(SIDECAR.format(len(STEPS), steps))

opencl, log = develop("opencl", "with", "--conf", "opencl=TRUE")
if "prepare" in sys.argv[2:]:
    sys.exit(0 if opencl.exists() else 1)
alone, _ = develop("alone", "without", "--disable-opencl")
difference = np.abs(read_pfm(opencl) - read_pfm(alone))
used = [name for name in STEPS if f"`{name}' on GPU" in log]
# In the corners a blur is repeated boxes on the CPU, and weights of a bell with OpenCL.
apart = (difference > 0.01).mean()
good = apart < 0.003 and difference.mean() < 0.001 and len(used) == len(STEPS) and read_pfm(alone).std() > 0.1
print(f"with OpenCL: {', '.join(used) or 'nothing'}; differences: {difference.mean():.6f} on average, {apart:.2%} of the "
      f"values more than 0.01: {'good' if good else 'WRONG'}")
sys.exit(0 if good else 1)
