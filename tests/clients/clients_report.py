"""A plugin for pytest that writes what happens to each test at once, so that a process that dies leaves its results.

VISOR_CLIENTS_LOG names the file: `start TEST`, then `passed`, `failed` or `skipped`, the test and why, on a line
with tabs between, and `end` when the run is over. A test that the file has a start of is not run again: a run goes on
behind a test that ended it.
"""
import os
import pathlib

log = pathlib.Path(os.environ["VISOR_CLIENTS_LOG"])


def name_of(of) -> str:
    """Of an item or a report: the test from its file on; where the client lies is left out."""
    return pathlib.Path(of.location[0]).name + "::" + of.nodeid.partition("::")[2]


def write(*words: str) -> None:
    with log.open("a", encoding="utf-8") as file:
        file.write("\t".join(" ".join(word.split()) for word in words) + "\n")


def why(report) -> str:
    if isinstance(report.longrepr, tuple): # of a skipped test: file, line, reason
        return report.longrepr[2]
    crash = getattr(report.longrepr, "reprcrash", None)
    return crash.message[:500] if crash else str(report.longrepr).strip()[-500:]


def pytest_collection_modifyitems(config, items):
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    started = {line.split("\t")[1] for line in lines if line.startswith("start\t")}
    done = [item for item in items if name_of(item) in started]
    if done:
        items[:] = [item for item in items if name_of(item) not in started]
        config.hook.pytest_deselected(items=done)


def pytest_collectreport(report):
    if report.failed:
        write("start", report.nodeid)
        write("failed", report.nodeid, why(report))


def pytest_runtest_protocol(item):
    write("start", name_of(item))


def pytest_runtest_logreport(report):
    """A test has a report of its setup, its call and its teardown; what fails anywhere has failed."""
    if report.when == "call" or not report.passed:
        write(report.outcome, name_of(report), "" if report.passed else why(report))


def pytest_sessionfinish():
    write("end")
