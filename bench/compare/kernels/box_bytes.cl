// A 3x3 box over bytes; the edge stays.
kernel void box_bytes(global uchar* out, global const uchar* in, int width, int height) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    int sum = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            sum += in[(y + j) * width + x + i];
    out[y * width + x] = sum / 9;
}
