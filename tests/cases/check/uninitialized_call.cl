// A value that nobody wrote goes into a function and comes out of it as another one.
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:32 --check=init
// ERR: no findings
// RUN: visor run %s --options -DHALF -g 32 -l 32 -a zeros:i32:32 --check=init
// ERR: a value that nobody wrote is stored to global memory [uninitialized-store]
// ERR: at argument 0 `out` + 0x
// ERR: reads shared local memory + 0x
// EXIT: 1
// RUN: visor run %s --options -DINSIDE -g 32 -l 32 -a zeros:i32:32 --check=init
// ERR: a value that nobody wrote is stored to global memory [uninitialized-store]
// ERR: note: `last_of` read private memory + 0x
// EXIT: 1
// What calls itself stays a function.
int more(int x, int depth) {
    return depth <= 0 ? x : more(x, depth - 2) + more(1, depth - 1);
}

int last_of(int count, int depth) {
    volatile int numbers[4];
    for (int i = 0; i < count; ++i)
        numbers[i] = i;
    return depth <= 0 ? numbers[3] : last_of(count, depth - 1) + last_of(4, depth - 2);
}

kernel void uninitialized_call(global int* out) {
    local int tile[32];
    const int l = get_local_id(0);
#ifdef HALF
    if (l < 16)
#endif
        tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef INSIDE
    const int count = 3;
#else
    const int count = 4;
#endif
    out[l] = more(tile[31 - l], 1) + last_of(count, 1);
}
