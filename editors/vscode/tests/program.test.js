"use strict";

const assert = require("node:assert/strict");
const test = require("node:test");
const { Superseder, runProgram } = require("../src/program.js");

test("a program's answer", async () => {
    const outcome = await runProgram(process.execPath, ["-e", "console.log('ü'); console.error('said'); process.exit(3)"], { seconds: 30 });
    assert.deepEqual(outcome, { kind: "ended", code: 3, out: "ü\n", said: "said\n" });
});

test("a program that is missing", async () => {
    assert.equal((await runProgram("/nonesuch/visor", [], { seconds: 5 })).kind, "missing");
    assert.equal((await runProgram("visor-nonesuch", [], { seconds: 5 })).kind, "missing");
});

test("a program that takes too long, with what it started", async () => {
    const before = Date.now();
    const forks = "require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], {stdio: 'inherit'}); setTimeout(() => {}, 60000)";
    assert.deepEqual(await runProgram(process.execPath, ["-e", forks], { seconds: 1 }), { kind: "late" });
    assert.ok(Date.now() - before < 30000);
});

test("a wish ends the one before", async () => {
    const superseder = new Superseder(1);
    /** @type {string[]} */
    const kinds = [];
    const wish = () => superseder.wish("k", async (signal) => {
        kinds.push((await runProgram(process.execPath, ["-e", "setTimeout(() => {}, 500)"], { seconds: 30, signal })).kind);
    });
    const first = wish();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = wish(), third = wish();
    await Promise.all([first, second, third]);
    assert.deepEqual(kinds, ["stopped", "ended"]);
    assert.equal(superseder.running.size, 0);
});
