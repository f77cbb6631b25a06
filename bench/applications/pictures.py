#!/usr/bin/env python3
"""CPU time of picture programs on Visor's OpenCL platform: FFmpeg's OpenCL filters and darktable's export.

    bench/applications/pictures.py [--rounds N] [--only WORD] BUILD [BASELINE]

BUILD and BASELINE are build folders; runs take turns, after one that fills the caches. Prints, by program, the median CPU
time of the whole process with each build in seconds, and BASELINE's by BUILD's; whether both gave the same bytes. The
exit code is 1 where a run failed or they did not. Needs `scripts/setup more-apps` and `scripts/setup debian`.
"""

import argparse
import hashlib
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass

FRAMES, WIDTH, HEIGHT = 24, 1280, 720
SOURCE = f"testsrc2=size={WIDTH}x{HEIGHT}:rate=24"
OTHER = f"mandelbrot=size={WIDTH}x{HEIGHT}:rate=24:maxiter=64"
PROGRAM = """
__constant sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
__kernel void twist(__write_only image2d_t to, unsigned int frame, __read_only image2d_t from) {
    const int2 at = {get_global_id(0), get_global_id(1)};
    const float2 size = convert_float2(get_image_dim(to));
    const float2 p = (convert_float2(at) + 0.5f) / size - 0.5f;
    const float a = 2.0f * length(p) + 0.05f * frame, c = cos(a), d = sin(a);
    write_imagef(to, at, read_imagef(from, s, (float2)(c * p.x - d * p.y, d * p.x + c * p.y) + 0.5f));
}
__kernel void rings(__write_only image2d_t to, unsigned int frame) {
    const int2 at = {get_global_id(0), get_global_id(1)};
    const float2 p = (convert_float2(at) - 300.0f) * 0.05f;
    write_imagef(to, at, (float4)(0.5f + 0.5f * sin(length(p) + frame)));
}
"""
# Of one picture, with its format; `{program}` is a file with PROGRAM.
FILTERS = {
    "avgblur": ("yuv420p", "avgblur_opencl=sizeX=5"), "boxblur": ("yuv420p", "boxblur_opencl=4:1"),
    "colorkey": ("rgba", "colorkey_opencl=0x3BBD1E:0.3:0.2"),
    "convolution": ("yuv420p", "convolution_opencl=" + "1 2 1 2 4 2 1 2 1:" * 4 + "1/16:1/16:1/16:1/16"),
    "deshake": ("yuv420p", "deshake_opencl"), "dilation": ("yuv420p", "dilation_opencl"),
    "erosion": ("yuv420p", "erosion_opencl"), "nlmeans": ("yuv420p", "nlmeans_opencl=p=3:r=3"),
    "pad": ("yuv420p", "pad_opencl=w=1400:h=800:x=60:y=40"), "prewitt": ("yuv420p", "prewitt_opencl=scale=0.5"),
    "program": ("rgba", "program_opencl=source={program}:kernel=twist"), "roberts": ("yuv420p", "roberts_opencl=scale=0.5"),
    "sobel": ("yuv420p", "sobel_opencl=scale=0.5"),
    "tonemap": ("p010", "setparams=color_trc=smpte2084:color_primaries=bt2020:colorspace=bt2020nc,hwupload,"
                        "tonemap_opencl=tonemap=hable:format=nv12"),
    "transpose": ("yuv420p", "transpose_opencl=dir=clock"), "unsharp": ("yuv420p", "unsharp_opencl"),
}
GRAPHS = {
    "overlay": f"{SOURCE},format=yuv420p,hwupload[a];{OTHER},format=yuv420p,hwupload[b];[a][b]overlay_opencl=x=64:y=32",
    "remap": f"{SOURCE},format=rgba,hwupload[a];nullsrc=size={WIDTH}x{HEIGHT},geq=lum='X*0.9+20':cb=128:cr=128,format=gray16le,"
             f"hwupload[x];nullsrc=size={WIDTH}x{HEIGHT},geq=lum='Y':cb=128:cr=128,format=gray16le,hwupload[y];"
             "[a][x][y]remap_opencl=interp=linear",
    "xfade": f"{SOURCE}:duration=2,format=yuv420p,hwupload[a];{OTHER},trim=duration=2,format=yuv420p,hwupload[b];"
             "[a][b]xfade_opencl=transition=wipeleft:duration=1:offset=0",
    "openclsrc": f"openclsrc=source={{program}}:kernel=rings:size={WIDTH}x{HEIGHT}:format=rgba",
}
FORMATS = {"tonemap": "nv12", "program": "rgba", "colorkey": "rgba", "remap": "rgba", "openclsrc": "rgba"}

# What a group reads depends on which groups ran before: no two runs on several threads agree.
ORDERED = ("tonemap",)

# darktable's modules: operation, version, parameters, as its sidecar files have them.
MODULES = [("sharpen", 1, struct.pack("<3f", 2.0, 0.5, 0.5)), ("soften", 1, struct.pack("<4f", 40.0, 90.0, 0.33, 50.0)),
           ("highpass", 1, struct.pack("<2f", 30.0, 60.0)), ("vibrance", 2, struct.pack("<f", 25.0)),
           ("grain", 2, struct.pack("<i3f", 3, 1600.0 / 213.2, 25.0, 1.0))]


@dataclass(frozen=True)
class Task:
    name: str
    command: tuple[str, ...]
    result: pathlib.Path
    one_thread: bool = False


def ffmpeg_tasks(folder: pathlib.Path) -> list[Task]:
    program = folder / "program.cl"
    program.write_text(PROGRAM)
    graphs = {name: f"{SOURCE},format={given},{'' if 'hwupload' in text else 'hwupload,'}{text}"
              for name, (given, text) in FILTERS.items()} | GRAPHS
    tasks = []
    for name, graph in graphs.items():
        result = folder / f"{name}.md5"
        whole = graph.replace("{program}", str(program)) + f",hwdownload,format={FORMATS.get(name, 'yuv420p')}"
        tasks.append(Task(f"FFmpeg {name}", ("ffmpeg", "-hide_banner", "-v", "error", "-y", "-init_hw_device",
                                             "opencl=ocl:0.0", "-filter_hw_device", "ocl", "-filter_complex", whole,
                                             "-frames:v", str(FRAMES), "-f", "framemd5", str(result)), result,
                          name in ORDERED))
    return tasks


def darktable_task(folder: pathlib.Path) -> Task:
    width, height = 2400, 1600
    rows = (struct.pack(f"<{3 * width}f", *(value for x in range(width) for value in
                                             (x / width, y / height, (x * 7 + y * 13) % 64 / 64))) for y in range(height))
    picture = folder / "in.pfm"
    with picture.open("wb") as file:
        file.write(b"PF\n%d %d\n-1.0\n" % (width, height))
        file.writelines(rows)
    steps = "".join(f'<rdf:li darktable:num="{number}" darktable:operation="{name}" darktable:enabled="1" '
                    f'darktable:modversion="{version}" darktable:params="{values.hex()}" darktable:multi_name="" '
                    'darktable:multi_priority="0"/>' for number, (name, version, values) in enumerate(MODULES))
    (folder / "in.xmp").write_text(
        '<?xml version="1.0" encoding="UTF-8"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="5" darktable:raw_params="0" '
        f'darktable:auto_presets_applied="1" darktable:history_end="{len(MODULES)}" darktable:iop_order_version="2">'
        f"<darktable:history><rdf:Seq>{steps}</rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>")
    result = folder / "out.pfm"
    return Task("darktable, five modules", ("darktable-cli", str(picture), str(folder / "in.xmp"), str(result), "--core",
                                            "--library", ":memory:", "--conf", "opencl=TRUE", "--conf",
                                            "opencl_mandatory_timeout=100000", "--configdir", "{home}", "--cachedir",
                                            "{home}"), result)


def run(task: Task, build: pathlib.Path, home: pathlib.Path) -> tuple[float, str]:
    """CPU time of the process and what it started, and a digest of the result; "" where it failed."""
    task.result.unlink(missing_ok=True)
    environment = os.environ | {"OCL_ICD_VENDORS": str(build / "opencl/vendors"), "VISOR_CACHE_DIR": str(home / "cache")}
    if task.one_thread:
        environment["VISOR_THREADS"] = "1"
    before = os.times()
    done = subprocess.run([word.replace("{home}", str(home)) for word in task.command], env=environment, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=1800)
    after = os.times()
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    if done.returncode != 0 or not task.result.exists():
        sys.stderr.write(f"{task.name}: {done.stderr.decode(errors='replace')[-400:]}\n")
        return seconds, ""
    return seconds, hashlib.sha256(task.result.read_bytes()).hexdigest()


def measured(task: Task, builds: list[pathlib.Path], folder: pathlib.Path, rounds: int) -> dict[str, object]:
    homes = [folder / f"home-{number}" for number in range(len(builds))]
    digests = set()
    times: list[list[float]] = [[] for _ in builds]
    for home in homes:
        home.mkdir(exist_ok=True)
    for turn in range(rounds + 1):
        for number, build in enumerate(builds):
            seconds, digest = run(task, build, homes[number])
            digests.add(digest)
            if turn != 0:
                times[number].append(seconds)
    medians = [statistics.median(one) for one in times]
    return {"name": task.name, "seconds": medians, "same": len(digests) == 1 and digests != {""}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("builds", metavar="BUILD", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    builds = [build.resolve() for build in arguments.builds]
    rows = []
    with tempfile.TemporaryDirectory(prefix="visor-pictures-") as name:
        folder = pathlib.Path(name)
        for task in [*ffmpeg_tasks(folder), darktable_task(folder)]:
            if arguments.only not in task.name:
                continue
            rows.append(row := measured(task, builds, folder, arguments.rounds))
            ratio = f" | {row['seconds'][1] / row['seconds'][0]:.2f}" if len(builds) > 1 else ""
            print(f"| {row['name']} | {' | '.join(f'{value:.2f}' for value in row['seconds'])}{ratio} | "
                  f"{'same' if row['same'] else 'DIFFERS OR FAILED'} |", flush=True)
    return 0 if all(row["same"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
