// A pointer to private memory outlives its launch: that memory is gone in the next one. One to a buffer stays good.
// RUN: visor run %d/freed_private.json --check=memory
// ERR: memory access outside every allocation
// EXIT: 1
// RUN: visor run %d/freed_buffer.json --check=memory
// OUT: out = 7
// ERR: no findings
kernel void keep_private(global ulong* where, global int* out) {
    volatile int many[1024];
    for (int i = 0; i < 1024; i += 64)
        many[i] = i;
    where[0] = (ulong)(private const volatile int*)&many[64 + out[0]];
}
kernel void keep_buffer(global ulong* where, global int* out) {
    where[0] = (ulong)out;
}
kernel void use(global ulong* where, global int* out) {
    *(global int*)where[0] += 7;
}
