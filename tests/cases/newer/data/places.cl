// Where a newer compiler puts things: constants, variables with a value and without one, text of printf, a buffer and a
// local array. The zebins beside it are IGC 2.40.14's: `visor cc places.cl -cl-std=CL2.0 --compiler 2.40 --device bmg -o places.bmg.zebin`
constant int table[4] = {7, 11, 13, 17};
global int counted = 5;
global int zeroed[4];
kernel void places(global int* out, int n) {
    local int shared[16];
    const int i = get_global_id(0);
    shared[i] = table[i % 4] * n;
    barrier(CLK_LOCAL_MEM_FENCE);
    zeroed[i % 4] = shared[15 - i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = shared[i] + counted + (i == 3 ? zeroed[0] : 0);
    if (i == 0)
        printf("counted %d\n", counted);
}
