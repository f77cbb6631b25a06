// What `visor check` is given, and what it and the findings of `visor run` say, as places in documents. Lines and
// characters count from 0, characters in UTF-16 units, as editors have it. Nothing here knows of VS Code.
"use strict";

/** @typedef {{line: number, character: number}} Place */
/** @typedef {{start: Place, end: Place}} Range */
/** @typedef {{file: string, range: Range, message: string}} Related */
/** @typedef {{range: Range, severity: "error"|"warning"|"information", rule: string, message: string, related: Related[]}} Told */
/** @typedef {{profile: string, device: string}} Settings */

/** @param {string} file @param {Settings} settings */
function checkArguments(file, settings) {
    const given = ["check", "--json"];
    if (settings.profile && settings.profile !== "auto") {
        given.push("--profile", settings.profile);
    }
    if (settings.device) {
        given.push("--device", settings.device);
    }
    return [...given, "--", file];
}

// Places of bytes in a text. Lines end where an editor ends them; a byte order mark is no character of it.
class Places {
    /** @param {Uint8Array} bytes */
    constructor(bytes) {
        this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.starts = [this.bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0];
        for (let at = 0; at < this.bytes.length; ++at) {
            const byte = this.bytes[at];
            if (byte === 0x0a || (byte === 0x0d && this.bytes[at + 1] !== 0x0a)) {
                this.starts.push(at + 1);
            }
        }
    }

    /** @param {number} offset @returns {Place} */
    at(offset) {
        let low = 0, high = this.starts.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.starts[middle] <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        const start = this.starts[low];
        const end = Math.max(start, Math.min(offset, this.bytes.length));
        return { line: low, character: this.bytes.toString("utf8", start, end).length };
    }

    // What has no length is the character there, or else the one before.
    /** @param {number} offset @param {number} length @returns {Range} */
    range(offset, length) {
        const start = this.at(offset);
        const end = this.at(offset + length);
        if (length > 0) {
            return { start, end };
        }
        const after = this.at(offset + 1);
        if (after.line === start.line && after.character > start.character && !"\r\n".includes(String.fromCharCode(this.bytes[offset] ?? 10))) {
            return { start, end: after };
        }
        return start.character > 0 ? { start: { line: start.line, character: start.character - 1 }, end: start } : { start, end: start };
    }
}

/** @param {any} value @returns {value is number} */
function isCount(value) {
    return Number.isInteger(value) && value >= 0;
}

/** @param {any} about @param {Places} places @returns {Range} the beginning of the file where no place is said */
function rangeOf(about, places) {
    return isCount(about.offset) ? places.range(about.offset, isCount(about.length) ? about.length : 0)
        : { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
}

/** @type {Record<string, Told["severity"]>} */
const severities = { error: "error", unsupported: "warning", warning: "warning", note: "information" };

// What `visor check --json` printed about one file; throws where that is no answer of it.
/** @param {string} answer @param {Uint8Array} bytes of the file @returns {Told[]} */
function diagnosticsOf(answer, bytes) {
    const { files } = JSON.parse(answer);
    if (!Array.isArray(files)) {
        throw new Error("this is no answer of visor check --json");
    }
    const places = new Places(bytes);
    return files.flatMap((/** @type {any} */ file) => (file.diagnostics ?? []).map((/** @type {any} */ one) => {
        const severity = severities[one.severity] ?? "error";
        const lines = [one.severity === "unsupported" ? `unsupported by Visor: ${one.message}` : String(one.message)];
        if (one.explanation) {
            lines.push(String(one.explanation) + (one.page ? ` (${one.page})` : ""));
        }
        const related = (one.notes ?? []).map((/** @type {any} */ note) => ({
            file: String(file.file), range: rangeOf(note, places), message: String(note.message),
        }));
        return { range: rangeOf(one, places), severity, rule: String(one.rule ?? ""), message: lines.join("\n"), related };
    }));
}

// What went wrong when there is no JSON: the last line that was said.
/** @param {string} said @param {number|null} code */
function complaintOf(said, code) {
    const lines = said.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    return lines.at(-1) ?? `visor ended with exit code ${code}`;
}

module.exports = { Places, checkArguments, complaintOf, diagnosticsOf };
