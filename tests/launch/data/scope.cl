// As saxpy.cl, with -options -cl-std=CL2.0.
constant int table[4] = {10, 20, 30, 40};
global int counter = 7;
global int* pointer = &counter;
global long zeros[3];

kernel void scope(global int* out) {
    size_t i = get_global_id(0);
    out[i] = table[i & 3] + *pointer;
    zeros[1] = i;
    printf("%d\n", out[i]);
}
