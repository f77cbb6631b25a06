// The determinant of a matrix of each work-item's own, modulo a prime: 64 private numbers, rows exchanged and
// subtracted.
//
//   visor run examples/determinant/determinant.cl -g 32 -l 32 -a zeros:u32:32 rand:u32:2048:1 --print 0:8

#define SIZE 8
#define PRIME 65521u

uint inverse(uint x) { // x^(p-2)
    uint result = 1;
    for (uint power = PRIME - 2; power != 0; power >>= 1) {
        if (power & 1)
            result = result * x % PRIME;
        x = x * x % PRIME;
    }
    return result;
}

__kernel void determinant(__global uint* out, __global const uint* matrices) {
    const int i = get_global_id(0);
    uint m[SIZE][SIZE];
    for (int r = 0; r < SIZE; ++r)
        for (int c = 0; c < SIZE; ++c)
            m[r][c] = matrices[(i * SIZE + r) * SIZE + c] % PRIME;
    uint result = 1;
    for (int k = 0; k < SIZE; ++k) {
        int pivot = k;
        while (pivot < SIZE && m[pivot][k] == 0)
            ++pivot;
        if (pivot == SIZE) {
            result = 0;
            break;
        }
        if (pivot != k) {
            for (int c = 0; c < SIZE; ++c) {
                const uint kept = m[k][c];
                m[k][c] = m[pivot][c];
                m[pivot][c] = kept;
            }
            result = PRIME - result;
        }
        result = result * m[k][k] % PRIME;
        const uint factor = inverse(m[k][k]);
        for (int r = k + 1; r < SIZE; ++r) {
            const uint times = m[r][k] * factor % PRIME;
            for (int c = k; c < SIZE; ++c)
                m[r][c] = (m[r][c] + (PRIME - times) * m[k][c]) % PRIME;
        }
    }
    out[i] = result % PRIME;
}
