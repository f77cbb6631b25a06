// A finding that somebody lives with, with the reason, and an entry that is stale.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:1 --check=race --suppress %d/suppressed.txt --sarif %t/found.sarif
// ERR: suppressed.txt:4: warning: nothing matches `data-race no_such_*` any more
// ERR: no findings (1 suppressed)
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:1 --check=race
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:1 --check=race --suppress %d/suppressed.cl
// ERR: an entry is a rule, a kernel and a reason
// EXIT: 1
kernel void suppressed(global int* out) {
    *out = get_global_id(0);
}
