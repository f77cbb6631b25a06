// The extension: what the other modules know, as VS Code wants it. It starts no program but `visor`, and none in a
// workspace that is not trusted.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { checkArguments, complaintOf, diagnosticsOf } = require("./check.js");
const { debugArguments } = require("./debug.js");
const { findingsOf, mostBytes } = require("./findings.js");
const { Superseder, runProgram } = require("./program.js");
const { instructionAt, occurrencesOf, outlineOf, symbolAt } = require("./symbols.js");
const { isLaunchFile, taskArguments } = require("./tasks.js");

const LANGUAGE = "visa";
const CHECK_SECONDS = 20;
const PAGE_SECONDS = 5;
const WAIT_MILLISECONDS = 200;
// Larger texts have colours and checks, but no symbols.
const MOST_CHARACTERS = 1 << 22;

/** @type {Record<string, string[]>} */
const pages = JSON.parse(fs.readFileSync(path.join(__dirname, "../data/instructions.json"), "utf8"));

/** @param {vscode.Uri} [uri] */
function settingsOf(uri) {
    const settings = vscode.workspace.getConfiguration("visor", uri);
    return {
        path: settings.get("path", "visor") || "visor",
        checkOnSave: settings.get("checkOnSave", true),
        profile: settings.get("profile", "auto"),
        device: settings.get("device", ""),
    };
}

/** @param {import("./check.js").Range} range */
function rangeOf({ start, end }) {
    return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** @param {import("./symbols.js").Span} span */
function spanRange({ line, start, end }) {
    return new vscode.Range(line, start, line, end);
}

/** @param {import("./check.js").Told} told @param {string} source */
function diagnosticOf(told, source) {
    const severities = { error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning,
        information: vscode.DiagnosticSeverity.Information };
    const made = new vscode.Diagnostic(rangeOf(told.range), told.message, severities[told.severity]);
    made.source = source;
    made.code = told.rule || undefined;
    made.relatedInformation = told.related.map((one) =>
        new vscode.DiagnosticRelatedInformation(new vscode.Location(vscode.Uri.file(one.file), rangeOf(one.range)), one.message));
    return made;
}

/** @param {vscode.TextDocument} document */
function isChecked(document) {
    return document.languageId === LANGUAGE && document.uri.scheme === "file";
}

// Tells each kind of trouble once, until what it came from has changed.
class Teller {
    constructor() {
        /** @type {Set<string>} */
        this.told = new Set();
    }

    /** @param {string} program @param {string} why */
    missing(program, why) {
        if (this.told.has(program)) {
            return;
        }
        this.told.add(program);
        const settings = "Open the setting";
        vscode.window.showErrorMessage(`The program ${program} does not start (${why}). Install Visor, or set visor.path to where it is.`, settings)
            .then((chosen) => chosen === settings && vscode.commands.executeCommand("workbench.action.openSettings", "visor.path"));
    }
}

class Checker {
    /** @param {Teller} teller @param {vscode.OutputChannel} output */
    constructor(teller, output) {
        this.teller = teller;
        this.output = output;
        this.diagnostics = vscode.languages.createDiagnosticCollection("visor");
        this.superseder = new Superseder(WAIT_MILLISECONDS);
    }

    /** @param {vscode.TextDocument} document @param {boolean} [asked] by the command */
    check(document, asked = false) {
        const settings = settingsOf(document.uri);
        if (!vscode.workspace.isTrusted || !isChecked(document) || !(settings.checkOnSave || asked)) {
            return Promise.resolve();
        }
        return this.superseder.wish(document.uri.toString(), async (signal) => {
            try {
                await this.run(document.uri, settings, signal);
            } catch (error) {
                this.output.appendLine(`${document.uri.fsPath}: ${error}`);
            }
        });
    }

    /** @param {vscode.Uri} uri @param {ReturnType<typeof settingsOf>} settings @param {AbortSignal} signal */
    async run(uri, settings, signal) {
        const file = uri.fsPath;
        const bytes = await fs.promises.readFile(file);
        const outcome = await runProgram(settings.path, checkArguments(file, settings), { seconds: CHECK_SECONDS, folder: path.dirname(file), signal });
        if (signal.aborted || outcome.kind === "stopped") {
            return;
        }
        if (outcome.kind === "missing") {
            this.diagnostics.delete(uri);
            this.teller.missing(settings.path, outcome.why);
        } else if (outcome.kind === "ended" && outcome.out.trim() !== "") {
            this.diagnostics.set(uri, diagnosticsOf(outcome.out, bytes).map((told) => diagnosticOf(told, "visor")));
        } else {
            const why = outcome.kind === "late" ? `visor check took more than ${CHECK_SECONDS} s and was ended`
                : outcome.kind === "failed" ? outcome.why : complaintOf(outcome.said, outcome.code);
            this.output.appendLine(`${file}: ${why}`);
            this.diagnostics.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 0), why, vscode.DiagnosticSeverity.Warning)]);
        }
    }

    /** @param {vscode.TextDocument} document */
    forget(document) {
        this.superseder.stop(document.uri.toString());
        this.diagnostics.delete(document.uri);
    }

    checkAll() {
        vscode.workspace.textDocuments.forEach((document) => this.check(document));
    }

    dispose() {
        this.superseder.stopAll();
        this.diagnostics.dispose();
    }
}

/** @param {vscode.DiagnosticCollection} findings @param {vscode.Uri} [given] */
async function openFindings(findings, given) {
    const file = given ?? (await vscode.window.showOpenDialog({ title: "Findings of visor run --check --sarif FILE",
        filters: { SARIF: ["sarif", "json"] } }))?.[0];
    if (!file) {
        return;
    }
    try {
        const { size } = await fs.promises.stat(file.fsPath);
        if (size > mostBytes) {
            throw new Error(`it has more than ${mostBytes} bytes`);
        }
        const folders = [...(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath), path.dirname(file.fsPath)];
        const found = findingsOf(await fs.promises.readFile(file.fsPath, "utf8"), folders, fs.existsSync);
        findings.clear();
        for (const [name, told] of found.files) {
            findings.set(vscode.Uri.file(name), told.map((one) => diagnosticOf(one, "visor run --check")));
        }
        const without = found.unplaced.length > 0 ? `, ${found.unplaced.length} without a place: ${found.unplaced[0]}` : "";
        vscode.window.showInformationMessage(`${found.count} findings in ${found.files.size} files${without}`);
        if (found.count > 0) {
            await vscode.commands.executeCommand("workbench.actions.view.problems");
        }
    } catch (error) {
        vscode.window.showErrorMessage(`${file.fsPath} cannot be shown: ${error instanceof Error ? error.message : error}`);
    }
}

// Outlines by document and version; a closed document's goes with it.
class Outlines {
    constructor() {
        /** @type {WeakMap<vscode.TextDocument, {version: number, outline: import("./symbols.js").Outline}>} */
        this.known = new WeakMap();
    }

    /** @param {vscode.TextDocument} document */
    of(document) {
        const known = this.known.get(document);
        if (known?.version === document.version) {
            return known.outline;
        }
        const text = document.getText();
        const outline = outlineOf(text.length > MOST_CHARACTERS ? "" : text);
        this.known.set(document, { version: document.version, outline });
        return outline;
    }

    /** @param {vscode.TextDocument} document @returns {vscode.DocumentSymbol[]} */
    provideDocumentSymbols(document) {
        const kinds = { kernel: vscode.SymbolKind.Function, function: vscode.SymbolKind.Method, variable: vscode.SymbolKind.Variable,
            label: vscode.SymbolKind.Key };
        /** @param {import("./symbols.js").Symbol} symbol @param {vscode.Range} whole */
        const made = (symbol, whole) => new vscode.DocumentSymbol(symbol.name || "(no name)", symbol.detail, kinds[symbol.kind], whole, spanRange(symbol.span));
        return this.of(document).functions.map((one) => {
            const end = document.lineAt(Math.min(one.lastLine, document.lineCount - 1)).range.end;
            const symbol = made(one.symbol, new vscode.Range(new vscode.Position(one.symbol.span.line, 0), end));
            symbol.children = one.children.map((child) => made(child, document.lineAt(child.span.line).range));
            return symbol;
        });
    }

    /** @param {vscode.TextDocument} document @param {vscode.Position} position */
    provideDefinition(document, position) {
        const symbol = symbolAt(this.of(document), position);
        return symbol && new vscode.Location(document.uri, spanRange(symbol.span));
    }

    /** @param {vscode.TextDocument} document @param {vscode.Position} position @param {vscode.ReferenceContext} context */
    provideReferences(document, position, context) {
        const outline = this.of(document);
        const symbol = symbolAt(outline, position);
        return symbol && occurrencesOf(outline, symbol).filter((one) => context.includeDeclaration || !one.definition)
            .map((one) => new vscode.Location(document.uri, spanRange(one.span)));
    }

    /** @param {vscode.TextDocument} document @param {vscode.Position} position */
    provideDocumentHighlights(document, position) {
        const outline = this.of(document);
        const symbol = symbolAt(outline, position);
        return symbol && occurrencesOf(outline, symbol).map((one) => new vscode.DocumentHighlight(spanRange(one.span)));
    }

    /** @param {vscode.TextDocument} document */
    provideFoldingRanges(document) {
        return this.of(document).folds.map((fold) => new vscode.FoldingRange(fold.first, fold.last,
            fold.kind === "comment" ? vscode.FoldingRangeKind.Comment : vscode.FoldingRangeKind.Region));
    }
}

// An instruction's page, asked for once; a variable's declaration.
class Hovers {
    /** @param {Outlines} outlines @param {Teller} teller */
    constructor(outlines, teller) {
        this.outlines = outlines;
        this.teller = teller;
        /** @type {Map<string, string>} */
        this.known = new Map();
    }

    /** @param {string} name @returns {Promise<string|undefined>} */
    async page(name) {
        const program = settingsOf().path;
        const key = `${program}\n${name}`;
        if (!this.known.has(key) && vscode.workspace.isTrusted) {
            const outcome = await runProgram(program, ["isa", "--color", "never", name], { seconds: PAGE_SECONDS });
            if (outcome.kind === "missing") {
                this.teller.missing(program, outcome.why);
            } else if (outcome.kind === "ended" && outcome.code === 0) {
                this.known.set(key, outcome.out.replaceAll("\r", "").trimEnd());
            }
        }
        return this.known.get(key);
    }

    /** @param {vscode.TextDocument} document @param {vscode.Position} position */
    async provideHover(document, position) {
        const outline = this.outlines.of(document);
        const instruction = instructionAt(outline, position, pages);
        if (instruction) {
            const page = await this.page(instruction.name);
            return page === undefined ? undefined : new vscode.Hover(new vscode.MarkdownString().appendCodeblock(page, "text"), spanRange(instruction.span));
        }
        const symbol = symbolAt(outline, position);
        return symbol && new vscode.Hover(new vscode.MarkdownString().appendCodeblock(
            symbol.kind === "variable" ? `.decl ${symbol.name} ${symbol.detail}` : `${symbol.detail} ${symbol.name}`, LANGUAGE));
    }
}

/** @param {vscode.TaskDefinition} definition @param {vscode.WorkspaceFolder|vscode.TaskScope} scope */
function taskOf(definition, scope) {
    const given = taskArguments(definition);
    if (!given) {
        return undefined;
    }
    const folder = typeof scope === "object" ? scope : undefined;
    const task = new vscode.Task(definition, scope, given.slice(0, 2).join(" "), "visor",
        new vscode.ProcessExecution(settingsOf(folder?.uri).path, given, folder && { cwd: folder.uri.fsPath }),
        ["$visor", "$visor-unsupported", "$visor-notes"]);
    task.group = given[0] === "run" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    return task;
}

// Tasks for the vISA texts and launch files that are open; those of tasks.json are completed.
const tasks = {
    provideTasks() {
        return vscode.workspace.textDocuments.flatMap((document) => {
            const text = isChecked(document);
            const folder = vscode.workspace.getWorkspaceFolder(document.uri);
            const launch = document.uri.scheme === "file" && document.fileName.endsWith(".json") && isLaunchFile(document.getText());
            if (!folder || !(text || launch)) {
                return [];
            }
            const file = path.relative(folder.uri.fsPath, document.fileName);
            return (text ? ["run", "check"] : ["run"]).flatMap((verb) => taskOf({ type: "visor", file, verb }, folder) ?? []);
        });
    },
    /** @param {vscode.Task} task */
    resolveTask(task) {
        const made = taskOf(task.definition, task.scope ?? vscode.TaskScope.Workspace);
        // What is resolved has to have the definition that was asked for.
        return made && new vscode.Task(task.definition, task.scope ?? vscode.TaskScope.Workspace, task.name, "visor", made.execution, made.problemMatchers);
    },
};

/** @type {vscode.DebugAdapterDescriptorFactory} */
const debugAdapters = {
    createDebugAdapterDescriptor(session) {
        if (!vscode.workspace.isTrusted) {
            throw new Error("no program is started in a workspace that is not trusted");
        }
        const words = debugArguments(session.configuration);
        if (typeof words === "string") {
            throw new Error(words);
        }
        const folder = session.workspaceFolder?.uri.fsPath;
        return new vscode.DebugAdapterExecutable(settingsOf(session.workspaceFolder?.uri).path, words, folder ? { cwd: folder } : undefined);
    },
};

/** @param {vscode.ExtensionContext} context */
function activate(context) {
    const output = vscode.window.createOutputChannel("Visor");
    const teller = new Teller();
    const checker = new Checker(teller, output);
    const outlines = new Outlines();
    const findings = vscode.languages.createDiagnosticCollection("visor-findings");
    context.subscriptions.push(output, checker, findings,
        vscode.workspace.onDidOpenTextDocument((document) => checker.check(document)),
        vscode.workspace.onDidSaveTextDocument((document) => checker.check(document)),
        vscode.workspace.onDidCloseTextDocument((document) => checker.forget(document)),
        vscode.workspace.onDidGrantWorkspaceTrust(() => checker.checkAll()),
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration("visor")) {
                teller.told.clear();
                checker.checkAll();
            }
        }),
        vscode.commands.registerCommand("visor.check", () => {
            const document = vscode.window.activeTextEditor?.document;
            return document && checker.check(document, true);
        }),
        vscode.commands.registerCommand("visor.openFindings", (file) => openFindings(findings, file instanceof vscode.Uri ? file : undefined)),
        vscode.commands.registerCommand("visor.clearFindings", () => findings.clear()),
        vscode.languages.registerDocumentSymbolProvider(LANGUAGE, outlines),
        vscode.languages.registerDefinitionProvider(LANGUAGE, outlines),
        vscode.languages.registerReferenceProvider(LANGUAGE, outlines),
        vscode.languages.registerDocumentHighlightProvider(LANGUAGE, outlines),
        vscode.languages.registerFoldingRangeProvider(LANGUAGE, outlines),
        vscode.languages.registerHoverProvider(LANGUAGE, new Hovers(outlines, teller)),
        vscode.debug.registerDebugAdapterDescriptorFactory("visor", debugAdapters),
        vscode.tasks.registerTaskProvider("visor", tasks));
    checker.checkAll();
}

module.exports = { activate };
