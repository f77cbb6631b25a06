// The atomics of OpenCL C 2.0: orders, scopes, loads and stores, and a flag raised once.
//
//   visor run examples/atomics_c11/atomics_c11.cl --options -cl-std=CL2.0 -g 256 -l 64
//       -a zeros:i32:6 zeros:i32:4 iota:i32:256 --print 0 --print 1

__kernel void atomics_c11(volatile __global atomic_int* out, __global int* group_sums, __global const int* data) {
    __local atomic_int sum;
    const int i = get_global_id(0), me = get_local_id(0);
    const int value = data[i];
    if (me == 0)
        atomic_init(&sum, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&sum, value, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_add_explicit(&out[0], value, memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&out[1], value, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_xor(&out[2], value);
    int seen = atomic_load_explicit(&out[3], memory_order_acquire, memory_scope_device);
    while (!atomic_compare_exchange_weak_explicit(&out[3], &seen, seen + (value & 7), memory_order_release,
                                                  memory_order_relaxed, memory_scope_device)) {
    }
    if (atomic_exchange_explicit(&out[4], 1, memory_order_acq_rel, memory_scope_device) == 0)
        atomic_fetch_add(&out[5], 1); // only the first one comes here
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        group_sums[get_group_id(0)] = atomic_load_explicit(&sum, memory_order_acquire, memory_scope_work_group);
}
