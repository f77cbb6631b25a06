// Functions chosen by data: a table of their addresses in constant memory, and one in private memory. Each lane calls
// its own, the compiler makes a loop over the different ones of it. Function pointers are an extension of the
// compiler's that has to be asked for.
//
//   visor run examples/function_table/function_table.cl -g 32 -l 16 -a iota:i32:32 zeros:i32:32x2 --print out:8 --options -cl-ext=+__cl_clang_function_pointers
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

__attribute__((noinline)) int add(int a, int b) { return a + b; }
__attribute__((noinline)) int subtract(int a, int b) { return a - b; }
__attribute__((noinline)) int multiply(int a, int b) { return a * b; }
__attribute__((noinline)) int gcd(int a, int b) {
    while (b != 0) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

typedef __typeof__(&add) Operation;

__constant Operation operations[4] = {&add, &subtract, &multiply, &gcd};

// A function that is given a function.
__attribute__((noinline)) int fold(Operation operation, int count) {
    int result = 1;
    for (int k = 1; k <= count; ++k)
        result = operation(result, k * 3);
    return result;
}

__kernel void function_table(__global const int* chosen, __global int* out) {
    const int i = get_global_id(0);
    ulong mine[2] = {(ulong)&multiply, (ulong)&subtract};
    out[i * 2] = operations[chosen[i] & 3](i * 6, i + 4);
    out[i * 2 + 1] = fold((Operation)mine[i / 2 & 1], i % 6) + fold(operations[chosen[i] >> 2 & 3], 3);
}
