// The extension as VS Code starts it, with as much of the editor as it uses, made here: what is registered, and that
// opened texts are checked, bad ones have diagnostics, and a missing program is told once.
"use strict";

const assert = require("node:assert/strict");
const Module = require("node:module");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const { root, visor } = require("./support.js");

class Place {
    /** @param {number} line @param {number} character */
    constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
    /** @param {any[]} given */
    constructor(...given) { this.given = given; }
}
class Made {
    /** @param {any[]} given */
    constructor(...given) { this.given = given; }
}

class Told {
    /** @param {any} range @param {any} message @param {any} severity */
    constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
}
class Named {
    /** @param {any} name */
    constructor(name) { this.name = name; }
}
class Markdown {
    value = "";
    /** @param {string} text */
    appendCodeblock(text) {
        this.value += text;
        return this;
    }
}

/** @type {any} */
const seen = { providers: {}, commands: {}, collections: {}, errors: [], tasks: undefined };
/** @type {Record<string, any>} */
const settings = { path: visor, checkOnSave: true, profile: "spec", device: "" };
const nothing = { dispose() {} };
/** @type {Record<string, (event: any) => any>} */
const listeners = {};
/** @param {string} name */
const event = (name) => (/** @type {any} */ listener) => {
    listeners[name] = listener;
    return nothing;
};
/** @type {any} */
const editor = {
    DebugAdapterExecutable: Made,
    debug: {
        registerDebugAdapterDescriptorFactory: (/** @type {any} */ type, /** @type {any} */ factory) => {
            seen.debug = { type, factory };
            return nothing;
        },
    },
    Diagnostic: Told,
    DiagnosticRelatedInformation: Made, DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2 }, DocumentHighlight: Made,
    DocumentSymbol: Named, FoldingRange: Made, FoldingRangeKind: {}, Hover: Made,
    Location: Made, MarkdownString: Markdown,
    Position: Place, ProcessExecution: Made, Range, SymbolKind: {}, Task: Made, TaskGroup: {}, TaskScope: { Workspace: 1 },
    Uri: { file: (/** @type {string} */ fsPath) => ({ scheme: "file", fsPath, toString: () => `file://${fsPath}` }) },
    commands: { registerCommand: (/** @type {string} */ name, /** @type {any} */ work) => { seen.commands[name] = work; return nothing; }, executeCommand: async () => undefined },
    languages: {
        createDiagnosticCollection(/** @type {string} */ name) {
            const map = new Map();
            seen.collections[name] = map;
            return { set: (/** @type {any} */ uri, /** @type {any} */ told) => map.set(uri.fsPath, told), delete: (/** @type {any} */ uri) => map.delete(uri.fsPath), clear: () => map.clear(), dispose() {} };
        },
        ...Object.fromEntries(["DocumentSymbol", "Definition", "Reference", "DocumentHighlight", "FoldingRange", "Hover"].map((kind) =>
            [`register${kind}Provider`, (/** @type {string} */ language, /** @type {any} */ provider) => { assert.equal(language, "visa"); seen.providers[kind] = provider; return nothing; }])),
    },
    tasks: { registerTaskProvider: (/** @type {string} */ type, /** @type {any} */ provider) => { seen.tasks = { type, provider }; return nothing; } },
    window: { createOutputChannel: () => ({ appendLine() {}, dispose() {} }), showErrorMessage: async (/** @type {string} */ text) => { seen.errors.push(text); },
        showInformationMessage: async () => undefined },
    workspace: {
        isTrusted: true, textDocuments: [], workspaceFolders: [{ uri: { fsPath: root } }],
        getConfiguration: () => ({ get: (/** @type {string} */ key) => settings[key] }),
        getWorkspaceFolder: () => ({ uri: { fsPath: root } }),
        ...Object.fromEntries(["onDidOpenTextDocument", "onDidSaveTextDocument", "onDidCloseTextDocument", "onDidGrantWorkspaceTrust", "onDidChangeConfiguration"]
            .map((name) => [name, event(name)])),
    },
};
const plain = /** @type {any} */ (Module)._load;
/** @type {any} */ (Module)._load = (/** @type {string} */ name, /** @type {any[]} */ ...rest) => name === "vscode" ? editor : plain(name, ...rest);
require("../src/extension.js").activate(/** @type {any} */ ({ subscriptions: [] }));

/** @param {string} file @param {string} [languageId] */
function documentOf(file, languageId = "visa") {
    const text = fs.readFileSync(file, "utf8");
    const lines = text.split("\n");
    return { uri: editor.Uri.file(file), fileName: file, languageId, version: 1, lineCount: lines.length, getText: () => text,
        lineAt: (/** @type {number} */ line) => ({ range: { end: new Place(line, lines[line].length) } }) };
}
const bad = path.join(root, "tests/data/bad/alias_of_undeclared.visaasm");
const good = path.join(root, "examples/five/svm_atomic_add.visaasm");

test("a bad text has diagnostics, a good one none", async () => {
    await listeners.onDidOpenTextDocument(documentOf(bad));
    await listeners.onDidSaveTextDocument(documentOf(good));
    assert.deepEqual(seen.collections.visor.get(bad).map((/** @type {any} */ one) => [one.severity, one.source, one.code]), [[0, "visor", "undeclared-variable"]]);
    assert.deepEqual(seen.collections.visor.get(good), []);
    listeners.onDidCloseTextDocument(documentOf(bad));
    assert.ok(!seen.collections.visor.has(bad));
});

test("what is not to be checked is not", async () => {
    settings.checkOnSave = false;
    await listeners.onDidOpenTextDocument(documentOf(bad));
    settings.checkOnSave = true;
    await listeners.onDidOpenTextDocument(documentOf(bad, "c"));
    editor.workspace.isTrusted = false;
    await listeners.onDidOpenTextDocument(documentOf(bad));
    editor.workspace.isTrusted = true;
    assert.ok(!seen.collections.visor.has(bad));
});

test("a missing program is told once", async () => {
    settings.path = "/nonesuch/visor";
    await listeners.onDidOpenTextDocument(documentOf(bad));
    await listeners.onDidSaveTextDocument(documentOf(bad));
    settings.path = visor;
    assert.equal(seen.errors.length, 1);
    assert.match(seen.errors[0], /Install Visor, or set visor\.path/);
});

test("hovers, symbols and definitions", async () => {
    const document = documentOf(good);
    const row = document.getText().split("\n").findIndex((line) => /^\s*svm_atomic/.test(line));
    const character = document.getText().split("\n")[row].indexOf("svm_atomic");
    const hover = await seen.providers.Hover.provideHover(document, new Place(row, character));
    assert.match(hover.given[0].value, /opcode 0x4e|svm_atomic/);
    const symbols = seen.providers.DocumentSymbol.provideDocumentSymbols(document);
    assert.equal(symbols.length, 1);
    assert.ok(symbols[0].children.length > 0);
    assert.ok(seen.providers.FoldingRange.provideFoldingRanges(document).length > 0);
    const declared = document.getText().split("\n").findIndex((line) => line.startsWith(".decl"));
    assert.ok(seen.providers.Definition.provideDefinition(document, new Place(declared, 6)));
    assert.ok(seen.providers.Reference.provideReferences(document, new Place(declared, 6), { includeDeclaration: true }).length > 1);
});

test("tasks of what is open", () => {
    editor.workspace.textDocuments = [documentOf(good), documentOf(path.join(root, "examples/saxpy/saxpy.json"), "json"), documentOf(path.join(root, "CMakePresets.json"), "json")];
    assert.equal(seen.tasks.type, "visor");
    const made = seen.tasks.provider.provideTasks();
    assert.deepEqual(made.map((/** @type {any} */ one) => one.given[4].given[1]), [["run", "examples/five/svm_atomic_add.visaasm"],
        ["check", "examples/five/svm_atomic_add.visaasm"], ["run", "examples/saxpy/saxpy.json"]]);
    const definition = { type: "visor", file: "k.visaasm", arguments: ["-g", "8"] };
    assert.equal(seen.tasks.provider.resolveTask({ definition, scope: 1, name: "n" }).given[0], definition);
    assert.equal(seen.tasks.provider.resolveTask({ definition: { type: "visor" }, scope: 1 }), undefined);
});

test("findings are shown, and cleared", async () => {
    const file = path.join(fs.mkdtempSync(path.join(require("node:os").tmpdir(), "visor-editors-")), "f.sarif");
    fs.writeFileSync(file, JSON.stringify({ version: "2.1.0", runs: [{ results: [{ ruleId: "race", level: "error", message: { text: "m" },
        locations: [{ physicalLocation: { artifactLocation: { uri: "examples/saxpy/saxpy.cl" }, region: { startLine: 2 } } }] }] }] }));
    editor.window.showOpenDialog = async () => [editor.Uri.file(file)];
    editor.Uri = Object.assign(class {}, editor.Uri);
    await seen.commands["visor.openFindings"]();
    fs.rmSync(path.dirname(file), { recursive: true });
    const told = seen.collections["visor-findings"].get(path.join(root, "examples/saxpy/saxpy.cl"));
    assert.equal(told[0].code, "race");
    seen.commands["visor.clearFindings"]();
    assert.equal(seen.collections["visor-findings"].size, 0);
});

test("a debug session is visor's, with its words", () => {
    assert.equal(seen.debug.type, "visor");
    const made = seen.debug.factory.createDebugAdapterDescriptor({ configuration: { file: "k.cl", arguments: ["-g", "64"] } });
    assert.deepEqual(made.given, [visor, ["debug", "--dap", "k.cl", "-g", "64"], undefined]);
    for (const configuration of [{}, { file: "" }, { file: 3 }, { file: "k.cl", arguments: "-g 64" }, { file: "k.cl", arguments: [1] }]) {
        assert.throws(() => seen.debug.factory.createDebugAdapterDescriptor({ configuration }));
    }
});
