// Pointers to functions: chosen by each lane, from a table of its own, handed on, called again and again.
// RUN: visor run %d/pointers.json --device skl
// ERR: 4 expectations met
// RUN: visor run %d/pointers.json --device icllp
// ERR: 4 expectations met
// RUN: visor run %d/pointers.json --device tgllp
// ERR: 4 expectations met
// RUN: visor run %d/pointers.json --device dg2
// ERR: 4 expectations met
// RUN: visor run %d/pointers.json --device pvc
// ERR: 4 expectations met
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

__attribute__((noinline)) int add(int a, int b) { return a + b; }
__attribute__((noinline)) int subtract(int a, int b) { return a - b; }
__attribute__((noinline)) int multiply(int a, int b) { return a * b; }
__attribute__((noinline)) int differ(int a, int b) { return a ^ b; }

typedef __typeof__(&add) Operation;

__attribute__((noinline)) int one_more(Operation operation, int a, int b) { return operation(a, b) + 1; }
__attribute__((noinline)) int nested(int n, Operation operation) {
    return n <= 0 ? 1 : operation(n, nested(n - 1, operation));
}

kernel void either(global int* out, global const int* a) {
    int i = get_global_id(0);
    Operation operation;
    if (a[i] & 1)
        operation = &add;
    else
        operation = &subtract;
    out[i] = operation(a[i], i);
}

kernel void table(global int* out, global const int* a) {
    int i = get_global_id(0);
    Operation operations[4] = {&add, &subtract, &multiply, &differ};
    int result = a[i];
    for (int j = 0; j < 6; j++)
        result = operations[(result >> j) & 3](result, j + i);
    out[i] = result;
}

kernel void handed_on(global int* out, global const int* a) {
    int i = get_global_id(0);
    Operation operation;
    switch (a[i] & 3) {
    case 0:
        operation = &add;
        break;
    case 1:
        operation = &subtract;
        break;
    case 2:
        operation = &multiply;
        break;
    default:
        operation = &differ;
    }
    if (a[i] & 8)
        out[i] = one_more(operation, a[i], 3);
    else
        out[i] = operation(a[i], 5);
}

kernel void recursive(global int* out, global const int* a) {
    int i = get_global_id(0);
    Operation operation;
    if (a[i] & 8)
        operation = &multiply;
    else
        operation = &subtract;
    out[i] = nested(a[i] & 7, operation);
}
