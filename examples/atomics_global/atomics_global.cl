// Every 32-bit atomic on global memory. All work-items meet at the same few places.
//
//   visor run examples/atomics_global/atomics_global.cl -g 256 -l 64
//       -a zeros:i32:9 zeros:u32:6 zeros:i32:256 zeros:f32:1 iota:i32:256:1 --print 0 --print 1 --print 3

__kernel void atomics_global(volatile __global int* ints, volatile __global uint* uints, __global int* tickets,
                             volatile __global float* last, __global const int* data) {
    const int i = get_global_id(0);
    const int value = data[i];
    atomic_add(&ints[0], value);
    atomic_sub(&ints[1], value);
    tickets[atomic_inc(&ints[2])] = i; // each old value is given out once
    atomic_dec(&ints[3]);
    atomic_min(&ints[4], value);
    atomic_max(&ints[5], value);
    const int old = atomic_xchg(&ints[6], value); // what goes in comes out again, but for the last
    atomic_add(&ints[7], old);
    int seen = ints[8];
    while (true) { // add without an add
        const int now = atomic_cmpxchg(&ints[8], seen, seen + (value & 15));
        if (now == seen)
            break;
        seen = now;
    }
    atomic_and(&uints[0], (uint)~(1 << (value & 7)));
    atomic_or(&uints[1], 1u << (value & 31));
    atomic_xor(&uints[2], (uint)value);
    atomic_min(&uints[3], (uint)value);
    atomic_max(&uints[4], (uint)value);
    atomic_add(&uints[5], (uint)value >> 8);
    atomic_xchg(last, (float)value);
}
