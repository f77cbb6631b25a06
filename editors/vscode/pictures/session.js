// A debug session in VS Code, of which it takes pictures: session.js SERVER EXTENSIONS VISOR SOURCES WORK PICTURES. SERVER is
// server-main.js of a VS Code that serves browsers, EXTENSIONS the folder where ours is installed; `take` brings both.
"use strict";

const fs = require("node:fs");
const net = require("node:net");
const path = require("node:path");
const { spawn, spawnSync } = require("node:child_process");
const { Browser, rest } = require("./browser.js");

const [server, extensions, visor, sources, work, pictures] = process.argv.slice(2);
const size = { width: 1400, height: 1040 };
const kernel = "reduction.cl";
const launch = ["--device", "pvc", "--options", "-g -cl-opt-disable", "-g", "512", "-l", "128", "-a", "zeros:i32:4", "iota:i32:512", "local:512", "512"];
const enter = { key: "Enter", code: "Enter", number: 13, text: "\r" };
/** @param {number} number @param {number} [modifiers] 1: Alt, 2: Control, 8: Shift */
const key = (number, modifiers) => ({ key: `F${number}`, code: `F${number}`, number: 111 + number, modifiers });

/** @param {string} file @param {object} content */
function write(file, content) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(content));
}

// The register that has the ids of the third group's first work-items, by the prompt.
function idsRegister() {
    const { stdout } = spawnSync(visor, ["debug", path.join(sources, "examples/reduction", kernel), ...launch],
        { input: "break 11 if group == 2\ncontinue\ninfo registers\n", encoding: "utf8", timeout: 60000 });
    const found = /^(\w+) = 256 257 258 /m.exec(stdout);
    if (!found) {
        throw new Error(`no register has the ids:\n${stdout}`);
    }
    return found[1];
}

// A workspace with an example and its debug configuration; settings that keep welcome pages and questions away.
function workspace() {
    const folder = path.join(work, "reduction");
    const data = path.join(work, "server", "data");
    for (const one of [folder, path.join(work, "server"), path.join(work, "browser")]) {
        fs.rmSync(one, { recursive: true, force: true });
    }
    write(path.join(folder, ".vscode/launch.json"), {
        version: "0.2.0",
        configurations: [{ type: "visor", request: "launch", name: "reduction", file: `\${workspaceFolder}/${kernel}`,
            arguments: launch }],
    });
    fs.copyFileSync(path.join(sources, "examples/reduction", kernel), path.join(folder, kernel));
    write(path.join(data, "User/settings.json"), {
        "security.workspace.trust.enabled": false, "workbench.startupEditor": "none", "workbench.tips.enabled": false, "telemetry.telemetryLevel": "off",
        "workbench.colorTheme": "Default Light Modern", "workbench.layoutControl.enabled": false, "extensions.ignoreRecommendations": true,
        "chat.commandCenter.enabled": false, "git.enabled": false, "editor.minimap.enabled": false, "editor.fontFamily": "DejaVu Sans Mono",
        "files.associations": { "*.cl": "c" }, "debug.showVariableTypes": true, "debug.internalConsoleOptions": "neverOpen",
    });
    // What names a program is a setting of the machine that runs it.
    write(path.join(data, "Machine/settings.json"), { "visor.path": visor });
    write(path.join(data, "User/keybindings.json"), [
        { key: "f8", command: "editor.debug.action.conditionalBreakpoint" },
        { key: "ctrl+f8", command: "workbench.debug.viewlet.action.addWatchExpression" },
        { key: "shift+f8", command: "workbench.action.debug.stepBack" },
    ]);
    return folder;
}

/** @returns {Promise<number>} a port of the loopback that is free */
function freePort() {
    return new Promise((resolve) => {
        const listener = net.createServer().listen(0, "127.0.0.1", () => {
            const { port } = /** @type {net.AddressInfo} */ (listener.address());
            listener.close(() => resolve(port));
        });
    });
}

/** @param {number} port */
async function served(port) {
    for (let k = 0; k < 300; ++k) {
        if (await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.ok, () => false)) {
            return;
        }
        await rest(100);
    }
    throw new Error("VS Code's server does not answer");
}

/** @param {string} view @param {string} text how a row begins */
const row = (view, text) => `[...document.querySelectorAll('${view} .monaco-list-row')].find((row) => row.textContent.trim().startsWith(${JSON.stringify(text)}))`;
const explorer = row(".explorer-folders-view", kernel);
// The line that has the yellow arrow.
const line = `(() => {
    const arrow = document.querySelector('[class*=debug-top-stack-frame].cgmr, .glyph-margin-widgets [class*=stackframe]');
    const top = arrow && arrow.getBoundingClientRect().top;
    return arrow && Number([...document.querySelectorAll('.line-numbers')].find((one) => Math.abs(one.getBoundingClientRect().top - top) < 5)?.textContent);
})()`;

/** @param {Browser} browser @param {string} name */
async function save(browser, name) {
    await browser.rest();
    fs.writeFileSync(path.join(pictures, name), await browser.picture());
    console.log(`editors: ${path.join(pictures, name)}`);
}

/** @param {Browser} browser @param {string} address */
async function session(browser, address) {
    await browser.open(address);
    await browser.click("the kernel's name", explorer);
    await browser.press(enter);
    await browser.until("the kernel", "document.querySelector('.monaco-editor .view-lines')?.innerText.includes('step')");
    await browser.until("the extensions", "new Set([...document.querySelectorAll('.view-line span span')].map((one) => one.className)).size > 3");
    await browser.click("the editor", "document.querySelector('.monaco-editor .view-lines')");
    await browser.press({ key: "g", code: "KeyG", number: 71, modifiers: 2 });
    await browser.until("a line's number", "document.querySelector('.quick-input-widget input')?.value === ':'");
    await browser.write("11");
    await browser.press(enter);
    await browser.until("the condition's input", "document.querySelector('.breakpoint-widget')", key(8));
    await browser.write("group == 2");
    await browser.press(enter);
    await rest(500);
    await browser.press(key(5));
    await browser.until("the breakpoint", `${line} === 11`);
    // On until four lanes are left.
    const step = `${row(".debug-pane", "step")}?.querySelector('.value')?.textContent`;
    while (Number(await browser.until("a local variable", `${line} === 11 && ${step}`)) > 4) {
        await browser.press(key(5));
        await rest(1500);
    }
    for (const name of ["group", idsRegister()]) { // what is watched last is expanded
        await browser.until("the watch's input", "document.querySelector('.debug-pane .monaco-inputbox input')", key(8, 2));
        await browser.write(name);
        await browser.press(enter);
        await browser.click("the ids", row(".debug-pane", `${name} `));
    }
    await browser.press({ key: "ArrowRight", code: "ArrowRight", number: 39 });
    await browser.until("lanes", row(".debug-pane", "[0]"));
    await save(browser, "vscode-stopped.png");
    await browser.press(key(8, 8));
    await browser.until("the line before", `${line} && ${line} < 11`);
    await save(browser, "vscode-stepped-back.png");
}

async function main() {
    const folder = workspace();
    const port = await freePort();
    const log = fs.openSync(path.join(work, "server.log"), "w");
    const code = spawn(process.execPath, [server, "--accept-server-license-terms", "--without-connection-token", "--host", "127.0.0.1", "--port", String(port),
        "--telemetry-level", "off", "--server-data-dir", path.join(work, "server"), "--extensions-dir", extensions],
    { stdio: ["ignore", log, log], env: { ...process.env, HOME: work } });
    const browser = new Browser(process.env.CHROMIUM ?? "chromium", path.join(work, "browser"), size);
    try {
        await served(port);
        await session(browser, `http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
    } catch (problem) {
        fs.writeFileSync(path.join(work, "problem.png"), await browser.picture());
        throw problem;
    } finally {
        await browser.end();
        code.kill();
    }
}

main().catch((problem) => {
    console.error(problem);
    process.exit(1);
});
