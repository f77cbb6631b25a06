"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const test = require("node:test");
const { filesBelow, loadGrammar, runVisor, tokensOf } = require("./support.js");

const grammar = loadGrammar();

/** @param {string} text @param {[string, string][]} wanted words with their scopes, in order; others may stand between */
async function expectTokens(text, wanted) {
    const tokens = tokensOf(await grammar, text);
    let at = 0;
    for (const [words, scope] of wanted) {
        const found = tokens.findIndex((token, index) => index >= at && token.text.trim() === words && token.scope === scope);
        assert.ok(found >= 0, `no ${scope} for ${words} in ${text}:\n${tokens.map((token) => `${token.text} ${token.scope}`).join("\n")}`);
        at = found + 1;
    }
    assert.deepEqual(tokens.filter((token) => token.scope.startsWith("invalid")), []);
}

test("metadata and comments", async () => {
    await expectTokens("//! visor: device skl", [["visor:", "keyword.other.metadata"], ["device", "entity.name.tag.metadata"],
        ["skl", "string.unquoted.metadata"]]);
    await expectTokens("mov (M1, 1) x(0,0)<1> 0x1:ud // one", [["//", "punctuation.definition.comment"], ["one", "comment.line.double-slash"]]);
    await expectTokens("add /* a\nb */ (M1, 16) x(0,0)<1> y(0,0)<1;1,0> 1:d", [["b", "comment.block"], ["M1", "storage.modifier.mask"]]);
});

test("directives", async () => {
    await expectTokens(".version 4.1", [["version", "keyword.other.directive"], ["4.1", "constant.numeric.version"]]);
    await expectTokens(".kernel \"saxpy\"", [["kernel", "keyword.other.directive"], ["saxpy", "entity.name.function"]]);
    await expectTokens(".kernel saxpy", [["saxpy", "entity.name.function"]]);
    await expectTokens(".decl V33 v_type=G type=ud num_elts=8 align=wordx32 alias=<%r0, 0> attrs={Output, Scope=1}", [
        ["V33", "variable.other"], ["v_type", "variable.parameter.part"], ["G", "storage.type.class"], ["ud", "storage.type"],
        ["num_elts", "variable.parameter.part"], ["8", "constant.numeric"], ["wordx32", "storage.modifier.align"],
        ["alias", "variable.parameter.part"], ["%r0", "variable.language"], ["attrs", "variable.parameter.part"],
        ["Output", "entity.other.attribute-name"], ["Scope", "entity.other.attribute-name"], ["1", "constant.numeric"]]);
    await expectTokens(".input x offset=32 size=8", [["x", "variable.other"], ["offset", "variable.parameter.part"], ["32", "constant.numeric"]]);
    await expectTokens(".kernel_attr AsmName=\"a.asm\"", [["AsmName", "entity.other.attribute-name"], ["a.asm", "string.quoted.double"]]);
});

test("instructions", async () => {
    await expectTokens("(!P1.any) add.sat (M1_NM, 16) V32(0,0)<1> (-)V33(0,0)<1;1,0> 0x2:ud", [
        ["!", "keyword.operator.logical"], ["P1", "variable.other.predicate"], ["any", "storage.modifier.predicate"],
        ["add", "keyword.mnemonic.arith"], ["sat", "storage.modifier.suffix"], ["M1_NM", "storage.modifier.mask"],
        ["16", "constant.numeric.execution-size"], ["V32", "variable.other"], ["1", "constant.numeric"], ["(-)", "keyword.operator.modifier"],
        [";", "punctuation.separator.region"], ["0x2", "constant.numeric"], ["ud", "storage.type"]]);
    await expectTokens("mov (M1, 1) r[A0(0),16]<1>:f -1.5e-3:f", [["r", "keyword.operator.indirect"], ["f", "storage.type"],
        ["-", "keyword.operator"], ["1.5e-3", "constant.numeric"], ["f", "storage.type"]]);
    await expectTokens("lsc_load.ugm.ca.ca (M1, 16) V32:d32x4t flat[V33+0x10]:a64", [["lsc_load", "support.function.lsc"],
        ["ugm", "storage.modifier.suffix"], ["d32x4t", "storage.type"], ["flat", "storage.type.address-model"], ["V33", "variable.other"],
        ["a64", "storage.type"]]);
    await expectTokens("oword_ld (4) T6 0x0:ud x.0", [["oword_ld", "support.function.block"], ["4", "constant.numeric.execution-size"]]);
    await expectTokens("dpas.hf.hf.8.8 (M1, 16) c.0 c.0 %null.0 a(0,0)", [["dpas", "keyword.mnemonic.matrix"], ["%null", "variable.language"]]);
    await expectTokens("mov (M1, \\\n 8) x(0,0)<1> y(0,0)<1;1,0>", [["\\", "constant.character.escape.line-continuation"], ["y", "variable.other"]]);
});

test("labels and jumps", async () => {
    await expectTokens("loop-1: { goto (M1, 16) loop-1 }", [["loop-1", "entity.name.label"], ["{", "punctuation.section.scope"],
        ["goto", "keyword.control.flow"], ["loop-1", "entity.name.label"], ["}", "punctuation.section.scope"]]);
    await expectTokens("switchjmp (M1, 1) which(0,0)<0;1,0> (first, second)", [["which", "variable.other"], ["second", "variable.other"]]);
    await expectTokens("barrier", [["barrier", "keyword.control.sync"]]);
});

test("what is no statement is invalid, once", async () => {
    for (const [text, word] of [["foo (M1, 16) a(0,0)<1>", "foo"], [".colonel \"x\"", ".colonel"]]) {
        const invalid = tokensOf(await grammar, text).filter((token) => token.scope.startsWith("invalid"));
        assert.deepEqual(invalid.map((token) => token.text), [word]);
    }
});

test("every example of an instruction's page has its colour", async () => {
    const rows = JSON.parse(runVisor("isa", "--json").out).instructions;
    assert.ok(rows.length > 200);
    for (const row of rows.filter((/** @type {any} */ one) => one.example)) {
        const tokens = tokensOf(await grammar, row.example);
        assert.deepEqual(tokens.filter((token) => token.scope.startsWith("invalid")), [], row.example);
        const mnemonic = row.mnemonic.split(".")[0];
        if (row.example.includes(mnemonic) && !["label", "subroutine", "file", "loc"].includes(row.name)) {
            const found = tokens.find((token) => token.text === mnemonic);
            assert.match(found?.scope ?? "", /^(keyword|support)\./, row.example);
        }
    }
});

test("nothing in good texts is invalid", async () => {
    const files = filesBelow("examples", ".visaasm");
    assert.ok(files.length > 20);
    const good = [...files, ...filesBelow("tests/cases", ".visaasm").filter((file) => runVisor("check", "-q", file).code === 0)];
    for (const file of good) {
        const invalid = tokensOf(await grammar, fs.readFileSync(file, "utf8")).filter((token) => token.scopes.some((scope) => scope.startsWith("invalid")));
        assert.deepEqual(invalid.map(({ line, text }) => `${file}:${line}: ${text}`), []);
    }
});
