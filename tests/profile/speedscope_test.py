"""Profiles and timelines as speedscope of npm reads them, in chromium; timelines against a schema of the format, by npm's ajv.
speedscope_test.py VISOR EXAMPLES FOLDER [APPLICATION]; exit code 77 without chromium, npm or its registry."""
import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys

from viewers_test import EXAMPLES, run

PACKAGES = ("speedscope@1.25.0", "ajv@8.17.1")
HERE = pathlib.Path(__file__).resolve().parent
VALIDATE = """const Ajv = require('ajv'), fs = require('fs');
const validate = new Ajv({strict: false}).compile(JSON.parse(fs.readFileSync(process.argv[1])));
if (!validate(JSON.parse(fs.readFileSync(process.argv[2])))) { console.log(JSON.stringify(validate.errors)); process.exit(1); }"""


def packages_in(folder):
    """Brings them once; False: the registry cannot be reached."""
    if (folder / "node_modules" / "ajv").is_dir() and (folder / "node_modules" / "speedscope").is_dir():
        return True
    (folder / "package.json").write_text("{}\n", encoding="utf-8")
    words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save", *PACKAGES]
    return subprocess.run(words, cwd=folder, check=False, capture_output=True).returncode == 0


def shown(path, folder):
    """The document of speedscope with this file, without markup: cells are separated by |."""
    script = folder / "loaded.js"
    content = base64.b64encode(path.read_bytes()).decode()
    script.write_text(f"speedscope.loadFileFromBase64({json.dumps(path.name)}, '{content}')", encoding="utf-8")
    page = (folder / "node_modules/speedscope/dist/release/index.html").as_uri()
    document = run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--allow-file-access-from-files",
                    f"--user-data-dir={folder}/browser", "--virtual-time-budget=10000", "--dump-dom", f"{page}#localProfilePath={script}"])
    text = re.sub(r"<[^>]*>", "|", re.sub(r"<script.*?</script>|<style.*?</style>", "", document, flags=re.DOTALL))
    return re.sub(r"\s*\|[\s|]*", "|", text)


def check_files(stem, folder, instructions, packages):
    """`stem`.out, .folded and .json of one run."""
    profile, stacks, timeline = (folder / f"{stem}.{ending}" for ending in ("out", "folded", "json"))
    assert f"|{profile.name} -- Instructions|{instructions:,}|" in shown(profile, packages), (profile, instructions)
    text = shown(stacks, packages)
    assert f"|{stacks.name} - speedscope|" in text and "|Sandwich|" in text and "wrong" not in text, text[:2000]
    total = sum(int(line.rsplit(" ", 1)[1]) for line in stacks.read_text(encoding="utf-8").splitlines())
    assert total == instructions, (stacks, total, instructions)
    assert "work-groups (tid 3)|" in shown(timeline, packages), timeline
    run(["node", "-e", VALIDATE, HERE / "chrome_trace.schema.json", timeline.resolve()], cwd=packages)
    broken = json.loads(timeline.read_text(encoding="utf-8"))
    del next(event for event in broken["traceEvents"] if event["ph"] == "X")["dur"]
    (folder / "broken.json").write_text(json.dumps(broken), encoding="utf-8")
    run(["node", "-e", VALIDATE, HERE / "chrome_trace.schema.json", (folder / "broken.json").resolve()], code=1, cwd=packages)


def main():
    visor, examples, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    packages = folder / "packages"
    packages.mkdir(parents=True, exist_ok=True)
    if not all(map(shutil.which, ("chromium", "npm", "node"))) or not packages_in(packages):
        print("speedscope: no chromium, no npm, or no registry: not tried")
        return 77
    for name, arguments in EXAMPLES.items():
        words = [visor, "run", examples / name / f"{name}.cl", *arguments.split()]
        report = json.loads(run([*words, "--json", "--profile-out", folder / f"{name}.out", "--timeline-out", folder / f"{name}.json"]))
        run([*words, "--profile-out", folder / f"{name}.folded"])
        check_files(name, folder, report["launches"][0]["counts"]["instructions"], packages)
    if len(sys.argv) > 4:
        ends = [visor, "run", "--profile-out", folder / "app.out", "--timeline-out", folder / "app.json", "--", sys.argv[4]]
        told = subprocess.run(ends, capture_output=True, text=True, check=True).stderr
        run([visor, "run", "--profile-out", folder / "app.folded", "--", sys.argv[4]])
        check_files("app", folder, int(re.search(r"([\d ]+) instructions", told)[1].replace(" ", "")), packages)
    print(f"{len(EXAMPLES)} examples and {len(sys.argv) - 4} applications: callgrind, stacks and timelines read by speedscope")
    return 0


if __name__ == "__main__":
    sys.exit(main())
