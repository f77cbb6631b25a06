// Quotients and remainders of numbers that nobody knows beforehand.
kernel void quotients(global int* out, global const int* a, global const int* b) {
    const int i = get_global_id(0);
    int sum = 0;
    for (int k = 1; k < 17; ++k)
        sum += a[i] / (b[i] % 97 + k + 100) + a[i] % (k * 3 + 1);
    out[i] = sum;
}
