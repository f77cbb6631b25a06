// Sixteen numbers of each item, by insertion, in private memory.
kernel void sort_sixteen(global int* out, global const int* in) {
    const int begin = get_global_id(0) * 16;
    int sorted[16];
    for (int i = 0; i < 16; ++i)
        sorted[i] = in[begin + i];
    for (int i = 1; i < 16; ++i) {
        const int number = sorted[i];
        int j = i - 1;
        for (; j >= 0 && sorted[j] > number; --j)
            sorted[j + 1] = sorted[j];
        sorted[j + 1] = number;
    }
    for (int i = 0; i < 16; ++i)
        out[begin + i] = sorted[i];
}
