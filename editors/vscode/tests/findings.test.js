"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { findingsOf } = require("../src/findings.js");
const { root, runVisor } = require("./support.js");

test("what visor run writes", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "visor-editors-"));
    const file = path.join(folder, "findings.sarif");
    const text = "tests/cases/check/conflict.visaasm";
    const { code } = runVisor("run", text, "--groups", "1", "--hw-threads", "1", "-a", "offsets=0,4,8,4,16,20,24,28",
        "-a", "values=1,2,3,4,5,6,7,8", "-a", "T6=zeros:u32:8", "--check=conflict", "--sarif", file);
    assert.equal(code, 1);
    const found = findingsOf(fs.readFileSync(file, "utf8"), ["/nowhere", root], fs.existsSync);
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual([...found.files.keys()], [path.join(root, text)]);
    const [told] = found.files.get(path.join(root, text)) ?? [];
    assert.equal(told.rule, "write-conflict");
    assert.equal(told.severity, "error");
    assert.match(told.message, /lanes 1, 3 of one message write the same place with different values/);
    const lines = fs.readFileSync(path.join(root, text), "utf8").split("\n");
    assert.match(lines[told.range.start.line].slice(told.range.start.character), /^scatter_scaled/);
});

test("places of any tool", () => {
    /** @param {any} location */
    const one = (location) => ({ ruleId: "r", level: "note", message: { text: "m" }, locations: [{ physicalLocation: location }] });
    const text = JSON.stringify({ version: "2.1.0", runs: [{ results: [
        one({ artifactLocation: { uri: "file:///a%20b.cl" }, region: { startLine: 3 } }),
        one({ artifactLocation: { uri: "k.cl" }, region: { startLine: 2, startColumn: 4, endColumn: 6 } }),
        one({ artifactLocation: { uri: "https://x/y" } }),
        { message: { text: "nowhere" }, occurrenceCount: 3 },
    ] }, {}] });
    const found = findingsOf(text, ["/first", "/second"], (file) => file === path.join("/second", "k.cl"));
    assert.deepEqual([...found.files.keys()], ["/a b.cl", path.join("/second", "k.cl")]);
    assert.deepEqual(found.files.get("/a b.cl")?.[0].range.start, { line: 2, character: 0 });
    assert.equal(found.files.get("/a b.cl")?.[0].severity, "information");
    assert.deepEqual(found.files.get(path.join("/second", "k.cl"))?.[0].range, { start: { line: 1, character: 3 }, end: { line: 1, character: 5 } });
    assert.deepEqual(found.unplaced, ["m", "nowhere (3 times)"]);
    assert.equal(found.count, 4);
});

test("what is no SARIF", () => {
    for (const text of ["", "[]", "{\"version\": \"2.1.0\"}", "{\"runs\": []}"]) {
        assert.throws(() => findingsOf(text, [], () => false));
    }
});
