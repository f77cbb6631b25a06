"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { Places, checkArguments, complaintOf, diagnosticsOf } = require("../src/check.js");
const { filesBelow, runVisor } = require("./support.js");

test("arguments", () => {
    assert.deepEqual(checkArguments("-k.visaasm", { profile: "auto", device: "" }), ["check", "--json", "--", "-k.visaasm"]);
    assert.deepEqual(checkArguments("k", { profile: "igc", device: "pvc" }), ["check", "--json", "--profile", "igc", "--device", "pvc", "--", "k"]);
});

test("places count what an editor counts", () => {
    const places = new Places(Buffer.from("\uFEFFa\r\nü€x\rz\n😀y", "utf8"));
    assert.deepEqual(places.at(3), { line: 0, character: 0 });
    assert.deepEqual(places.at(6), { line: 1, character: 0 });
    assert.deepEqual(places.at(11), { line: 1, character: 2 });
    assert.deepEqual(places.at(13), { line: 2, character: 0 });
    assert.deepEqual(places.at(19), { line: 3, character: 2 });
    assert.deepEqual(places.at(1000), { line: 3, character: 3 });
});

test("what has no length has a character", () => {
    const places = new Places(Buffer.from("ab\n\nc"));
    assert.deepEqual(places.range(1, 0), { start: { line: 0, character: 1 }, end: { line: 0, character: 2 } });
    assert.deepEqual(places.range(2, 0), { start: { line: 0, character: 1 }, end: { line: 0, character: 2 } });
    assert.deepEqual(places.range(3, 0), { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } });
    assert.deepEqual(places.range(5, 0), { start: { line: 4 - 2, character: 0 }, end: { line: 2, character: 1 } });
});

test("an error with its note", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "visor-editors-"));
    const file = path.join(folder, "twice ü.visaasm");
    fs.writeFileSync(file, ".version 4.1\n.kernel \"k\"\n/* ü€ */ .decl a v_type=G type=ud num_elts=1 align=dword\n" +
        "/* 😀 */ .decl a v_type=G type=ud num_elts=1 align=dword\nfoo (M1, 1) a(0,0)<1>\nret (M1, 1)\n");
    const told = diagnosticsOf(runVisor(...checkArguments(file, { profile: "auto", device: "" })).out, fs.readFileSync(file));
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual(told.map(({ rule, severity, range }) => ({ rule, severity, range })), [
        { rule: "duplicate-variable", severity: "error", range: { start: { line: 3, character: 15 }, end: { line: 3, character: 16 } } },
        { rule: "unknown-mnemonic", severity: "error", range: { start: { line: 4, character: 0 }, end: { line: 4, character: 3 } } },
    ]);
    assert.deepEqual(told[0].related, [{ file, message: "first declared here", range: { start: { line: 2, character: 15 }, end: { line: 2, character: 16 } } }]);
});

test("every bad text has diagnostics where visor says", () => {
    const files = filesBelow("tests/data/bad", ".visaasm");
    assert.ok(files.length > 50);
    let count = 0;
    for (const file of files) {
        const { out, code } = runVisor(...checkArguments(file, { profile: "spec", device: "any" }));
        const bytes = fs.readFileSync(file);
        const told = diagnosticsOf(out, bytes);
        const said = JSON.parse(out).files.flatMap((/** @type {any} */ one) => one.diagnostics);
        assert.equal(told.length, said.length, file);
        assert.ok(code === 0 || told.length > 0, file);
        count += told.length;
        const plain = bytes.every((byte) => byte < 0x80 && byte !== 0x0d);
        told.forEach((one, index) => {
            const { line, column, length, severity } = said[index];
            if (plain && line !== undefined && length > 0) {
                assert.deepEqual(one.range.start, { line: line - 1, character: column - 1 }, file);
                assert.equal(one.severity, { error: "error", warning: "warning", note: "information", unsupported: "warning" }[/** @type {"error"} */ (severity)]);
            }
        });
    }
    assert.ok(count > files.length / 2);
});

test("what is no answer", () => {
    assert.throws(() => diagnosticsOf("{}", Buffer.from("")));
    assert.throws(() => diagnosticsOf("visor: error", Buffer.from("")));
    assert.equal(complaintOf("a\nvisor: error: no device is called `x`\n\n", 2), "visor: error: no device is called `x`");
    assert.match(complaintOf("", 4), /exit code 4/);
    const { out, said, code } = runVisor(...checkArguments("examples/five/svm_atomic_add.visaasm", { profile: "auto", device: "none" }));
    assert.equal(out, "");
    assert.match(complaintOf(said, code), /device/);
});
