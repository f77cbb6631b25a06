/* The part of Visor's C API that needs no context: checking, assembling, disassembling and compiling code,
 * the messages about it, and the instruction reference. visor.h includes this header and says what holds for
 * every call.
 */
#ifndef VISOR_CODE_H
#define VISOR_CODE_H

#include <visor/visor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- code, without running it ---- */

typedef enum visor_profile {
    VISOR_PROFILE_AUTO = 0, /* IGC for what a compiler wrote, else SPEC */
    VISOR_PROFILE_SPEC = 1, /* refuses what the pages forbid */
    VISOR_PROFILE_IGC = 2   /* refuses what the compiler refuses */
} visor_profile;

typedef struct visor_code_options {
    size_t size;
    const char* device; /* NULL: the file's own, else "any"; "any": no availability is checked */
    const char* compiler_options;
    const char* const* include_folders; /* visor_compile only */
    size_t include_folder_count;
    int32_t profile;      /* visor_check: a visor_profile */
    int32_t snippet;      /* visor_check: a fragment, .decl lines and then instructions */
    int32_t werror;       /* visor_check: warnings are errors */
    uint32_t max_errors;  /* visor_check: of each kernel; 0: 100; UINT32_MAX: all */
    const char* kernel;   /* visor_compile to text: this one only; NULL: all */
    const char* compiler; /* as visor_program_options has it, also below */
    double time_limit;    /* visor_compile */
    uint32_t runs;        /* visor_diff: 0: by meaning; else by so many runs of each kernel on drawn inputs */
} visor_code_options;

/* Messages about vISA, a zebin, SPIR-V or OpenCL C, as data. OK also when there are errors among them; what
 * cannot be read at all is an error of the call. */
visor_status visor_check(const char* name, const void* content, size_t bytes,
                         const visor_code_options* options, visor_diagnostics* diagnostics);
/* vISA text to a binary (.isa). `diagnostics` may be NULL, also below. */
visor_status visor_assemble(const char* name, const void* text, size_t bytes,
                            const visor_code_options* options, visor_bytes* binary,
                            visor_diagnostics* diagnostics);
/* A binary, a zebin, SPIR-V or OpenCL C to vISA text. */
visor_status visor_disassemble(const char* name, const void* content, size_t bytes,
                               const visor_code_options* options, visor_bytes* text,
                               visor_diagnostics* diagnostics);
typedef enum visor_emit { VISOR_EMIT_ZEBIN = 0, VISOR_EMIT_SPIRV = 1, VISOR_EMIT_VISA_TEXT = 2 } visor_emit;
/* OpenCL C or SPIR-V through the real compiler; `emit` is a visor_emit. `log` may be NULL: its warnings. */
visor_status visor_compile(const char* name, const void* content, size_t bytes, int32_t emit,
                           const visor_code_options* options, visor_bytes* output, visor_bytes* log);

typedef enum visor_answer { VISOR_BORING = 0, VISOR_INTERESTING = 1, VISOR_STOP = 2 } visor_answer;
/* What decides on a smaller text of `bytes` bytes; returns a visor_answer. Runs on the thread that calls
 * visor_reduce, and may call Visor. */
typedef int32_t (*visor_interesting)(void* user, const char* text, size_t bytes);
typedef struct visor_reduction {
    size_t size;
    uint64_t lines;   /* of the result */
    uint64_t tests;   /* texts that `interesting` was shown */
    uint64_t kept;    /* of those, the interesting ones */
    uint64_t invalid; /* texts that it was not shown: vISA refuses them */
    int32_t complete; /* 0: stopped before nothing could be made smaller any more */
} visor_reduction;
/* Makes vISA text smaller as long as `interesting` says so; of `options` the device counts. A text that it
 * does not find interesting as it is: VISOR_ERROR_INVALID. VISOR_STOP gives the smallest text so far.
 * `counts` may be NULL. */
visor_status visor_reduce(const char* name, const void* text, size_t bytes, const visor_code_options* options,
                          visor_interesting interesting, void* user, visor_bytes* reduced,
                          visor_reduction* counts);

/* Compares two files by meaning, whatever each is that holds vISA: `equal` becomes 1 or 0, `json` what
 * `visor diff --json` prints (docs/json.md), with up to `most` differences of each function (0: 10). Of
 * `options` the device and those for the compiler count; `kernel` NULL or "": all. `json` may be NULL. */
visor_status visor_diff(const char* first_name, const void* first, size_t first_bytes,
                        const char* second_name, const void* second, size_t second_bytes,
                        const visor_code_options* options, const char* kernel, uint32_t most, int32_t* equal,
                        visor_bytes* json);

typedef struct visor_diagnostic {
    size_t size;
    int32_t severity; /* a visor_severity */
    int32_t located;  /* 0: about the input as a whole */
    const char* file;
    const char* rule; /* "undeclared-variable" */
    const char* message;
    const char* explanation; /* what the rule asks for; "" when it has no page */
    const char* page;
    uint32_t offset; /* bytes from the start of the input */
    uint32_t length;
    uint32_t line; /* from 1; 0 of a binary */
    uint32_t column;
    uint32_t note_count;
} visor_diagnostic;
visor_status visor_diagnostics_count(visor_diagnostics diagnostics, uint32_t* count);
visor_status visor_diagnostics_get(visor_diagnostics diagnostics, uint32_t index,
                                   visor_diagnostic* diagnostic);
/* A note has no rule and no notes of its own. */
visor_status visor_diagnostics_note(visor_diagnostics diagnostics, uint32_t index, uint32_t note,
                                    visor_diagnostic* diagnostic);
/* All of them, with source lines and carets. */
visor_status visor_diagnostics_text(visor_diagnostics diagnostics, const char** text);
visor_status visor_diagnostics_release(visor_diagnostics diagnostics);

/* ---- the instruction reference ---- */

visor_status visor_isa_count(uint32_t* count);
typedef struct visor_isa_entry {
    size_t size;
    const char* name; /* what visor_isa_page takes */
    const char* mnemonic;
    const char* family;
    const char* fidelity;    /* how near Visor's results are to the page's */
    const char* unsupported; /* why it is not executed; "" when it is */
    int32_t has_binary;      /* has a place in binaries */
    uint32_t opcode;
} visor_isa_entry;
visor_status visor_isa_get(uint32_t index, visor_isa_entry* entry);
/* The instruction's page, at most 80 columns; its name may have suffixes. */
visor_status visor_isa_page(const char* name, visor_bytes* page);
typedef enum visor_isa_table {
    VISOR_ISA_REFERENCE = 0, /* everything the rows state */
    VISOR_ISA_COVERAGE = 1,  /* what Visor does with each instruction */
    VISOR_ISA_FIDELITY = 2
} visor_isa_table;
/* As JSON (docs/json.md); `table` is a visor_isa_table. `name` NULL: all; only the reference can be asked for
 * one. */
visor_status visor_isa_json(int32_t table, const char* name, visor_bytes* json);

#ifdef __cplusplus
}
#endif

#endif
