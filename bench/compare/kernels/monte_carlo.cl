// What an option pays on average, in double: normal numbers after Box and Muller from Marsaglia's xorshift.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

uint next(uint state) {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}

kernel void monte_carlo(global double* sums, int paths, double price, double strike, double drift, double spread) {
    const uint i = get_global_id(0);
    uint state = i * 2654435761u + 12345;
    double sum = 0;
    for (int path = 0; path < paths; ++path) {
        state = next(state);
        const double radius = sqrt(-2.0 * log((state + 0.5) * 0x1p-32));
        state = next(state);
        const double normal = radius * cos(6.283185307179586 * 0x1p-32 * state);
        sum += fmax(price * exp(drift + spread * normal) - strike, 0.0);
    }
    sums[i] = sum / paths;
}
