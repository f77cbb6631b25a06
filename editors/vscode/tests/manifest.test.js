// What package.json states, against the program and the folder; tasks; and that nothing generated is stale.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const { isLaunchFile, taskArguments } = require("../src/tasks.js");
const { filesOf, rowsOf } = require("../tools/generate.js");
const { extension, filesBelow, root, runVisor, visor } = require("./support.js");

const manifest = JSON.parse(fs.readFileSync(path.join(extension, "package.json"), "utf8"));
const contributes = manifest.contributes;

test("nothing generated is stale", () => {
    for (const [name, text] of Object.entries(filesOf(rowsOf(visor)))) {
        assert.ok(fs.readFileSync(path.join(root, "editors", name), "utf8") === text, `${name} is stale: run editors/vscode/generate visor`);
    }
});

test("the version is Visor's next one", () => {
    assert.match(fs.readFileSync(path.join(root, "CHANGELOG.md"), "utf8"), new RegExp(`(version is |\\[)${manifest.version.replaceAll(".", "\\.")}`));
});

test("dependencies are pinned", () => {
    assert.equal(manifest.dependencies, undefined);
    for (const version of Object.values(manifest.devDependencies)) {
        assert.match(/** @type {string} */ (version), /^\d+\.\d+\.\d+$/);
    }
});

test("profiles, commands and files are there", () => {
    const help = runVisor("check", "--help").out;
    for (const profile of contributes.configuration.properties["visor.profile"].enum) {
        assert.ok(profile === "auto" || help.includes(`${profile}:`), profile);
    }
    const source = fs.readFileSync(path.join(extension, "src/extension.js"), "utf8");
    for (const { command } of contributes.commands) {
        assert.ok(source.includes(`registerCommand("${command}"`), command);
    }
    assert.ok(fs.existsSync(path.join(extension, contributes.languages[0].configuration)));
    assert.ok(fs.existsSync(path.join(extension, contributes.grammars[0].path)));
});

test("the problem matchers match what visor check prints", () => {
    /** @type {any[]} */
    const patterns = contributes.problemPatterns;
    let count = 0;
    for (const file of filesBelow("tests/data/bad", ".visaasm")) {
        const { said } = runVisor("check", "--color", "never", "--profile", "spec", file);
        const json = JSON.parse(runVisor("check", "--json", "--profile", "spec", file).out).files[0].diagnostics;
        const placed = json.filter((/** @type {any} */ one) => one.line !== undefined);
        const found = said.split("\n").flatMap((line) => {
            const pattern = patterns.slice(0, 2).find((one) => new RegExp(one.regexp).test(line));
            const match = pattern && new RegExp(pattern.regexp).exec(line);
            return match ? [{ file: match[pattern.file], line: Number(match[pattern.line]), column: Number(match[pattern.column]), rule: match[pattern.code] }] : [];
        });
        assert.deepEqual(found, placed.map((/** @type {any} */ one) => ({ file, line: one.line, column: one.column, rule: one.rule })), said);
        count += found.length;
    }
    assert.ok(count > 50);
    assert.match("k.visaasm:3:7: note: first declared here", new RegExp(patterns[2].regexp));
});

test("tasks", () => {
    assert.deepEqual(taskArguments({ file: "k.visaasm", arguments: ["-g", "1024"] }), ["run", "k.visaasm", "-g", "1024"]);
    assert.deepEqual(taskArguments({ file: "-k.json", verb: "check" }), ["check", "./-k.json"]);
    for (const wrong of [{}, { file: "" }, { file: 1 }, { file: "k", verb: "rm" }, { file: "k", arguments: "x" }, { file: "k", arguments: [1] }]) {
        assert.equal(taskArguments(wrong), undefined);
    }
    for (const file of filesBelow("examples", ".json")) {
        assert.ok(isLaunchFile(fs.readFileSync(file, "utf8")), file);
    }
    for (const text of ["", "null", "[]", "{}", "{\"version\": 1}"]) {
        assert.ok(!isLaunchFile(text));
    }
});
