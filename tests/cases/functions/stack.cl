// A recursion without end runs out of its stack, not into the next thread's: both have memory of their own. Here 33280 bytes,
// of which each call takes 16.
// RUN: visor run %s -g 64 -l 64 -a zeros:i32:64
// ERR: endless.visaasm:
// ERR: error: memory access outside every allocation
// ERR: svm_block_st
// ERR: 0 bytes past the end of a hardware thread's private memory and stack, kernel `k`
// ERR: function endless, 2080 calls deep
// ERR: kernel k, group (0,0,0), hardware thread 0
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:64
// ERR: error: memory access outside every allocation
// ERR: past the end of a hardware thread's private memory and stack
// EXIT: 1

int endless(int n) {
    return n == -1 ? 0 : endless(n + 1) + 1;
}
kernel void k(global int* out) {
    out[get_global_id(0)] = endless(get_global_id(0));
}
