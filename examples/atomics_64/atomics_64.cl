// 64-bit atomics on global memory (cl_khr_int64_base_atomics and _extended_atomics).
//
//   visor run examples/atomics_64/atomics_64.cl -g 128 -l 64 -a zeros:i64:12 zeros:i64:128 rand:i64:128:1 --print 0

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

__kernel void atomics_64(volatile __global long* out, __global long* tickets, __global const long* data) {
    const int i = get_global_id(0);
    const long value = data[i];
    atom_add(&out[0], value);
    atom_sub(&out[1], value);
    tickets[atom_inc(&out[2])] = i;
    atom_dec(&out[3]);
    atom_min(&out[4], value);
    atom_max(&out[5], value);
    atom_add(&out[7], atom_xchg(&out[6], value));
    long seen = 0;
    for (long now; (now = atom_cmpxchg(&out[8], seen, seen + (value >> 8))) != seen;)
        seen = now;
    atom_and(&out[9], ~(1L << (value & 63)));
    atom_or(&out[10], 1L << (value & 63));
    atom_xor(&out[11], value);
}
