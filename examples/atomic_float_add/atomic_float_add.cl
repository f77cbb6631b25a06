// Floats summed by many work-items at once: the sum's bits are exchanged until nobody came in between.
//
//   visor run examples/atomic_float_add/atomic_float_add.cl -g 256 -l 64
//       -a zeros:f32:4 iota:f32:256 --print 0

void add(volatile __global float* sum, float value) {
    uint seen = as_uint(*sum);
    while (true) {
        const uint now = atomic_cmpxchg((volatile __global uint*)sum, seen, as_uint(as_float(seen) + value));
        if (now == seen)
            return;
        seen = now;
    }
}

__kernel void atomic_float_add(volatile __global float* sums, __global const float* data) {
    const int i = get_global_id(0);
    add(&sums[i & 3], data[i]);
}
