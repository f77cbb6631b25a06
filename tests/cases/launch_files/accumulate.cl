// Launches of one file share their arrays and the program's variables.
// RUN: visor run %d/accumulate.json
// OUT: sums = 11 11 12 14
// OUT: calls = 2
// ERR: 2 kernels, 3 work-groups
// ERR: 2 expectations met
// RUN: visor run %d/accumulate.json --device pvc
// OUT: sums = 11 11 12 14
// OUT: calls = 2
// RUN: visor run %d/accumulate.json -g 4
// ERR: -g does not go with a launch file
// EXIT: 2
// RUN: visor run %d/wrong.json
// ERR: expect[0]: sums[1,0] is 3, expected 4 (1 of 4 elements differ)
// ERR: 1 of 1 expectation not met
// EXIT: 1

global int calls_so_far = 0;

kernel void add(global int* sums, global int* calls, int by) {
    sums[get_global_id(0)] += by;
    if (get_local_id(0) == 0 && get_group_id(0) == 0) {
        calls_so_far += 1;
        calls[0] = calls_so_far;
    }
}
