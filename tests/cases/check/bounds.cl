// One element too many: the device drops the write in silence.
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:32 --check=memory
// ERR: no findings
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:31 --check=memory
// ERR: write of 4 bytes past the end of argument 0 `out` (124 bytes) [out-of-bounds-write]
// ERR: at argument 0 `out` + 0x7c
// ERR: lane
// EXIT: 1
kernel void bounds(global int* out) {
    out[get_global_id(0)] = 1;
}
