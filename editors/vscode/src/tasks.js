// What a task of type `visor` runs. Nothing here knows of VS Code.
"use strict";

/** @typedef {{[key: string]: unknown}} Definition file, verb and arguments, as package.json has them */

// The command line after the program's name, or undefined where the definition makes none.
/** @param {Definition} definition @returns {string[]|undefined} */
function taskArguments(definition) {
    const { file, verb = "run", arguments: given = [] } = definition;
    if (typeof file !== "string" || file === "" || (verb !== "run" && verb !== "check")) {
        return undefined;
    }
    if (!Array.isArray(given) || !given.every((word) => typeof word === "string")) {
        return undefined;
    }
    // A file that looks like an option is still a file.
    return [verb, file.startsWith("-") ? `./${file}` : file, ...given];
}

// Whether a document is a launch file (docs/launch-files.md).
/** @param {string} text */
function isLaunchFile(text) {
    try {
        const content = JSON.parse(text);
        return content !== null && typeof content === "object" && content.version === 1 && Array.isArray(content.launches);
    } catch {
        return false;
    }
}

module.exports = { isLaunchFile, taskArguments };
