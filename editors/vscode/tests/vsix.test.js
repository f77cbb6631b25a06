// The package: a ZIP file with what the extension needs and nothing else.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const { extension } = require("./support.js");

/** @param {Buffer} zip the names in its central directory */
function namesIn(zip) {
    const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
    const names = [];
    let at = zip.readUInt32LE(end + 16);
    for (let count = zip.readUInt16LE(end + 10); count > 0; --count) {
        const length = zip.readUInt16LE(at + 28);
        names.push(zip.toString("utf8", at + 46, at + 46 + length));
        at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    return names.sort();
}

test("the package has what it should", { skip: process.env.VISOR_VSIX ? false : "VISOR_VSIX is not set" }, () => {
    const zip = fs.readFileSync(process.env.VISOR_VSIX ?? "");
    const sources = fs.readdirSync(path.join(extension, "src")).map((name) => `extension/src/${name}`);
    assert.deepEqual(namesIn(zip), ["[Content_Types].xml", "extension.vsixmanifest", "extension/LICENSE.txt", "extension/data/instructions.json",
        "extension/language-configuration.json", "extension/package.json", "extension/readme.md", "extension/syntaxes/visa.tmLanguage.json",
        ...sources].sort());
});
