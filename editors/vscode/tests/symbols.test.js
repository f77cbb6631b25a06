"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const { instructionAt, occurrencesOf, outlineOf, symbolAt } = require("../src/symbols.js");
const { extension, filesBelow } = require("./support.js");

const text = `//! visor: version 1
//! visor: device skl
.version 4.1
.kernel "first"
.decl x v_type=G type=ud num_elts=8 align=GRF // x
.decl y v_type=G type=f num_elts=8 align=GRF alias=<x, 0>
.decl P1 v_type=P num_elts=8
.input x offset=32 size=32
/* loop: x */
loop:
  (!P1.any) add (M1, 8) x(0,0)<1> x(0,0)<1;1,0> 0x1:ud
  { .decl x v_type=G type=ud num_elts=1 align=dword
    mov (M1, 1) x(0,0)<1> 0x0:ud }
  lsc_load_quad.tgm (M1, 8) x:d32.x bti(0x2)[y, y]:a32
  (P1) goto (M1, 8) loop
  jmp (M1, 1) end-1
end-1: ret (M1, 1)

.global_function "second"
.decl x v_type=G type=ud num_elts=8 align=GRF
loop:
  mov (M1, 8) x(0,0)<1> \\
      x(0,0)<1;1,0>
  fcall (M1, 8) "first" 0 0
  goto (M1, 8) loop
`;
const outline = outlineOf(text);
const lines = text.split("\n");

/** @param {string} word @param {number} line @param {number} [nth] */
function at(word, line, nth = 0) {
    let character = -1;
    for (let count = 0; count <= nth; ++count) {
        character = lines[line - 1].indexOf(word, character + 1);
    }
    assert.ok(character >= 0);
    return { line: line - 1, character };
}

/** @param {{line: number, character: number}} place */
function linesOf(place) {
    const symbol = symbolAt(outline, place);
    return symbol ? occurrencesOf(outline, symbol).map((one) => one.span.line + 1) : [];
}

test("the outline", () => {
    assert.deepEqual(outline.functions.map((one) => [one.symbol.name, one.symbol.kind, one.symbol.span.line + 1, one.lastLine + 1]),
        [["first", "kernel", 4, 17], ["second", "function", 19, 25]]);
    assert.deepEqual(outline.functions[0].children.map((one) => `${one.kind} ${one.name}`),
        ["variable x", "variable y", "variable P1", "label loop", "variable x", "label end-1"]);
    assert.equal(outline.functions[0].children[0].detail, "v_type=G type=ud num_elts=8 align=GRF");
});

test("variables, by scope and function", () => {
    assert.deepEqual(linesOf(at("x", 5, 0)), [5, 6, 8, 11, 11, 14]);
    assert.deepEqual(linesOf(at("x", 13)), [12, 13]);
    assert.deepEqual(linesOf(at("x", 23)), [20, 22, 23]);
    assert.deepEqual(linesOf(at("y", 14)), [6, 14, 14]);
    assert.deepEqual(linesOf(at("P1", 11)), [7, 11, 15]);
});

test("labels and functions", () => {
    assert.deepEqual(linesOf(at("loop", 15)), [10, 15]);
    assert.deepEqual(linesOf(at("loop", 25)), [21, 25]);
    assert.deepEqual(linesOf(at("end-1", 16)), [16, 17]);
    assert.deepEqual(linesOf(at("first", 24)), [4, 24]);
    assert.deepEqual(symbolAt(outline, at("loop", 9)), undefined);
});

test("instructions and their pages", () => {
    const pages = JSON.parse(fs.readFileSync(path.join(extension, "data/instructions.json"), "utf8"));
    assert.equal(instructionAt(outline, at("add", 11), pages)?.name, "add");
    assert.equal(instructionAt(outline, at("lsc", 14), pages)?.name, "lsc_load_quad.tgm");
    assert.equal(instructionAt(outline, at("ret", 17), pages)?.name, "ret");
    assert.equal(instructionAt(outline, at("x(", 11), pages), undefined);
    assert.equal(instructionAt(outlineOf("constructor (M1, 1)"), { line: 0, character: 2 }, pages), undefined);
});

test("folds", () => {
    const folds = outline.folds.map((fold) => [fold.first + 1, fold.last + 1, fold.kind]);
    assert.deepEqual(folds.filter(([, , kind]) => kind === "comment"), [[1, 2, "comment"]]);
    assert.ok(folds.some(([first, last]) => first === 4 && last === 17));
    assert.ok(folds.some(([first, last]) => first === 5 && last === 7));
});

test("every example has its kernels, and every goto its label", () => {
    for (const file of filesBelow("examples", ".visaasm")) {
        const content = fs.readFileSync(file, "utf8");
        const found = outlineOf(content);
        const kernels = [...content.matchAll(/^\.kernel "?(\w+)"?/gm)].map((match) => match[1]);
        assert.deepEqual(found.functions.map((one) => one.symbol.name), kernels, file);
        const rows = content.split("\n");
        for (const [index, row] of rows.entries()) {
            const jump = /\b(?:jmp|goto)\s+\(.*\)\s+(\w+)/.exec(row);
            if (jump) {
                assert.equal(symbolAt(found, { line: index, character: row.lastIndexOf(jump[1]) })?.kind, "label", `${file}:${index + 1}`);
            }
        }
    }
});

test("unfinished and odd texts have an outline", () => {
    for (const odd of ["", "}", "{", ".decl", ".kernel", ".kernel \"", "goto (M1, 1)", "\"a", "/*", "a:b:c:", "(P", "mov (M1, 1) \\", "x".repeat(100000), "a } ".repeat(2000), "a } ".repeat(1000000), "{\n".repeat(100000)]) {
        assert.ok(outlineOf(odd));
    }
});
