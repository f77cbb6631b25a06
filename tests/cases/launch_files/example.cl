// The launch file of the README.
// RUN: visor run %d/../../../examples/saxpy/saxpy.json
// OUT: y = 1 2 3 4 5
// ERR: 2 kernels, 8 work-groups
// ERR: 1 expectation met

kernel void nothing(global int* unused) {}
