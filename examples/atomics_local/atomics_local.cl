// Every 32-bit atomic on shared local memory, in each group for itself.
//
//   visor run examples/atomics_local/atomics_local.cl -g 256 -l 64
//       -a zeros:i32:36 zeros:u32:20 zeros:i32:256 iota:i32:256:1 --print 0:9 --print 1:5

__kernel void atomics_local(__global int* ints_out, __global uint* uints_out, __global int* tickets,
                            __global const int* data) {
    __local int ints[9];
    __local uint uints[5];
    const int i = get_global_id(0), me = get_local_id(0), group = get_group_id(0);
    const int value = data[i];
    if (me < 9)
        ints[me] = 0;
    if (me < 5)
        uints[me] = me == 0 || me == 3 ? 0xffffffffu : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&ints[0], value);
    atomic_sub(&ints[1], value);
    tickets[group * get_local_size(0) + atomic_inc(&ints[2])] = me;
    atomic_dec(&ints[3]);
    atomic_min(&ints[4], value);
    atomic_max(&ints[5], value);
    atomic_add(&ints[7], atomic_xchg(&ints[6], value));
    int seen = 0;
    for (int now; (now = atomic_cmpxchg(&ints[8], seen, seen + (value & 15))) != seen;)
        seen = now;
    atomic_and(&uints[0], (uint)~(1 << (value & 7)));
    atomic_or(&uints[1], 1u << (value & 31));
    atomic_xor(&uints[2], (uint)value);
    atomic_min(&uints[3], (uint)value);
    atomic_max(&uints[4], (uint)value);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 9)
        ints_out[9 * group + me] = ints[me];
    if (me < 5)
        uints_out[5 * group + me] = uints[me];
}
