// Kernels, functions, variables and labels of a vISA text, with every place that names one. It reads names and scopes,
// not instructions: a text that is being edited has symbols, too. Nothing here knows of VS Code.
"use strict";

/** @typedef {"kernel"|"function"|"variable"|"label"} Kind */
/** @typedef {{line: number, start: number, end: number}} Span characters of one line */
/** @typedef {{name: string, kind: Kind, span: Span, detail: string, scope: number}} Symbol */
/** @typedef {{span: Span, symbol: Symbol, definition: boolean}} Occurrence */
/** @typedef {{symbol: Symbol, lastLine: number, children: Symbol[]}} Block */
/** @typedef {{first: number, last: number, kind: "region"|"comment"}} Fold */
/** @typedef {{functions: Block[], occurrences: Occurrence[], folds: Fold[], mnemonics: {span: Span, name: string, suffix: string}[]}} Outline */

const name = /%?[A-Za-z_][\w]*/g;
const labelName = /[A-Za-z_$@?][\w$@?-]*/g;
const labelDefinition = /^\s*(?:([A-Za-z_$@?][\w$@?-]*)|"((?:[^"\\]|\\.)*)"):/;
// Longer lines are nobody's, and have no symbols.
const longestLine = 10000;
const jumps = new Set(["jmp", "goto", "call", "fccall", "switchjmp"]);
const calls = new Set(["fcall", "faddr"]);

// The lines with comments as blanks, so that places stay; strings are left.
/** @param {string} text */
function withoutComments(text) {
    let out = "";
    let inside = "";
    for (let at = 0; at < text.length; ++at) {
        const two = text.slice(at, at + 2);
        const c = text[at];
        if (inside === "" && (two === "//" || two === "/*")) {
            inside = two;
            out += "  ";
            ++at;
        } else if (inside === "/*" && two === "*/") {
            inside = "";
            out += "  ";
            ++at;
        } else if (c === "\n") {
            inside = inside === "/*" ? inside : "";
            out += c;
        } else if (inside === "\"" && c === "\\" && text[at + 1] !== "\n" && at + 1 < text.length) {
            out += two;
            ++at;
        } else if (c === "\"" && (inside === "" || inside === "\"")) {
            inside = inside === "" ? "\"" : "";
            out += c;
        } else {
            out += inside === "//" || inside === "/*" ? (c === "\r" ? c : " ") : c;
        }
    }
    return out.split(/\r\n|\r|\n/);
}

class Finder {
    /** @param {string} text */
    constructor(text) {
        this.raw = text.split(/\r\n|\r|\n/);
        this.lines = withoutComments(text);
        /** @type {Outline} */
        this.outline = { functions: [], occurrences: [], folds: [], mnemonics: [] };
        /** @type {Block|undefined} */
        this.current = undefined;
        // Innermost last; the first is the kernel's own.
        /** @type {{names: Map<string, Symbol>, line: number}[]} */
        this.scopes = [];
        /** @type {Map<string, Symbol>} */
        this.labels = new Map();
        /** @type {Map<string, Symbol>} */
        this.kernels = new Map();
        /** @type {{span: Span, spelled: string, labels: Map<string, Symbol>|undefined, variable: boolean}[]} uses that may stand before their definition */
        this.late = [];
    }

    find() {
        let continued = "";
        for (let line = 0; line < this.lines.length; ++line) {
            const text = this.lines[line].length > longestLine ? "" : this.lines[line];
            const joined = /\\\s*$/.test(text);
            if (continued !== "") {
                this.operands(text, line, 0, continued);
            } else {
                continued = this.statements(text, line);
            }
            continued = joined ? continued || "\\" : "";
        }
        this.endFunction(this.lines.length);
        this.settleTargets();
        this.folds();
        this.outline.occurrences.sort((a, b) => a.span.line - b.span.line || a.span.start - b.span.start);
        return this.outline;
    }

    // The statements of one line; the mnemonic or directive of the last one.
    /** @param {string} text @param {number} line @returns {string} */
    statements(text, line) {
        let at = 0;
        for (;;) {
            const rest = text.slice(at);
            const brace = /^\s*([{}])/.exec(rest);
            const label = labelDefinition.exec(rest);
            if (brace) {
                if (brace[1] === "{") {
                    this.scopes.push({ names: new Map(), line });
                } else {
                    this.closeScope(line);
                }
                at += brace[0].length;
            } else if (label) {
                const spelled = label[1] ?? label[2];
                const start = at + label[0].length - 1 - spelled.length - (label[1] === undefined ? 1 : 0);
                this.defineLabel(spelled, { line, start, end: start + spelled.length });
                at += label[0].length;
            } else {
                return rest.trim() === "" ? "" : this.statement(text, line, at);
            }
        }
    }

    /** @param {string} text @param {number} line @param {number} at @returns {string} */
    statement(text, line, at) {
        const directive = /^\s*\.\s*(\w+)\s*/.exec(text.slice(at));
        if (directive) {
            this.directive(directive[1], text, line, at + directive[0].length);
            return `.${directive[1]}`;
        }
        const predicate = /^\s*\([^)]*\)\s*/.exec(text.slice(at));
        if (predicate) {
            this.names(text.slice(0, at + predicate[0].length), line, at);
            at += predicate[0].length;
        }
        const mnemonic = /^\s*([A-Za-z_]\w*)((?:\s*\.\s*(?:<\w+>)*[\w-]*)*)\s*(\([^)]*\))?/.exec(text.slice(at));
        if (!mnemonic) {
            return "";
        }
        const start = at + mnemonic[0].indexOf(mnemonic[1]);
        const suffix = /^\s*\.\s*(\w+)/.exec(mnemonic[2])?.[1] ?? "";
        this.outline.mnemonics.push({ span: { line, start, end: start + mnemonic[1].length }, name: mnemonic[1], suffix });
        const operands = at + mnemonic[0].length;
        // A scope may end behind the last operand.
        const end = text.indexOf("}", operands);
        this.operands(end < 0 ? text : text.slice(0, end), line, operands, mnemonic[1]);
        return end < 0 ? mnemonic[1] : this.statements(" ".repeat(end) + text.slice(end), line);
    }

    /** @param {string} word @param {string} text @param {number} line @param {number} at */
    directive(word, text, line, at) {
        if (word === "kernel" || word === "global_function") {
            this.startFunction(word, text, line, at);
        } else if (word === "function") {
            const found = this.nameAt(text, line, at);
            if (found) {
                this.defineLabel(found.spelled, found.span);
            }
        } else if (word === "decl") {
            this.declaration(text, line, at);
        } else if (word === "input" || word.startsWith("implicit_")) {
            const found = /^\s*[\w%]+/.exec(text.slice(at));
            this.names(text.slice(0, at + (found?.[0].length ?? 0)), line, at);
        }
    }

    /** @param {string} text @param {number} line @param {number} at */
    nameAt(text, line, at) {
        const found = /^\s*(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_$@?][\w$@?-]*))/.exec(text.slice(at));
        if (!found) {
            return undefined;
        }
        const spelled = found[1] ?? found[2];
        const start = at + found[0].length - spelled.length - (found[2] === undefined ? 1 : 0);
        return { spelled, span: { line, start, end: start + spelled.length } };
    }

    /** @param {string} word @param {string} text @param {number} line @param {number} at */
    startFunction(word, text, line, at) {
        this.endFunction(line);
        const found = this.nameAt(text, line, at) ?? { spelled: "", span: { line, start: 0, end: text.length } };
        /** @type {Symbol} */
        const symbol = { name: found.spelled, kind: word === "kernel" ? "kernel" : "function", span: found.span, detail: `.${word}`, scope: 0 };
        this.current = { symbol, lastLine: line, children: [] };
        this.outline.functions.push(this.current);
        this.scopes = [{ names: new Map(), line }];
        this.labels = new Map();
        if (!this.kernels.has(found.spelled)) {
            this.kernels.set(found.spelled, symbol);
        }
        this.occur(found.span, symbol, true);
    }

    /** @param {number} line the next function's, or the end's */
    endFunction(line) {
        if (this.current) {
            let last = line - 1;
            while (last > this.current.symbol.span.line && (this.raw[last] ?? "").trim() === "") {
                --last;
            }
            this.current.lastLine = last;
        }
    }

    /** @param {number} line */
    closeScope(line) {
        if (this.scopes.length > 1) {
            const scope = this.scopes.pop();
            this.outline.folds.push({ first: scope?.line ?? line, last: line - 1, kind: "region" });
        }
    }

    /** @param {string} text @param {number} line @param {number} at */
    declaration(text, line, at) {
        const found = this.nameAt(text, line, at);
        if (!found) {
            return;
        }
        const alias = /\balias\s*=\s*<\s*(%?\w+)/.exec(text.slice(at));
        if (alias) { // what it names is looked up before the declaration counts
            const end = at + alias.index + alias[0].length;
            this.names(text.slice(0, end), line, end - alias[1].length);
        }
        const detail = text.slice(found.span.end + (text[found.span.end] === "\"" ? 1 : 0)).trim().replace(/\s+/g, " ");
        /** @type {Symbol} */
        const symbol = { name: found.spelled, kind: "variable", span: found.span, detail, scope: this.scopes.length };
        this.scopes.at(-1)?.names.set(found.spelled, symbol);
        this.current?.children.push(symbol);
        this.occur(found.span, symbol, true);
    }

    /** @param {string} spelled @param {Span} span */
    defineLabel(spelled, span) {
        const earlier = this.labels.get(spelled);
        if (earlier) { // `.function "name"` and the line `name:` are one
            this.occur(span, earlier, false);
            return;
        }
        /** @type {Symbol} */
        const symbol = { name: spelled, kind: "label", span, detail: "label", scope: 0 };
        this.labels.set(spelled, symbol);
        this.current?.children.push(symbol);
        this.occur(span, symbol, true);
    }

    // What stands behind a mnemonic.
    /** @param {string} text @param {number} line @param {number} at @param {string} mnemonic */
    operands(text, line, at, mnemonic) {
        if (mnemonic.startsWith(".") && mnemonic !== ".decl") {
            return;
        }
        const labels = jumps.has(mnemonic) ? this.labels : undefined;
        if (labels || calls.has(mnemonic)) {
            this.targets(text, line, at, labels);
        }
        this.names(text, line, at);
    }

    // Labels may be defined below, functions anywhere: they are looked up at the end.
    /** @param {string} text @param {number} line @param {number} at @param {Map<string, Symbol>|undefined} labels */
    targets(text, line, at, labels) {
        for (const found of text.slice(at).matchAll(labelName)) {
            const start = at + found.index;
            const span = { line, start, end: start + found[0].length };
            this.late.push({ span, spelled: found[0], labels, variable: this.lookUp(found[0]) !== undefined });
        }
    }

    // A label where one may stand comes before a variable of its name, a function behind it.
    settleTargets() {
        /** @type {Map<string, Occurrence>} */
        const found = new Map();
        for (const { span, spelled, labels, variable } of this.late) {
            const symbol = labels?.get(spelled) ?? (variable ? undefined : this.kernels.get(spelled));
            if (symbol) {
                found.set(`${span.line}:${span.start}`, { span, symbol, definition: false });
            }
        }
        this.outline.occurrences = this.outline.occurrences.filter(({ span }) => !found.has(`${span.line}:${span.start}`));
        for (const one of found.values()) {
            this.outline.occurrences.push(one);
        }
    }

    // Variables that are named from `at` on: not suffixes, types and strings.
    /** @param {string} text @param {number} line @param {number} at */
    names(text, line, at) {
        const shown = text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => " ".repeat(quoted.length));
        name.lastIndex = at;
        for (let found = name.exec(shown); found; found = name.exec(shown)) {
            const before = shown.slice(0, found.index).trimEnd().at(-1) ?? "";
            const symbol = this.lookUp(found[0]);
            if (symbol && before !== "." && before !== ":" && !/[\w$@?]/.test(shown[found.index - 1] ?? "")) {
                this.occur({ line, start: found.index, end: found.index + found[0].length }, symbol, false);
            }
        }
    }

    /** @param {string} spelled */
    lookUp(spelled) {
        for (let depth = this.scopes.length - 1; depth >= 0; --depth) {
            const symbol = this.scopes[depth].names.get(spelled);
            if (symbol) {
                return symbol;
            }
        }
        return undefined;
    }

    /** @param {Span} span @param {Symbol} symbol @param {boolean} definition */
    occur(span, symbol, definition) {
        this.outline.occurrences.push({ span, symbol, definition });
    }

    // Kernels, their scopes, runs of declarations, and what a compiler says in comments above.
    folds() {
        for (const one of this.outline.functions) {
            this.outline.folds.push({ first: one.symbol.span.line, last: one.lastLine, kind: "region" });
        }
        /** @param {(line: string) => boolean} belongs @param {"region"|"comment"} kind */
        const runs = (belongs, kind) => {
            let first = -1;
            for (let line = 0; line <= this.raw.length; ++line) {
                const inside = line < this.raw.length && belongs(this.raw[line]);
                if (inside && first < 0) {
                    first = line;
                } else if (!inside && first >= 0) {
                    this.outline.folds.push({ first, last: line - 1, kind });
                    first = -1;
                }
            }
        };
        runs((line) => /^\s*\/\//.test(line), "comment");
        runs((line) => /^\s*\.decl\b/.test(line), "region");
        this.outline.folds = this.outline.folds.filter((fold) => fold.last > fold.first);
    }
}

/** @param {string} text @returns {Outline} */
function outlineOf(text) {
    return new Finder(text).find();
}

/** @param {Outline} outline @param {{line: number, character: number}} place */
function symbolAt(outline, place) {
    return outline.occurrences.find(({ span }) => span.line === place.line && span.start <= place.character && place.character <= span.end)?.symbol;
}

/** @param {Outline} outline @param {Symbol} symbol */
function occurrencesOf(outline, symbol) {
    return outline.occurrences.filter((one) => one.symbol === symbol);
}

// The name that `visor isa` knows the instruction at a place by.
/** @param {Outline} outline @param {{line: number, character: number}} place @param {Record<string, string[]>} pages */
function instructionAt(outline, place, pages) {
    const found = outline.mnemonics.find(({ span }) => span.line === place.line && span.start <= place.character && place.character <= span.end);
    const known = found && Object.hasOwn(pages, found.name) ? pages[found.name] : undefined;
    if (!found || !known) {
        return undefined;
    }
    return { span: found.span, name: known.find((one) => one.endsWith(`.${found.suffix}`) && found.suffix !== "") ?? known[0] };
}

module.exports = { instructionAt, occurrencesOf, outlineOf, symbolAt };
