// An array that is too large for registers, and an index that leaves it. Scratch memory ends behind it; private memory of a
// group is one allocation, in which the next thread's part comes next (ruling 99).
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:64 i32:0 --check=memory
// ERR: no findings
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:64 i32:1 --check=memory
// ERR: read of 4 bytes past the end of the thread's scratch memory (2097152 bytes) [out-of-bounds-read]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:64 i32:0 --check=memory
// ERR: no findings
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:64 i32:1 --check=memory
// ERR: read of 4 bytes outside the thread's private memory (2097152 bytes) [out-of-bounds-read]
// ERR: at private memory of hardware thread 1
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:64 i32:2 --check=memory
// ERR: memory access outside every allocation
// ERR: past the end of private memory of kernel `private_memory`
// EXIT: 1
kernel void private_memory(global int* out, int parts) {
    volatile int many[16384];
    const int l = get_local_id(0);
    for (int i = 0; i < 1024; i += 64)
        many[i] = i;
    const int behind = l == 0 ? parts * 16384 * 32 : 0;
    out[l] = many[64 + behind];
}
