// In the place of @vscode/spdlog, which would have to be compiled: loggers that keep nothing.
"use strict";

class Logger {}
for (const name of ["trace", "debug", "info", "warn", "error", "critical", "setLevel", "getLevel", "setPattern", "clearFormatters", "flush", "drop"]) {
    /** @type {any} */ (Logger.prototype)[name] = () => 0;
}
exports.version = 11;
exports.setLevel = exports.setFlushOn = exports.shutdown = () => undefined;
exports.Logger = Logger;
exports.createRotatingLogger = exports.createAsyncRotatingLogger = async () => new Logger();
