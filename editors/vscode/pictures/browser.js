// A headless Chromium, by its DevTools protocol over two pipes: pages, keys, the mouse, pictures. Needs no package.
"use strict";

const { spawn } = require("node:child_process");

/** @typedef {{ key: string, code: string, number: number, modifiers?: number, text?: string }} Key */

const patience = 90000; // milliseconds

class Browser {
    /** @param {string} program @param {string} folder for its profile @param {{ width: number, height: number }} size */
    constructor(program, folder, size) {
        this.child = spawn(program, ["--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--lang=en-US", `--user-data-dir=${folder}`, `--window-size=${size.width},${size.height}`, "about:blank"],
        { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: { ...process.env, LANGUAGE: "en" } });
        this.size = size;
        this.target = /** @type {import("node:stream").Writable} */ (this.child.stdio[3]);
        this.number = 0;
        this.session = "";
        /** @type {Map<number, (answer: any) => void>} */
        this.waiting = new Map();
        let text = "";
        const source = /** @type {import("node:stream").Readable} */ (this.child.stdio[4]);
        source.setEncoding("utf8");
        source.on("data", (part) => {
            text += part;
            const messages = text.split("\0");
            text = messages.pop() ?? "";
            for (const message of messages.map((one) => JSON.parse(one))) {
                this.waiting.get(message.id)?.(message);
                this.waiting.delete(message.id);
            }
        });
    }

    /** @param {string} method @param {object} [params] @returns {Promise<any>} */
    call(method, params = {}) {
        const id = ++this.number;
        this.target.write(`${JSON.stringify({ id, method, params, ...(this.session ? { sessionId: this.session } : {}) })}\0`);
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), patience);
            this.waiting.set(id, (answer) => {
                clearTimeout(timer);
                if (answer.error) {
                    reject(new Error(`${method}: ${answer.error.message}`));
                } else {
                    resolve(answer.result);
                }
            });
        });
    }

    /** @param {string} address */
    async open(address) {
        const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
        this.session = (await this.call("Target.attachToTarget", { targetId, flatten: true })).sessionId;
        await this.call("Emulation.setDeviceMetricsOverride", { ...this.size, deviceScaleFactor: 1, mobile: false });
        await this.call("Page.enable");
        await this.call("Page.navigate", { url: address });
    }

    // What an expression of the page gives.
    /** @param {string} expression */
    async ask(expression) {
        const answer = await this.call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
        if (answer.exceptionDetails) {
            throw new Error(`${expression}: ${answer.exceptionDetails.text}`);
        }
        return answer.result.value;
    }

    // Waits until an expression of the page is true, and gives what it is; presses a key again and again for it.
    /** @param {string} what @param {string} expression @param {Key} [key] */
    async until(what, expression, key) {
        for (const end = Date.now() + patience; Date.now() < end;) {
            if (key) {
                await this.press(key);
                await rest(1000);
            }
            const value = await this.ask(expression);
            if (value) {
                return value;
            }
            await rest(100);
        }
        throw new Error(`${what} did not come`);
    }

    /** @param {Key} key */
    async press(key) {
        const event = { key: key.key, code: key.code, windowsVirtualKeyCode: key.number, modifiers: key.modifiers ?? 0, ...(key.text ? { text: key.text } : {}) };
        await this.call("Input.dispatchKeyEvent", { type: key.text ? "keyDown" : "rawKeyDown", ...event });
        await this.call("Input.dispatchKeyEvent", { type: "keyUp", ...event });
    }

    /** @param {string} text */
    async write(text) {
        await this.call("Input.insertText", { text });
    }

    // Clicks into the middle of the first element that an expression gives.
    /** @param {string} what @param {string} element */
    async click(what, element) {
        const place = await this.until(what, `(() => { const box = (${element})?.getBoundingClientRect();
            return box && box.width > 0 ? { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 } : null; })()`);
        await this.call("Input.dispatchMouseEvent", { type: "mouseMoved", ...place, button: "none" });
        await rest(200);
        await this.call("Input.dispatchMouseEvent", { type: "mousePressed", ...place, button: "left", clickCount: 1 });
        await this.call("Input.dispatchMouseEvent", { type: "mouseReleased", ...place, button: "left", clickCount: 1 });
    }

    async rest() {
        await this.call("Input.dispatchMouseEvent", { type: "mouseMoved", x: this.size.width - 5, y: this.size.height / 2, button: "none" });
        await rest(1500);
    }

    /** @returns {Promise<Buffer>} a PNG */
    async picture() {
        return Buffer.from((await this.call("Page.captureScreenshot", { format: "png" })).data, "base64");
    }

    async end() {
        this.session = "";
        await this.call("Browser.close").catch(() => undefined);
        this.child.kill();
    }
}

/** @param {number} milliseconds */
function rest(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

module.exports = { Browser, rest };
