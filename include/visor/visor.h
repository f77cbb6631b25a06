/* Visor's C API: everything that the `visor` program can do, as calls over opaque handles.
 *
 * Status     Every function that can fail returns a visor_status; visor_message() then has the words for it.
 *            No argument, however wrong, ends the process; no exception leaves a call.
 * Handles    A handle is a number in the clothes of a pointer: it is looked up and never followed. NULL, a
 *            released handle and one of another kind are refused with VISOR_ERROR_HANDLE. A released handle
 *            is not given out again. Each handle that a call hands out belongs to the caller, who gives it
 *            back with the release call of its kind. Objects keep what they need alive: a context may be
 *            released before its buffers.
 * Strings    are UTF-8 and end with a zero byte. A string that a call hands out belongs to the object it was
 *            asked of and lives until that is released; those of the library itself live for ever.
 * Sizes      are in bytes, times in seconds, coordinates in work-items, unless a comment says otherwise.
 * Structs    that begin with `size` are versioned: set it to sizeof the struct, and everything else that you
 *            do not use to zero. Zero is the default of every member. Out-structs are filled up to `size`.
 * Threads    Any thread may call anything at any time. Calls that touch a context's memory or run a kernel
 *            take turns, in the order in which they came, launches that were started among them; so a call
 *            may wait for the launches before it. Calls on different contexts do not wait for each other.
 * Numbers    An enumeration travels as int32_t, so that a wrong one can be told.
 * Callbacks  run on the thread that runs the launch. Out of a watch or trace callback, calls that would have
 *            to take a turn on the same context are refused with VISOR_ERROR_BUSY.
 */
#ifndef VISOR_VISOR_H
#define VISOR_VISOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; visor_version() is the library's. The first number changes when programs that
 * were built against an older header do not run any more, and the library's soname with it. */
#define VISOR_VERSION_MAJOR 0
#define VISOR_VERSION_MINOR 2
#define VISOR_VERSION_PATCH 0

typedef enum visor_status {
    VISOR_OK = 0,
    VISOR_ERROR_ARGUMENT = 1, /* a NULL where none may be, a number out of range, sizes that do not fit */
    VISOR_ERROR_HANDLE = 2,   /* NULL, released, or of another kind */
    VISOR_ERROR_INPUT = 3,    /* a program that does not build, or a launch that does not suit the kernel */
    VISOR_ERROR_UNSUPPORTED = 4,   /* Visor does not do this; nothing is wrong with what was given */
    VISOR_ERROR_COMPILER = 5,      /* the outside compiler is missing or crashed */
    VISOR_ERROR_LIMIT = 6,         /* fuel or time is spent */
    VISOR_ERROR_FAULT = 7,         /* the kernel did what it must not; visor_launch_fault() tells more */
    VISOR_ERROR_STOPPED = 8,       /* the caller stopped the launch */
    VISOR_ERROR_MEMORY = 9,        /* of the host or of the device */
    VISOR_ERROR_BUSY = 10,         /* not from inside a callback, or not before the launch is over */
    VISOR_ERROR_INTERNAL = 11,     /* a mistake of Visor's */
    VISOR_NOT_READY = 12,          /* visor_launch_wait: the time is over, the launch is not */
    VISOR_STATUS_ROOM = 0x7fffffff /* none: statuses of later versions fit */
} visor_status;

typedef struct visor_context_handle* visor_context;         /* device memory and settings */
typedef struct visor_program_handle* visor_program;         /* a loaded file */
typedef struct visor_kernel_handle* visor_kernel;           /* a kernel of it */
typedef struct visor_buffer_handle* visor_buffer;           /* device memory */
typedef struct visor_image_handle* visor_image;             /* pixels in device memory */
typedef struct visor_sampler_handle* visor_sampler;         /* how an image is read */
typedef struct visor_launch_handle* visor_launch;           /* a launch and what came of it */
typedef struct visor_diagnostics_handle* visor_diagnostics; /* messages about an input */
typedef struct visor_bytes_handle* visor_bytes;             /* text or a binary that a call made */

/* ---- the library ---- */

const char* visor_version(void); /* as "1.2.3" */
/* "ok", "fault" ...; "unknown" of a number that is no status. */
const char* visor_status_name(visor_status status);
/* Why the last call of this thread that failed did so: sentences for people, several lines for faults and
 * build errors. "" when none failed. Lives until the next call of this thread that fails. */
const char* visor_message(void);

typedef struct visor_library_info {
    size_t size;
    const char* version;
    const char* compiler; /* the OpenCL compiler at hand; "" = none: OpenCL C and SPIR-V cannot be loaded */
    const char* cache_folder; /* where compiled programs are kept; VISOR_CACHE_DIR chooses it */
    int32_t has_jit;
    int32_t device_count;
} visor_library_info;
visor_status visor_library(visor_library_info* info);

typedef struct visor_device_info {
    size_t size;
    const char* name; /* what visor_context_options takes */
    const char* description;
    uint32_t grf_bytes;
    uint32_t slm_bytes;         /* of a work-group, at most */
    uint32_t max_group_size;    /* work-items, at most */
    uint32_t max_group_threads; /* hardware threads of a work-group, at most */
    int32_t int64;              /* native */
    int32_t fp64;
    int32_t lsc;      /* has the LSC messages */
    int32_t compiles; /* the outside compiler knows it */
    int32_t executes; /* Visor runs its code */
} visor_device_info;
visor_status visor_device(uint32_t index, visor_device_info* info);
/* The device of a file that nobody names one for: what it names itself (a zebin, text with launch metadata),
 * the oldest that has what vISA written by hand uses, else "skl". `name` as in visor_program_create. */
visor_status visor_find_device(const char* name, const void* content, size_t bytes, const char** device);

/* Bytes that a call made; text has a zero byte behind its end that `count` leaves out. */
visor_status visor_bytes_get(visor_bytes bytes, const void** data, size_t* count);
visor_status visor_bytes_release(visor_bytes bytes);

/* ---- contexts ---- */

typedef enum visor_engine {
    VISOR_ENGINE_AUTO = 0,
    VISOR_ENGINE_INTERPRETER = 1,
    VISOR_ENGINE_JIT = 2
} visor_engine;

/* What a launch obeys. A context has one for all its launches, and a launch may bring its own. */
typedef struct visor_settings {
    size_t size;
    int32_t engine;   /* a visor_engine */
    uint32_t threads; /* CPU threads over work-groups, up to 1024; 0 and 1: one, same order always */
    uint64_t seed;    /* another order of threads and lanes; 0: the plain one */
    uint64_t fuel;    /* instructions of a hardware thread; 0: 1 000 000 000; UINT64_MAX: no limit */
    double timeout;   /* of a launch; 0: none */
} visor_settings;

typedef enum visor_severity {
    VISOR_NOTE = 0,
    VISOR_WARNING = 1,
    VISOR_ERROR = 2,
    VISOR_UNSUPPORTED = 3
} visor_severity;

typedef struct visor_context_options {
    size_t size;
    const char* device;             /* NULL: of each program what visor_find_device says */
    const visor_settings* settings; /* NULL: defaults */
    uint64_t memory_limit;          /* of all buffers and images; 0: none */
    /* Warnings of the compiler and the checker, and a note on a device that was found by what a program uses,
     * ready to print; called during visor_program_create. */
    void (*message)(void* user, visor_severity severity, const char* text);
    void* message_user;
    /* What kernels printed, when the launch is over; not for what visor_launch_output hands out as well. */
    void (*printf_sink)(void* user, const char* text, size_t count);
    void* printf_user;
} visor_context_options;

visor_status visor_context_create(const visor_context_options* options, visor_context* context);
visor_status visor_context_release(visor_context context);

typedef struct visor_memory_info {
    size_t size;
    uint64_t allocations; /* live ones, of every kind */
    uint64_t bytes;       /* in them */
    uint64_t reserved;    /* address space */
} visor_memory_info;
visor_status visor_context_memory(visor_context context, visor_memory_info* info);

/* ---- programs and kernels ---- */

/* Text in the place of a compiled kernel's own. */
typedef struct visor_kernel_text {
    const char* kernel;
    const char* name; /* what messages call it; NULL: the kernel's name */
    const void* text;
    size_t bytes;
} visor_kernel_text;

typedef struct visor_program_options {
    size_t size;
    const char* compiler_options; /* "-cl-std=CL2.0 -DN=4" */
    const char* const* include_folders;
    size_t include_folder_count;
    const visor_kernel_text* texts;
    size_t text_count;
    int32_t source_lines; /* ask the compiler which source line each instruction comes from */
    int32_t no_cache;     /* compile even if that was done before */
    double time_limit;    /* of the compiler, seconds of CPU time; 0: 60 */
    const char* compiler; /* a version ("2.40") or a folder; NULL or "": $VISOR_COMPILER, else the newest that
                             knows the device */
} visor_program_options;

/* Loads OpenCL C, SPIR-V, a zebin, vISA text or a vISA binary: by its content, then by the ending of `name`,
 * which is also what messages call it. The bytes are copied. `diagnostics` may be NULL; else it is given the
 * messages about the input, also when there is no program. */
visor_status visor_program_create(visor_context context, const char* name, const void* content, size_t bytes,
                                  const visor_program_options* options, visor_program* program,
                                  visor_diagnostics* diagnostics);
visor_status visor_program_release(visor_program program);
visor_status visor_program_kernel_count(visor_program program, uint32_t* count);
visor_status visor_program_kernel_name(visor_program program, uint32_t index, const char** name);

/* `name` NULL or "": the only one. */
visor_status visor_kernel_create(visor_program program, const char* name, visor_kernel* kernel);
visor_status visor_kernel_release(visor_kernel kernel);

typedef struct visor_kernel_info {
    size_t size;
    const char* name;
    const char* signature; /* "saxpy(float* y, float* x, float a, int n)" */
    int32_t hand_written;  /* vISA text or binary without a compiler's metadata */
    uint32_t simd;         /* 0: a hand-written kernel does not say */
    uint32_t slm_bytes;
    uint32_t required_group_size[3]; /* zeros: none */
    uint32_t instructions;
    uint32_t parameter_count;
} visor_kernel_info;
visor_status visor_kernel_facts(visor_kernel kernel, visor_kernel_info* info);

typedef enum visor_parameter_kind {
    VISOR_PARAMETER_VALUE = 0,
    VISOR_PARAMETER_BUFFER = 1,
    VISOR_PARAMETER_LOCAL = 2, /* shared local memory */
    VISOR_PARAMETER_IMAGE = 3,
    VISOR_PARAMETER_SAMPLER = 4,
    VISOR_PARAMETER_VARIABLE = 5,     /* hand-written: a general variable */
    VISOR_PARAMETER_SURFACE = 6,      /* hand-written: a surface variable */
    VISOR_PARAMETER_STATE_SAMPLER = 7 /* hand-written: a sampler variable */
} visor_parameter_kind;

typedef struct visor_parameter_info {
    size_t size;
    const char* name;      /* "" when the compiler left none */
    const char* type_name; /* "float*", "int4"; the vISA type of a variable */
    const char* element;   /* vISA type of an element, "f"; "" = struct or opaque */
    const char* access;    /* of an image: "read_only" ...; else "" */
    int32_t kind;          /* a visor_parameter_kind */
    int32_t optional;      /* may be left out, and is then only set by name */
    uint32_t bytes;        /* of a value or variable */
    uint32_t elements;     /* of a vector value or variable */
} visor_parameter_info;
visor_status visor_kernel_parameter(visor_kernel kernel, uint32_t index, visor_parameter_info* info);

/* What of the kernel's code Visor does not execute, a line each; empty when all of it is. */
visor_status visor_kernel_not_executed(visor_kernel kernel, visor_bytes* lines);

/* ---- memory ---- */

/* Device memory of `bytes` (at least 1), with a copy of what `content` has, or zeros when it is NULL. */
visor_status visor_buffer_create(visor_context context, size_t bytes, const void* content,
                                 visor_buffer* buffer);
/* A launch that was started and uses the buffer keeps its memory until it is over. */
visor_status visor_buffer_release(visor_buffer buffer);
visor_status visor_buffer_size(visor_buffer buffer, size_t* bytes);
visor_status visor_buffer_read(visor_buffer buffer, size_t offset, size_t bytes, void* into);
visor_status visor_buffer_write(visor_buffer buffer, size_t offset, size_t bytes, const void* from);
/* The memory itself, without a copy: good until the buffer is released. Waits for the launches before it; the
 * caller keeps away from the memory while a launch that uses it runs. */
visor_status visor_buffer_map(visor_buffer buffer, void** memory);
/* What a kernel sees as the address; for pointers inside of arrays and structs. */
visor_status visor_buffer_address(visor_buffer buffer, uint64_t* address);

typedef enum visor_image_shape {
    VISOR_IMAGE_1D = 0,
    VISOR_IMAGE_1D_BUFFER = 1,
    VISOR_IMAGE_1D_ARRAY = 2,
    VISOR_IMAGE_2D = 3,
    VISOR_IMAGE_2D_ARRAY = 4,
    VISOR_IMAGE_3D = 5
} visor_image_shape;

typedef struct visor_image_options {
    size_t size;
    const char* format; /* as the command line spells it: "rgba8", "r32f", "bgra8", "rgba16i" ... */
    int32_t shape;      /* a visor_image_shape */
    uint32_t width;     /* pixels */
    uint32_t height;    /* 0: 1 */
    uint32_t depth;     /* 0: 1 */
    uint32_t layers;    /* of an array; 0: 1 */
} visor_image_options;

/* Pixels lie row by row without gaps. `pixels` NULL: zeros. */
visor_status visor_image_create(visor_context context, const visor_image_options* options, const void* pixels,
                                visor_image* image);
visor_status visor_image_release(visor_image image);
visor_status visor_image_size(visor_image image, size_t* bytes);
/* All pixels; `bytes` is what visor_image_size says. */
visor_status visor_image_read(visor_image image, size_t bytes, void* into);
visor_status visor_image_write(visor_image image, size_t bytes, const void* from);

typedef enum visor_address_mode {
    VISOR_ADDRESS_NONE = 0,
    VISOR_ADDRESS_CLAMP = 1,
    VISOR_ADDRESS_CLAMP_TO_EDGE = 2,
    VISOR_ADDRESS_REPEAT = 3,
    VISOR_ADDRESS_MIRRORED_REPEAT = 4
} visor_address_mode;
typedef enum visor_filter { VISOR_FILTER_NEAREST = 0, VISOR_FILTER_LINEAR = 1 } visor_filter;
typedef enum visor_comparison { /* of comparing messages in hand-written kernels */
                                VISOR_COMPARE_NEVER = 0,
                                VISOR_COMPARE_LESS = 1,
                                VISOR_COMPARE_EQUAL = 2,
                                VISOR_COMPARE_LESS_OR_EQUAL = 3,
                                VISOR_COMPARE_GREATER = 4,
                                VISOR_COMPARE_NOT_EQUAL = 5,
                                VISOR_COMPARE_GREATER_OR_EQUAL = 6,
                                VISOR_COMPARE_ALWAYS = 7
} visor_comparison;

typedef struct visor_sampler_options {
    size_t size;
    int32_t address;    /* a visor_address_mode */
    int32_t filter;     /* a visor_filter */
    int32_t normalized; /* coordinates from 0 to 1 */
    int32_t comparison; /* a visor_comparison */
} visor_sampler_options;
visor_status visor_sampler_create(visor_context context, const visor_sampler_options* options,
                                  visor_sampler* sampler);
visor_status visor_sampler_release(visor_sampler sampler);

/* ---- launches ---- */

typedef enum visor_argument_kind {
    VISOR_ARGUMENT_BYTES = 0,   /* `data` and `bytes`: a value, or what fills a variable */
    VISOR_ARGUMENT_BUFFER = 1,  /* `buffer`; NULL: a null pointer */
    VISOR_ARGUMENT_LOCAL = 2,   /* `bytes` of shared local memory */
    VISOR_ARGUMENT_IMAGE = 3,   /* `image` */
    VISOR_ARGUMENT_SAMPLER = 4, /* `sampler` */
    VISOR_ARGUMENT_FILLER = 5   /* `filler`: a hand-written kernel's ids */
} visor_argument_kind;

typedef enum visor_target {
    VISOR_TARGET_NEXT = 0,         /* the next parameter that nothing names */
    VISOR_TARGET_NAME = 1,         /* `name` */
    VISOR_TARGET_INDEX = 2,        /* `index` among the parameters */
    VISOR_TARGET_BTI = 3,          /* hand-written: the surface of binding-table index `index`, 0 to 239 */
    VISOR_TARGET_SAMPLER_INDEX = 4 /* hand-written: the sampler of sampler index `index`, 0 to 15 */
} visor_target;

typedef enum visor_filler {
    VISOR_FILLER_LOCAL_ID_X = 0,
    VISOR_FILLER_LOCAL_ID_Y = 1,
    VISOR_FILLER_LOCAL_ID_Z = 2,
    VISOR_FILLER_LANE = 3,  /* the channel's number */
    VISOR_FILLER_THREAD = 4 /* number of the hardware thread in its group */
} visor_filler;

typedef struct visor_argument {
    int32_t kind;   /* a visor_argument_kind */
    int32_t target; /* a visor_target */
    const char* name;
    uint32_t index;
    int32_t filler; /* a visor_filler */
    const void* data;
    size_t bytes;
    visor_buffer buffer;
    visor_image image;
    visor_sampler sampler;
} visor_argument;

typedef struct visor_shape {
    size_t size;
    uint32_t dimensions; /* 1 to 3; 0: counted in hardware threads, `groups` and `hw_threads` */
    uint64_t global[3];  /* work-items; only the first `dimensions` count */
    uint32_t local[3];   /* zeros: the required size, else a sensible choice */
    uint64_t offset[3];
    /* Hand-written kernels only. */
    uint32_t groups[3];  /* zeros: 1 */
    uint32_t hw_threads; /* of a work-group; 0: 1 */
    uint32_t simd;       /* 8, 16 or 32; 0: the kernel's attribute */
    uint32_t slm_bytes;  /* 0: the kernel's attribute */
    /* A part of the work-groups only, by linear number; group_count 0: all from first_group on. */
    uint64_t first_group;
    uint64_t group_count;
} visor_shape;

/* Which checkers watch; findings end in visor_launch_finding. A watched launch runs in the interpreter. */
enum {
    VISOR_CHECK_MEMORY = 1,
    VISOR_CHECK_INIT = 2,
    VISOR_CHECK_RACE = 4,
    VISOR_CHECK_CONFLICT = 8,
    VISOR_CHECK_ALIGN = 16,
    VISOR_CHECK_SYNC = 32,
    VISOR_CHECK_ARITH = 64,
    VISOR_CHECK_ALL = 127
};

typedef struct visor_instruction_event {
    uint32_t group[3];
    uint32_t thread; /* in its group */
    uint32_t index;  /* of the instruction in its function's code */
    uint32_t lanes;  /* bit 0: its first lane */
    const char* mnemonic;
} visor_instruction_event;

typedef enum visor_space {
    VISOR_SPACE_FLAT = 0,
    VISOR_SPACE_SURFACE = 1,
    VISOR_SPACE_SLM = 2,
    VISOR_SPACE_SCRATCH = 3
} visor_space;
typedef enum visor_access {
    VISOR_ACCESS_READ = 0,
    VISOR_ACCESS_WRITE = 1,
    VISOR_ACCESS_ATOMIC = 2
} visor_access;

typedef struct visor_memory_event {
    uint32_t group[3];
    uint32_t thread;
    uint32_t index;
    uint32_t lanes;   /* that asked */
    uint32_t dropped; /* of these, out of bounds */
    int32_t space;    /* a visor_space */
    int32_t access;   /* a visor_access */
    uint32_t surface; /* binding-table index; VISOR_SPACE_SURFACE only */
    uint32_t bytes;   /* of a lane */
    uint32_t address_count;
    const uint64_t* addresses; /* by lane: flat address, or offset in the surface; good during the call */
} visor_memory_event;

/* Listeners. One that returns anything but 0 stops the launch. Any of them may be NULL. */
typedef struct visor_watch {
    size_t size;
    void* user;
    int (*instruction)(void* user, const visor_instruction_event* event); /* before it runs */
    int (*memory)(void* user, const visor_memory_event* event);
    /* JSON, one object a line for every instruction, whole lines (docs/json.md). */
    int (*trace)(void* user, const char* lines, size_t bytes);
    uint32_t trace_lanes; /* only these channels; 0: all */
    int32_t one_group;    /* trace only group `trace_group`, by its linear number */
    uint64_t trace_group;
} visor_watch;

/* A register of a hardware thread at its end. */
typedef struct visor_register_request {
    const char* name; /* "V33", "P1" */
    uint64_t group;   /* linear number */
    uint32_t thread;
} visor_register_request;

/* Who debugs a launch (docs/debugging.md). */
typedef enum visor_debugger {
    VISOR_DEBUGGER_NONE = 0,
    VISOR_DEBUGGER_PROMPT = 1, /* lines of text */
    VISOR_DEBUGGER_DAP = 2,    /* the Debug Adapter Protocol */
    VISOR_DEBUGGER_GDB = 3     /* gdb's remote protocol */
} visor_debugger;

typedef struct visor_launch_options {
    size_t size;
    const visor_settings* settings; /* NULL: those of the context */
    uint32_t checks;                /* VISOR_CHECK_... */
    int32_t count;                  /* fill visor_counters */
    const char* suppressions;       /* findings to leave out: lines of rule, kernel and reason */
    const visor_watch* watch;
    const visor_register_request* registers;
    size_t register_count;
    /* Told of the launch when it is about to run, without a turn: for whoever is to stop it while
     * visor_launch_run is busy. The handle is the one that the call gives back: NULL when it gives none. */
    void (*began)(void* user, visor_launch launch);
    void* began_user;
    int32_t costs; /* for visor_launch_costs: the interpreter runs the launch */
    /* A folder: the launch is written into it as one that visor_file_run launches again, Enqueue_N_KERNEL
     * with N from 0 on in this process (docs/capture.md). VISOR_ERROR_INPUT when that cannot be written; one
     * that is there already is not written over. NULL: none. */
    const char* capture;
    /* A visor_debugger: the launch waits for the first client of a port of the loopback, and runs on the
     * interpreter under it. Port 0: a prompt at the process's standard streams; the other two need a port. A
     * client that ends the launch has it end with VISOR_ERROR_STOPPED; one that vanishes lets it go on. */
    int32_t debugger;
    uint32_t debugger_port;
    int32_t debugger_stop_at_end; /* stop when the launch has ended, to go back from there */
    uint32_t debugger_history;    /* MiB of moments to go back to; 0: 512 */
} visor_launch_options;

/* Runs the kernel to its end. The status is the launch's: OK, or why it ended early. `launch` may be NULL;
 * else it is given what came of it, also of a launch that ended early; NULL when it could not begin.
 * Everything that the arguments point to is read before the call returns. */
visor_status visor_launch_run(visor_kernel kernel, const visor_argument* arguments, size_t argument_count,
                              const visor_shape* shape, const visor_launch_options* options,
                              visor_launch* launch);
/* Begins it and returns; what is wrong with the arguments is told at once or by visor_launch_wait. Launches
 * of a context run one after the other. What `options->watch` points to has to live until the launch is over.
 */
visor_status visor_launch_start(visor_kernel kernel, const visor_argument* arguments, size_t argument_count,
                                const visor_shape* shape, const visor_launch_options* options,
                                visor_launch* launch);
/* The launch's status when it is over, VISOR_NOT_READY when `seconds` are; negative: no limit. Not a number
 * is refused. Out of a callback of the same context: VISOR_ERROR_BUSY. */
visor_status visor_launch_wait(visor_launch launch, double seconds);
/* Ends it early, as a fault of kind "stopped"; it is not over when the call returns. */
visor_status visor_launch_stop(visor_launch launch);
/* A launch that runs goes on; its results are gone. */
visor_status visor_launch_release(visor_launch launch);

/* What follows is refused with VISOR_ERROR_BUSY until the launch is over. */

typedef struct visor_report {
    size_t size;
    int32_t status;    /* a visor_status */
    int32_t native;    /* the JIT's code ran */
    uint32_t local[3]; /* work-items */
    uint64_t groups[3];
    uint64_t work_groups; /* finished */
    uint64_t hardware_threads;
    uint64_t instructions;
    double prepare_seconds;
    double run_seconds;
    const char* message;        /* as visor_message(); "" of a launch that ended well */
    const char* fidelity;       /* "exact" ...: the worst of the kernel's instructions */
    const char* fidelity_names; /* which have it: "sin, inv"; "" when all are exact */
    const char* engine_story;   /* what the JIT has to tell, or why it did not run */
    uint32_t finding_count;
    uint32_t suppressed_count; /* findings that were left out */
    uint32_t register_count;
} visor_report;
visor_status visor_launch_report(visor_launch launch, visor_report* report);

/* What the kernel printed. */
visor_status visor_launch_output(visor_launch launch, const char** text, size_t* count);

typedef struct visor_fault {
    size_t size;
    const char* kind; /* "none", "out_of_bounds", "fuel" ... (docs/json.md) */
    const char* detail;
    const char* function;    /* "": the kernel itself */
    const char* source_file; /* "": not known */
    uint32_t source_line;
    uint32_t group[3];
    uint32_t thread;
    int32_t lane; /* -1: no single one */
    uint32_t instruction;
    uint32_t bytes;
    uint64_t address;
} visor_fault;
visor_status visor_launch_fault(visor_launch launch, visor_fault* fault);

typedef struct visor_counters {
    size_t size;
    uint64_t instructions;
    uint64_t lane_instructions; /* each as often as it had lanes */
    uint64_t reads;             /* messages */
    uint64_t writes;
    uint64_t atomics;
    uint64_t bytes_read;
    uint64_t bytes_written; /* atomics among them */
    uint64_t lanes_dropped; /* out of bounds of a surface */
    uint64_t barriers;      /* arrivals of threads */
    uint64_t fences;
} visor_counters;
/* VISOR_ERROR_ARGUMENT when options->count was 0. */
/* What the launch cost, with `costs` of the options: by line as "callgrind", stacks for flame graphs as
 * "collapsed", lines that ran as "lcov", Chrome's trace events as "timeline", HTML as "page". */
visor_status visor_launch_costs(visor_launch launch, const char* format, visor_bytes* text);
visor_status visor_launch_counters(visor_launch launch, visor_counters* counters);

typedef struct visor_party {
    uint32_t group[3];
    uint32_t thread;
    int32_t lane;
    uint32_t instruction;
    const char* doing; /* "writes 4 bytes" */
    const char* file;  /* of the vISA text */
    uint32_t line;
    uint32_t column;
    const char* source_file; /* "": not known */
    uint32_t source_line;
} visor_party;

typedef struct visor_finding {
    size_t size;
    const char* checker; /* "race" */
    const char* rule;    /* "data-race" */
    const char* message;
    const char* place;  /* "arg 1 `out` + 0x7c"; "": no memory is meant */
    const char* kernel; /* the function it was found in */
    const char* text;   /* all of it, ready to print */
    int32_t severity;   /* VISOR_ERROR, or VISOR_NOTE: no fault of the kernel */
    int32_t has_other;
    uint64_t count; /* how often */
    visor_party party;
    visor_party other; /* of a conflict */
} visor_finding;
visor_status visor_launch_finding(visor_launch launch, uint32_t index, visor_finding* finding);
/* All findings as SARIF 2.1.0. */
visor_status visor_launch_sarif(visor_launch launch, visor_bytes* sarif);

typedef struct visor_register {
    size_t size;
    const char* name;
    const char* type; /* of a general variable; else "" */
    const void* data; /* of a general variable */
    size_t bytes;
    int32_t found;        /* the launch had that thread */
    int32_t used;         /* 0: the kernel never touches it, so it has no value */
    const char* elements; /* of every kind, as text, with blanks between */
} visor_register;
visor_status visor_launch_register(visor_launch launch, uint32_t index, visor_register* found);

/* ---- launch files ---- */

typedef struct visor_file_options {
    size_t size;
    const char* device;             /* NULL: what the file says, else "skl" */
    const char* compiler_options;   /* behind the file's own */
    const visor_settings* settings; /* NULL: defaults; the timeout is for all launches together */
    uint32_t checks;                /* VISOR_CHECK_... */
    /* Files: findings to leave out; findings as SARIF, and a trace, to be written. NULL: none. */
    const char* suppressions;
    const char* sarif;
    const char* trace;
    const visor_register_request* registers; /* of every launch */
    size_t register_count;
    /* A folder, new or empty, for launches to be written into (docs/capture.md); which ones: "KERNEL",
     * "KERNEL:N", "KERNEL:N..M", ":N..M", with commas; MiB that all of them may take. NULL and 0: none, all,
     * 4096. */
    const char* capture;
    const char* capture_launches;
    uint64_t capture_limit;
} visor_file_options;
/* Does what a launch file says (docs/launch-files.md) in a context of its own: runs its launches, writes the
 * files that it names, and compares. OK when all of it went well and every expectation was met; findings are
 * VISOR_ERROR_FAULT, a mismatch and what is wrong with the file VISOR_ERROR_INPUT. `report` may be NULL; else
 * it is given what came of it as JSON (docs/json.md), unless `path` or `options` cannot be at all. */
visor_status visor_file_run(const char* path, const visor_file_options* options, visor_bytes* report);

#ifdef __cplusplus
}
#endif

#include <visor/code.h> /* the rest of it */

#endif
