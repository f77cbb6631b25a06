// Functions that stay functions: calls from divergent code, with several arguments, a struct as the result, and a
// pointer to change something.
//
//   visor run examples/noinline_calls/noinline_calls.cl -g 64 -l 32 -a zeros:i32:64 --print 0:8

typedef struct {
    int quotient, remainder;
} Division;

__attribute__((noinline)) Division divide(int a, int b) {
    Division result = {a / b, a % b};
    return result;
}

__attribute__((noinline)) int digits(int number, int base, int* highest) {
    int sum = 0;
    while (number != 0) {
        const Division parts = divide(number, base);
        sum += parts.remainder;
        *highest = max(*highest, parts.remainder);
        number = parts.quotient;
    }
    return sum;
}

__attribute__((noinline)) float polynomial(float x, int degree) {
    float result = 0.0f;
    for (int k = 0; k <= degree; ++k)
        result = fma(result, x, (float)(k + 1));
    return result;
}

__kernel void noinline_calls(__global int* out) {
    const int i = get_global_id(0);
    int highest = 0, result = 0;
    if (i % 3 == 0)
        result = digits(i * 7919 + 5, 10, &highest);
    else if (i % 3 == 1)
        result = digits(i * 104729, 3 + i % 5, &highest) + digits(i, 2, &highest);
    else
        result = (int)polynomial((float)(i % 7), i % 5);
    out[i] = result * 100 + highest;
}
