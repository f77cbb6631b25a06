// The debugger: what a debug configuration makes of the words of `visor debug`.
"use strict";

/**
 * @typedef {Record<string, any>} Configuration
 */

/**
 * The words behind `visor`; an error's text where the configuration cannot be understood.
 * @param {Configuration} configuration
 * @returns {string[] | string}
 */
function debugArguments(configuration) {
    const { file, arguments: given = [] } = configuration;
    if (typeof file !== "string" || file === "") {
        return "a debug configuration of type visor needs a `file`";
    }
    if (!Array.isArray(given) || !given.every((one) => typeof one === "string")) {
        return "`arguments` of a debug configuration of type visor is a list of texts";
    }
    return ["debug", "--dap", file, ...given];
}

module.exports = { debugArguments };
