// What several tests use: the program, the sources, and the grammar as VS Code applies it.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { execFileSync, spawnSync } = require("node:child_process");
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const visor = process.env.VISOR ?? "visor";
const root = process.env.VISOR_SOURCES ?? path.join(__dirname, "../../..");
const extension = path.join(__dirname, "..");

/** @param {string[]} given */
function runVisor(...given) {
    const { stdout, stderr, status, error } = spawnSync(visor, given, { encoding: "utf8", cwd: root, maxBuffer: 1 << 26, timeout: 60000 });
    if (error) {
        throw error;
    }
    return { out: stdout, said: stderr, code: status };
}

/** @param {string} folder below the sources @param {string} ending @returns {string[]} */
function filesBelow(folder, ending) {
    return fs.readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(ending)).sort().map((name) => path.join(root, folder, name));
}

async function loadGrammar() {
    const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
    await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
    const file = path.join(extension, "syntaxes/visa.tmLanguage.json");
    const registry = new Registry({
        onigLib: Promise.resolve({
            createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
            createOnigString: (text) => new oniguruma.OnigString(text),
        }),
        loadGrammar: async () => parseRawGrammar(fs.readFileSync(file, "utf8"), file),
    });
    const grammar = await registry.loadGrammar("source.visa");
    if (!grammar) {
        throw new Error("there is no grammar");
    }
    return grammar;
}

// Each token of a text as its words and its innermost scope, without the language's name.
/** @param {import("vscode-textmate").IGrammar} grammar @param {string} text */
function tokensOf(grammar, text) {
    let stack = INITIAL;
    return text.split(/\r?\n/).flatMap((line, number) => {
        const result = grammar.tokenizeLine(line, stack);
        stack = result.ruleStack;
        return result.tokens.map((token) => ({
            line: number + 1,
            text: line.slice(token.startIndex, token.endIndex),
            scope: (token.scopes.at(-1) ?? "").replace(/\.visa$/, ""),
            scopes: token.scopes,
        }));
    });
}

module.exports = { execFileSync, extension, filesBelow, loadGrammar, root, runVisor, tokensOf, visor };
