// An index so far off that it leads into the next buffer: no fault, and not what was meant. A pointer that is chosen between
// two buffers belongs to both.
// RUN: visor run %s --device pvc -g 32 -l 32 -a zeros:i32:32 zeros:i32:32 i32:0 --check=memory
// ERR: no findings
// RUN: visor run %s --device pvc -g 32 -l 32 -a zeros:i32:32 zeros:i32:32 i32:2048 --check=memory
// ERR: write of 4 bytes with an address made of argument 0 `near`, which lies elsewhere [other-allocation]
// ERR: at argument 1 `far` + 0x0
// ERR: 8064 bytes past the end of argument 0 `near` (128 bytes)
// EXIT: 1
// RUN: visor run %s --device pvc --options -DBACK -g 32 -l 32 -a zeros:i32:32 zeros:i32:32 i32:2048 --check=memory
// ERR: read of 4 bytes with an address made of argument 1 `far`, which lies elsewhere [other-allocation]
// ERR: at argument 0 `near` + 0x0
// ERR: 8192 bytes before the start of argument 1 `far` (128 bytes)
// EXIT: 1
// RUN: visor run %s --device pvc --options -DEITHER -g 32 -l 32 -a zeros:i32:32 zeros:i32:32 i32:7 --check=memory
// ERR: no findings
kernel void other_allocation(global int* near, global int* far, int offset) {
    const int i = get_global_id(0);
#if defined(EITHER)
    global int* chosen = i < offset ? near : far;
    chosen[i] = i;
#elif defined(BACK)
    near[i] = far[i - offset];
#else
    near[i + offset] = far[i];
#endif
}
