// Runs `visor`, with a limit of time and of what is printed, and ends it when its answer is no longer wanted. One
// Superseder runs for a document at a time: a new wish waits a little, and ends what runs.
"use strict";

const { spawn } = require("node:child_process");

/** @typedef {{kind: "ended", code: number|null, out: string, said: string} | {kind: "missing", why: string} |
 *   {kind: "late"} | {kind: "stopped"} | {kind: "failed", why: string}} Outcome */

const mostBytes = 1 << 26;

// Never rejects. `signal` stops it.
/** @param {string} program @param {string[]} given @param {{seconds: number, folder?: string, signal?: AbortSignal}} how @returns {Promise<Outcome>} */
function runProgram(program, given, how) {
    return new Promise((resolve) => {
        if (how.signal?.aborted) {
            resolve({ kind: "stopped" });
            return;
        }
        /** @type {Buffer[]} */
        const out = [];
        /** @type {Buffer[]} */
        const said = [];
        let bytes = 0;
        /** @type {Outcome|undefined} */
        let outcome;
        // Its compiler's worker processes are of its group: all of it ends.
        const child = spawn(program, given, { cwd: how.folder, stdio: ["ignore", "pipe", "pipe"], detached: process.platform !== "win32" });
        /** @param {Outcome} why */
        const end = (why) => {
            outcome ??= why;
            try {
                if (child.pid === undefined || process.platform === "win32") {
                    child.kill("SIGKILL");
                } else {
                    process.kill(-child.pid, "SIGKILL");
                }
            } catch {
                // it has ended
            }
        };
        const clock = setTimeout(() => end({ kind: "late" }), how.seconds * 1000);
        const stop = () => end({ kind: "stopped" });
        how.signal?.addEventListener("abort", stop, { once: true });
        /** @param {Outcome} last */
        const finish = (last) => {
            clearTimeout(clock);
            how.signal?.removeEventListener("abort", stop);
            resolve(outcome ?? last);
        };
        /** @param {Buffer[]} into */
        const collect = (into) => (/** @type {Buffer} */ part) => {
            bytes += part.length;
            if (bytes > mostBytes) {
                end({ kind: "failed", why: "it prints more than is read" });
            } else {
                into.push(part);
            }
        };
        child.stdout.on("data", collect(out));
        child.stderr.on("data", collect(said));
        child.on("error", (error) => {
            const code = /** @type {NodeJS.ErrnoException} */ (error).code;
            finish(code === "ENOENT" || code === "EACCES" ? { kind: "missing", why: error.message } : { kind: "failed", why: error.message });
        });
        child.on("close", (code) => finish({ kind: "ended", code, out: Buffer.concat(out).toString("utf8"), said: Buffer.concat(said).toString("utf8") }));
    });
}

class Superseder {
    /** @param {number} milliseconds that a wish waits for a newer one */
    constructor(milliseconds) {
        this.milliseconds = milliseconds;
        /** @type {Map<string, AbortController>} */
        this.running = new Map();
    }

    // Does `work` for `key`, unless a newer wish comes before; `work` looks at the signal.
    /** @param {string} key @param {(signal: AbortSignal) => Promise<void>} work */
    async wish(key, work) {
        this.stop(key);
        const mine = new AbortController();
        this.running.set(key, mine);
        await new Promise((resolve) => {
            const clock = setTimeout(resolve, this.milliseconds);
            mine.signal.addEventListener("abort", () => {
                clearTimeout(clock);
                resolve(undefined);
            }, { once: true });
        });
        try {
            if (!mine.signal.aborted) {
                await work(mine.signal);
            }
        } finally {
            if (this.running.get(key) === mine) {
                this.running.delete(key);
            }
        }
    }

    /** @param {string} key */
    stop(key) {
        this.running.get(key)?.abort();
        this.running.delete(key);
    }

    stopAll() {
        for (const key of [...this.running.keys()]) {
            this.stop(key);
        }
    }
}

module.exports = { Superseder, runProgram };
