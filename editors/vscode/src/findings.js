// SARIF 2.1.0, as `visor run --check --sarif` writes it, as diagnostics by file. Files of other tools are read as well,
// as far as their results have places. Nothing here knows of VS Code.
"use strict";

const path = require("node:path");
const { fileURLToPath } = require("node:url");

/** @typedef {import("./check.js").Told} Told */
/** @typedef {import("./check.js").Range} Range */

// What is larger is no result of Visor's.
const mostBytes = 1 << 26;

/** @param {any} region @returns {Range} a line as a whole where no column is said */
function rangeOf(region) {
    const whole = 1 << 20;
    /** @param {any} value @param {number} fallback */
    const number = (value, fallback) => Number.isInteger(value) && value >= 1 ? value : fallback;
    const line = number(region?.startLine, 1) - 1;
    const last = Math.max(line, number(region?.endLine, line + 1) - 1);
    const start = number(region?.startColumn, 1) - 1;
    const end = number(region?.endColumn, whole) - 1;
    return { start: { line, character: start }, end: { line: last, character: last === line ? Math.max(start, end) : end } };
}

// Relative paths are those of the folder that visor ran in: of the folders given, the first that has the file.
/** @param {any} uri @param {string[]} folders @param {(file: string) => boolean} exists @returns {string|undefined} */
function fileOf(uri, folders, exists) {
    if (typeof uri !== "string" || uri === "") {
        return undefined;
    }
    if (uri.startsWith("file:")) {
        try {
            return fileURLToPath(uri);
        } catch {
            return undefined;
        }
    }
    if (path.isAbsolute(uri)) {
        return uri;
    }
    if (/^[a-z][a-z0-9+.-]+:/i.test(uri)) {
        return undefined;
    }
    const candidates = folders.map((folder) => path.join(folder, uri));
    return candidates.find(exists) ?? candidates[0];
}

/** @param {any} location @param {string[]} folders @param {(file: string) => boolean} exists */
function placeOf(location, folders, exists) {
    const physical = location?.physicalLocation;
    const file = fileOf(physical?.artifactLocation?.uri, folders, exists);
    return file === undefined ? undefined : { file, range: rangeOf(physical.region), message: String(location.message?.text ?? "") };
}

/** @param {any} result @returns {Told["severity"]} */
function severityOf(result) {
    if (result.level === "error") {
        return "error";
    }
    return result.level === "note" || result.level === "none" ? "information" : "warning";
}

// Throws where the text is no SARIF. `unplaced` has the messages of results without a file.
/** @param {string} text @param {string[]} folders @param {(file: string) => boolean} exists */
function findingsOf(text, folders, exists) {
    const { runs, version } = JSON.parse(text);
    if (!Array.isArray(runs) || typeof version !== "string" || !version.startsWith("2.")) {
        throw new Error("this is no SARIF 2 file");
    }
    /** @type {Map<string, Told[]>} */
    const files = new Map();
    /** @type {string[]} */
    const unplaced = [];
    let count = 0;
    for (const result of runs.flatMap((/** @type {any} */ run) => run.results ?? [])) {
        ++count;
        const times = Number.isInteger(result.occurrenceCount) && result.occurrenceCount > 1 ? ` (${result.occurrenceCount} times)` : "";
        const kernel = result.properties?.kernel ? `; kernel ${result.properties.kernel}` : "";
        const message = `${result.message?.text ?? result.ruleId}${times}${kernel}`;
        const place = placeOf(result.locations?.[0], folders, exists);
        if (place === undefined) {
            unplaced.push(message);
            continue;
        }
        const related = (result.relatedLocations ?? []).map((/** @type {any} */ one) => placeOf(one, folders, exists))
            .filter((/** @type {any} */ one) => one !== undefined);
        // The vISA of a finding whose source is known.
        const visa = result.locations[0].properties?.visa;
        const visaFile = fileOf(visa?.file, folders, exists);
        if (visaFile !== undefined && exists(visaFile)) {
            related.push({ file: visaFile, range: rangeOf({ startLine: visa.line, startColumn: visa.column }), message: "the vISA of it" });
        }
        const told = { range: place.range, severity: severityOf(result), rule: String(result.ruleId ?? ""),
            message: place.message ? `${message}\n${place.message}` : message, related };
        files.set(place.file, [...files.get(place.file) ?? [], told]);
    }
    return { files, unplaced, count };
}

module.exports = { findingsOf, mostBytes };
