// Variables of the program itself (OpenCL C 2.0): with first values, with pointers to each other, shared by all
// groups.
//
//   visor run examples/program_scope/program_scope.cl --options -cl-std=CL2.0 -g 64 -l 16 -a zeros:i32:64
//       zeros:i32:4 --print 0:8

__global int counter = 1000;
__global int table[4] = {3, 1, 4, 1};
__global int* __global inside = &table[2];
__global uchar bytes[3] = {250, 251, 252};
__global int zeros[5];
__constant int primes[5] = {2, 3, 5, 7, 11};
__constant int* __constant last_prime = &primes[4];

__kernel void program_scope(__global int* out, __global int* counts) {
    const int i = get_global_id(0);
    const int ticket = atomic_add((volatile __global int*)&counter, 2);
    if (ticket == 1000)
        counts[0] = ticket;
    atomic_inc((volatile __global int*)&zeros[i % 5]);
    out[i] = table[i & 3] * 1000 + inside[(i & 1) - 1] * 100 + bytes[i % 3] + primes[i % 5] * 10 + *last_prime;
    if (atomic_inc((volatile __global int*)&counts[3]) == (int)get_global_size(0) - 1) {
        counts[1] = atomic_add((volatile __global int*)&counter, 0);
        counts[2] = atomic_add((volatile __global int*)&zeros[4], 0);
    }
}
