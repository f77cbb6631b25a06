// An array that is too large for registers, and an index that leads into the private memory of another thread.
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:32 i32:0 --check=memory
// ERR: no findings
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:32 i32:1 --check=memory
// ERR: outside the thread's private memory (
// ERR: [out-of-bounds-read]
// ERR: at private memory of hardware thread 1
// EXIT: 1
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:32 i32:1000 --check=memory
// ERR: memory access outside every allocation
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void private_memory(global int* out, int blocks) {
    volatile int many[1024];
    const int l = get_local_id(0);
    for (int i = 0; i < 1024; i += 64)
        many[i] = i;
    const int behind = l == 0 ? blocks * 8 * 1024 : 0;
    out[l] = many[64 + behind];
}
