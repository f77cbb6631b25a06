"""What visor writes for viewers, as they read it: callgrind_annotate, genhtml and Python's json.
viewers_test.py VISOR EXAMPLES FOLDER [APPLICATION]; exit code 77 where neither viewer is installed."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

# Arguments as the examples' heads give them.
EXAMPLES = {
    "saxpy": "-g 1024 -l 64 -a iota:f32:1000 fill:f32:1000:2 2.5 1000",
    "transpose": "-g 64,64 -l 16,16 -a zeros:f32:4096 iota:f32:4096 64 64",
    "reduction": "-g 1024 -l 128 -a zeros:i32:8 iota:i32:1000 local:512 1000",
    "matmul": "-g 32,32 -l 16,16 -a zeros:f32:1024 iota:f32:1024 iota:f32:1024 32",
    "mandelbrot": "-k mandelbrot -g 64,64 -l 16,4 -a image=zeros:u8:64x64x4 width=64 x0=-2.25 y0=-1.25 dx=0.03 dy=0.03 limit=64",
}


def run(words, code=0, cwd=None):
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd)
    if done.returncode != code:
        sys.exit(f"{' '.join(map(str, words))}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def instructions_of(annotated):
    """PROGRAM TOTALS of callgrind_annotate."""
    found = re.search(r"^ *([\d,]+) \(100\.0%\).*PROGRAM TOTALS$", annotated, re.MULTILINE)
    return int(found[1].replace(",", "")) if found else None


def check_example(visor, source, arguments, folder, viewers):
    profile, coverage, timeline = (folder / f"{source.stem}.{kind}" for kind in ("out", "info", "json"))
    report = json.loads(run([visor, "run", source, *arguments.split(), "--json", "--profile-out", profile,
                             "--coverage-out", coverage, "--timeline-out", timeline]))
    counted = report["launches"][0]["counts"]
    if "callgrind_annotate" in viewers:
        annotated = run(["callgrind_annotate", profile])
        assert instructions_of(annotated) == counted["instructions"], (source, instructions_of(annotated), counted)
        assert f"-- Auto-annotated source: {source}" in annotated, annotated[:3000]
        assert "malformed" not in annotated and "WARNING" not in annotated
    if "genhtml" in viewers:
        pages = folder / f"{source.stem}.html"
        said = run(["genhtml", "--quiet", coverage, "--output-directory", pages])
        assert (pages / "index.html").is_file() and not said.strip(), said
    events = json.loads(timeline.read_text(encoding="utf-8"))["traceEvents"]
    groups = [event for event in events if event["ph"] == "X" and event["name"].startswith("group ")]
    assert len(groups) == counted["work_groups"], (source, len(groups))
    assert sum(event["dur"] for event in groups) == counted["instructions"]
    check_nesting(events)


def check_nesting(events):
    """Slices of a track do not overlap, and every event has what the format asks for."""
    ends = {}
    for event in sorted((one for one in events if one["ph"] == "X"), key=lambda one: (one["tid"], one["ts"], -one["dur"])):
        assert event["ts"] >= ends.get(event["tid"], 0), event
        ends[event["tid"]] = event["ts"] + event["dur"]
    for event in events:
        assert {"ph", "pid", "name"} <= event.keys() and event["ph"] in "XCMi", event


def check_application(visor, application, folder):
    for old in folder.glob("app.*"):
        old.unlink()
    told = subprocess.run([visor, "run", "--profile-out", folder / "app.%p.out", "--coverage-out", folder / "app.info", "--timeline-out",
                           folder / "app.json", "--", application], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    instructions = int(re.search(r"([\d ]+) instructions", told.stderr)[1].replace(" ", ""))
    profiles = list(folder.glob("app.*.out"))
    assert len(profiles) == 1 and re.fullmatch(r"app\.\d+\.out", profiles[0].name), profiles
    summary = re.search(r"^summary: (\d+) ", profiles[0].read_text(encoding="utf-8"), re.MULTILINE)
    assert int(summary[1]) == instructions, (summary[1], told.stderr)
    assert "end_of_record" in (folder / "app.info").read_text(encoding="utf-8")
    events = json.loads((folder / "app.json").read_text(encoding="utf-8"))["traceEvents"]
    assert any(event["ph"] == "i" for event in events), "no command of the host is on the timeline"
    check_nesting(events)
    # A child that launches nothing, and a parent that is killed, leave what the parent had written.
    left = folder / "forks.out"
    subprocess.run([visor, "run", "--profile-out", left, "--", application, "forks"], capture_output=True, check=False)
    summary = re.search(r"^summary: (\d+) ", left.read_text(encoding="utf-8"), re.MULTILINE)
    assert int(summary[1]) == instructions, summary[1]


def main():
    visor, examples, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    viewers = {name for name in ("callgrind_annotate", "genhtml") if shutil.which(name)}
    for name, arguments in EXAMPLES.items():
        check_example(visor, examples / name / f"{name}.cl", arguments, folder, viewers)
    if len(sys.argv) > 4:
        check_application(visor, sys.argv[4], folder)
    print(f"{len(EXAMPLES)} examples; read by {', '.join(sorted(viewers)) or 'json alone'}")
    return 0 if viewers else 77


if __name__ == "__main__":
    sys.exit(main())
