// `visor debug --dap` with a client of others: @vscode/debugadapter-testsupport, with which adapters of VS Code are tested.
// What is expected is worked out by hand from the kernels, or is what a run without the debugger leaves.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { DebugClient } = require("@vscode/debugadapter-testsupport");
const { root, runVisor, visor } = require("./support.js");

const STEPS = `kernel void steps(global int* a, int n) {
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k <= i % n; ++k)
        sum += a[i] * k;
    a[i] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 5) a[7] = 99;
}
`;
const RACE = `kernel void race(global int* a) {
    a[get_global_id(0)] = 1;
    a[(get_global_id(0) + 8) % 32] += 2;
}
`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "visor-debug-"));
/** @type {import("node:child_process").ChildProcess[]} */
const started = [];
test.after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
    started.forEach((one) => one.kill());
});

/** @param {string} name @param {string} text */
function kernel(name, text) {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
}

/** @param {string} word */
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

class Session {
    /** @param {string[]} given what stands behind `visor debug --dap` */
    constructor(...given) {
        // The client takes one argument of the adapter: a shell takes them apart.
        this.client = new DebugClient(quoted(visor), ["debug", "--dap", ...given].map(quoted).join(" "), "visor", { shell: true });
        this.client.defaultTimeout = 60000;
    }

    /** @param {string} source @param {import("@vscode/debugprotocol").DebugProtocol.SourceBreakpoint[]} breakpoints */
    async start(source, breakpoints, launch = {}) {
        await this.client.start();
        started.push(/** @type {any} */ (this.client)._adapterProcess);
        const initialized = this.client.waitForEvent("initialized");
        await this.client.initializeRequest();
        await Promise.all([initialized, this.client.launchRequest(/** @type {any} */ (launch))]);
        await this.client.setBreakpointsRequest({ source: { path: source }, breakpoints });
        const stopped = this.client.waitForEvent("stopped");
        await this.client.configurationDoneRequest();
        return (await stopped).body;
    }

    /** @param {string} command @param {string} reason */
    async move(command, reason, given = {}) {
        const stopped = this.client.waitForEvent("stopped");
        await this.client.customRequest(command, { threadId: 1, ...given });
        const { body } = await stopped;
        assert.equal(body.reason, reason, body.text);
        return body;
    }

    async frame(threadId = 1) {
        return (await this.client.stackTraceRequest({ threadId })).body.stackFrames[0];
    }

    async line(threadId = 1) {
        return (await this.frame(threadId)).line;
    }

    /** @param {string} expression */
    async value(expression) {
        return (await this.client.evaluateRequest({ expression })).body.result;
    }

    async registers(threadId = 1) {
        const { id } = await this.frame(threadId);
        const { scopes } = (await this.client.scopesRequest({ frameId: id })).body;
        const variablesReference = scopes.find((one) => one.name === "Registers")?.variablesReference ?? 0;
        return (await this.client.variablesRequest({ variablesReference })).body.variables;
    }

    /** @param {string} expression of an address */
    async watch(expression) {
        const { dataId } = (await this.client.dataBreakpointInfoRequest(/** @type {any} */ ({ name: expression, asAddress: true, bytes: 4 }))).body;
        assert.ok(dataId, expression);
        await this.client.setDataBreakpointsRequest({ breakpoints: [{ dataId }] });
    }

    // The address of a buffer of so many bytes: a register has it, at the beginning of a page.
    /** @param {number} count */
    async base(count, threadId = 1) {
        for (const { type, value } of await this.registers(threadId)) {
            for (const word of type === "uq" || type === "q" ? value.split(" ") : []) {
                if (/^\d+$/.test(word) && word !== "0" && BigInt(word) % 4096n === 0n) {
                    const { body } = await this.client.customRequest("readMemory", { memoryReference: word, count });
                    if (Buffer.from(body.data, "base64").length === count) {
                        return BigInt(word);
                    }
                }
            }
        }
        throw new Error("there is no buffer");
    }

    // The client's own stop() kills the adapter.
    async leave() {
        const ended = new Promise((resolve) => /** @type {any} */ (this.client)._adapterProcess.on("exit", resolve));
        await this.client.disconnectRequest();
        assert.equal(await ended, 0);
    }

    async runToTheEnd() {
        await Promise.all([this.client.waitForEvent("terminated"), this.client.continueRequest({ threadId: 1 })]);
        await this.leave();
    }
}

/** @param {string} file */
const integers = (file) => Array.from(new Int32Array(new Uint8Array(fs.readFileSync(file)).buffer));
const ids = Array.from({ length: 64 }, (_, i) => i);
const sums = ids.map((i) => ids.slice(0, i % 4 + 1).reduce((sum, k) => sum + i * k, 0));

test("a line in the third group by a condition, a lane changed, and back over a barrier", async () => {
    const source = kernel("steps.cl", STEPS);
    const left = path.join(folder, "left.bin");
    const session = new Session(source, "-g", "64", "-l", "16", "-a", "iota:i32:64", "4", "--out", `0=${left}`);
    const stop = await session.start(source, [{ line: 6, condition: "group == 2" }]);
    assert.equal(stop.reason, "breakpoint");
    assert.equal(await session.line(), 6);
    assert.equal(await session.value("group"), "2");
    // Work-item 35 is lane 3: 35 % 4 is 3, its sum 35 + 70 + 105.
    const register = (await session.registers()).find((one) => one.value.startsWith("0 33 102 210 0 37 "));
    assert.ok(register);
    const lanes = (await session.client.variablesRequest({ variablesReference: register.variablesReference })).body.variables;
    assert.equal(lanes[3].value, "210");
    const { body } = await session.client.setVariableRequest({ variablesReference: register.variablesReference, name: lanes[3].name, value: "1000" });
    assert.equal(body.value, "1000");
    await session.client.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
    await session.move("next", "step");
    assert.equal(await session.line(), 7);
    await session.move("next", "step");
    assert.equal(await session.line(), 8);
    await session.move("stepBack", "step");
    assert.equal(await session.line(), 7);
    await session.runToTheEnd();
    assert.deepEqual(integers(left), ids.map((i) => i === 7 ? 99 : i === 35 ? 1000 : sums[i]));
});

test("from the end back to the write of a wrong value", async () => {
    const source = kernel("steps.cl", STEPS);
    const session = new Session(source, "-g", "16", "-l", "16", "-a", "iota:i32:16", "4", "--device", "pvc", "--stop-at-end");
    await session.start(source, [{ line: 6 }]);
    const wrong = await session.base(64) + 28n;
    await session.client.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
    await session.move("continue", "entry");
    await session.watch(String(wrong));
    // 99 instead of 7 * 6: work-item 5 writes it in line 8, before it the right sum is there, of line 6.
    await session.move("reverseContinue", "data breakpoint");
    assert.equal(await session.line(), 8);
    assert.equal(await session.value(`i32(${wrong})`), "42");
    await session.move("reverseContinue", "data breakpoint");
    assert.equal(await session.line(), 6);
    assert.equal(await session.value(`i32(${wrong})`), "7");
    await session.leave();
});

const example = (/** @type {string} */ name) => path.join(root, "examples", name);
for (const { name, words, array } of [
    { name: "an example in OpenCL C", array: "0", words: [example("reduction/reduction.cl"), "-g", "256", "-l", "128", "-a", "zeros:i32:2", "iota:i32:256", "local:512", "256"] },
    { name: "text by hand", array: "c", words: [example("block_matmul/block_matmul.json")] },
]) {
    test(`the end is that of a run without the debugger: ${name}`, async () => {
        const [left, plain] = ["debugged.bin", "plain.bin"].map((one) => path.join(folder, one));
        const session = new Session(...words, "--out", `${array}=${left}`);
        assert.equal((await session.start(words[0], [], { stopOnEntry: true })).reason, "entry");
        for (let round = 0; round < 3; ++round) {
            for (let k = 0; k < 12; ++k) {
                await session.move("stepIn", "step", { granularity: "instruction" });
            }
            for (let k = 0; k < 7; ++k) {
                await session.move("stepBack", "step", { granularity: "instruction" });
            }
            await session.move("next", "step");
        }
        await session.move("reverseContinue", "entry");
        await session.runToTheEnd();
        assert.equal(runVisor("run", ...words, "--out", `${array}=${plain}`).code, 0);
        assert.deepEqual(fs.readFileSync(left), fs.readFileSync(plain));
    });
}

test("a race opens at its second access, and one reverse continue leads to the first", async () => {
    const source = kernel("race.cl", RACE);
    const session = new Session(source, "--check=race", "-g", "32", "-l", "8", "-a", "zeros:i32:32", "--device", "pvc");
    const stop = await session.start(source, []);
    // Group 1 writes in line 2 what group 0 wrote in line 3.
    assert.equal(stop.reason, "exception");
    assert.match(stop.text, /data race/);
    assert.equal(await session.line(stop.threadId), 2);
    assert.equal(await session.value("group"), "1");
    const place = await session.base(128) + 32n;
    await session.watch(String(place));
    await session.move("reverseContinue", "data breakpoint");
    assert.equal(await session.line(), 3);
    assert.equal(await session.value("group"), "0");
    assert.equal(await session.value(`i32(${place})`), "0");
    await session.leave();
});
