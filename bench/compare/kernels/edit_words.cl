// The edit distance of two words of 32 letters, a row in private memory.
kernel void edit_words(global int* out, global const uchar* a, global const uchar* b) {
    const int item = get_global_id(0);
    uchar row[33];
    for (int j = 0; j <= 32; ++j)
        row[j] = j;
    for (int i = 0; i < 32; ++i) {
        uchar corner = row[0];
        row[0] = i + 1;
        for (int j = 0; j < 32; ++j) {
            const uchar above = row[j + 1];
            const uchar changed = corner + (a[item * 32 + i] != b[item * 32 + j]);
            row[j + 1] = min(min((uchar)(row[j] + 1), (uchar)(above + 1)), changed);
            corner = above;
        }
    }
    out[item] = row[32];
}
