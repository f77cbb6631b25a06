// Locks that others make: C11 atomics with acquire and release, and the compiler's own around 64-bit atomics, which
// skl does not have in shared local memory.
// RUN: visor run %s -k ordered --options -cl-std=CL2.0 -g 128 -l 64 -a zeros:i32:2 --check=race,sync --device skl --print 0:2
// OUT: 0 = 96 96
// ERR: no findings
// RUN: visor run %s -k counted --options -cl-std=CL2.0 -g 64 -l 64 -a zeros:i64:1 local:8 --check=race,sync --device skl --print 0
// OUT: 0 = 1099511627840
// ERR: no findings
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void ordered(global int* out) {
    local atomic_int lock;
    local int sum;
    const int me = get_local_id(0);
    if (me == 0) {
        atomic_init(&lock, 0);
        sum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me % 16 == 0) {
        int done = 0;
        while (!done) {
            int zero = 0;
            if (atomic_compare_exchange_strong_explicit(&lock, &zero, 1, memory_order_acquire, memory_order_relaxed,
                                                        memory_scope_work_group)) {
                sum += me;
                atomic_store_explicit(&lock, 0, memory_order_release, memory_scope_work_group);
                done = 1;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        out[get_group_id(0)] = sum;
}

kernel void counted(global long* out, local long* counter) {
    if (get_local_id(0) == 0)
        *counter = 1L << 40;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(counter, 1L); // 64 of them
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = *counter;
}
