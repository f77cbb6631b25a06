"""Runs scripts/release in clones of a repository that has the files it looks at: a dry run that succeeds and changes
nothing, a release with a build of its own, and everything that is refused. release_test.py SOURCES"""
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

SOURCES = pathlib.Path(sys.argv.pop(1))
FILES = ("CHANGELOG.md", "CITATION.cff", "CMakeLists.txt", "LICENSE", "include/visor/visor.h", "pyproject.toml",
         "scripts/release", ".gitignore")
VERSION = re.search(r"project\(visor VERSION ([0-9.]+)", (SOURCES / "CMakeLists.txt").read_text())[1]
ENTRY = "\n### Added\n\n* A thing.\n"
# What a release builds with, which here only writes down that it was called.
TOOLS = {"cmake": "echo cmake $@ >>$CALLS", "scripts/build": "echo build $@ >>$CALLS; mkdir -p build/release",
         "scripts/test": "echo test $@ >>$CALLS",
         "cpack": "echo cpack >>$CALLS; while [ $1 != -B ]; do shift; done; mkdir -p $2; echo package >$2/visor_of_test.deb"}


def command(*words, cwd):
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=True).stdout


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        origin = self.folder / "origin"
        for name in FILES:
            (origin / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCES / name, origin / name)
        # As it stands between releases, whatever the tree's own has just now.
        (origin / "CHANGELOG.md").write_text(
            f"# Changelog\n\n## [Unreleased]\n\nThe next version is {VERSION}.\n{ENTRY}\n## [0.0.1] - 2020-01-01\n\n* Old.\n")
        tools = self.folder / "bin"
        tools.mkdir()
        for name, body in TOOLS.items():
            tool = (origin if "/" in name else tools) / name
            tool.write_text(f"#!/bin/sh\n{body}\n")
            tool.chmod(0o755)
        command("git", "init", "--quiet", "--initial-branch=main", cwd=origin)
        self.commit(origin)
        self.clone = self.folder / "clone"
        command("git", "clone", "--quiet", str(origin), str(self.clone), cwd=self.folder)
        self.origin = command("git", "rev-parse", "HEAD", cwd=origin)
        self.calls = self.folder / "calls"

    def commit(self, at):
        command("git", "add", "--all", cwd=at)
        command("git", "-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "--quiet", "-m", "test", cwd=at)

    def release(self, *words):
        environment = {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "CALLS": str(self.calls), "HOME": str(self.folder),
                       "GIT_AUTHOR_NAME": "test", "GIT_AUTHOR_EMAIL": "test@localhost", "GIT_COMMITTER_NAME": "test",
                       "GIT_COMMITTER_EMAIL": "test@localhost", "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(["scripts/release", *words], cwd=self.clone, env=environment, capture_output=True, text=True,
                              check=False)

    def change(self, name, old, new):
        path = self.clone / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def refused(self, words, said, code=1):
        before = command("git", "for-each-ref", cwd=self.clone)
        run = self.release(*words)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertIn(said, run.stderr)
        self.assertFalse((self.clone / "dist").exists())
        self.assertFalse(self.calls.exists())
        self.assertEqual(command("git", "for-each-ref", cwd=self.clone), before)

    def archive(self, suffix=".tar.gz"):
        path = self.clone / f"dist/visor-{VERSION}{suffix}"
        sums = (self.clone / "dist/SHA256SUMS").read_text()
        self.assertIn(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n", sums)
        with tarfile.open(path) as tar:
            names = {member.name for member in tar.getmembers() if member.isfile()}
            changelog = tar.extractfile(f"visor-{VERSION}/CHANGELOG.md").read().decode()
        self.assertEqual(names, {f"visor-{VERSION}/{name}" for name in command("git", "ls-files", cwd=self.clone).split()})
        self.assertRegex(changelog, rf"## \[Unreleased\]\n\n## \[{re.escape(VERSION)}\] - \d{{4}}-\d\d-\d\d\n{re.escape(ENTRY)}")
        self.assertNotIn("The next version", changelog)
        return sums

    def test_a_dry_run_changes_nothing(self):
        run = self.release(VERSION, "--dry-run")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("would run scripts/test --ci", run.stdout)
        self.assertIn(f"would make the tag v{VERSION}", run.stdout)
        self.assertEqual(len(self.archive().splitlines()), 1)
        self.assertFalse(self.calls.exists())
        self.assertEqual(command("git", "rev-parse", "HEAD", cwd=self.clone), self.origin)
        self.assertEqual(command("git", "tag", cwd=self.clone), "")
        self.assertEqual(command("git", "status", "--porcelain", cwd=self.clone), "")

    def test_a_release(self):
        run = self.release("--checked", VERSION)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("test --ci", self.calls.read_text())
        self.assertIn("cpack", self.calls.read_text())
        self.assertIn("visor_of_test.deb", self.archive())
        self.assertEqual(command("git", "cat-file", "-t", f"v{VERSION}", cwd=self.clone), "tag\n")
        self.assertIn("* A thing.", command("git", "tag", "-n9", cwd=self.clone))
        self.assertEqual(command("git", "rev-parse", f"v{VERSION}^{{}}~1", cwd=self.clone), self.origin)
        self.assertEqual(command("git", "status", "--porcelain", cwd=self.clone), "")
        # Nothing was pushed.
        self.assertEqual(command("git", "ls-remote", "--heads", "--tags", "origin", cwd=self.clone).split()[0] + "\n", self.origin)

    def test_without_checked_it_tests(self):
        self.assertEqual(self.release(VERSION).returncode, 0)
        self.assertEqual(self.calls.read_text().splitlines()[0], "test --ci")

    def test_a_dirty_tree(self):
        (self.clone / "new.txt").write_text("new")
        self.refused([VERSION, "--dry-run"], "the tree has changes")

    def test_another_branch(self):
        command("git", "checkout", "--quiet", "-b", "other", cwd=self.clone)
        self.refused([VERSION, "--dry-run"], "this is other, releases are made of main")

    def test_an_existing_tag(self):
        command("git", "tag", f"v{VERSION}", cwd=self.clone)
        self.refused([VERSION, "--dry-run"], f"there is a tag v{VERSION} already")

    def test_a_wrong_version(self):
        self.refused(["9.8.7", "--dry-run"], f"CMakeLists.txt says {VERSION}, not 9.8.7")
        self.refused(["9.8", "--dry-run"], "VERSION is MAJOR.MINOR.PATCH", 2)
        self.refused([], "VERSION is MAJOR.MINOR.PATCH", 2)

    def test_versions_that_differ(self):
        for name, old, new in (("CITATION.cff", f"version: {VERSION}", "version: 9.9.9"),
                               ("include/visor/visor.h", "VISOR_VERSION_MAJOR 0", "VISOR_VERSION_MAJOR 7"),
                               ("CHANGELOG.md", f"next version is {VERSION}", "next version is 9.9.9"),
                               ("pyproject.toml", 'input = "CMakeLists.txt"', 'input = "other.txt"')):
            with self.subTest(name):
                self.change(name, old, new)
                self.refused([VERSION, "--dry-run"], f"{name} says ")
                self.change(name, new, old)

    def test_a_changelog_without_entries(self):
        self.change("CHANGELOG.md", ENTRY, "")
        self.commit(self.clone)
        self.refused([VERSION, "--dry-run"], "CHANGELOG.md has nothing in [Unreleased]")

    def test_no_changelog(self):
        (self.clone / "CHANGELOG.md").unlink()
        self.commit(self.clone)
        self.refused([VERSION, "--dry-run"], "CHANGELOG.md has no section [Unreleased]")

    def test_a_version_that_was_released(self):
        self.change("CHANGELOG.md", "## [0.0.1]", f"## [{VERSION}]")
        self.commit(self.clone)
        self.refused([VERSION, "--dry-run"], f"CHANGELOG.md has a section [{VERSION}] already")


if __name__ == "__main__":
    unittest.main()
