// Steps until a point escapes: lanes that leave a loop at different times.
kernel void mandelbrot(global int* steps, int width, int height, int limit) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    const float cx = -2.0f + 3.0f * column / width;
    const float cy = -1.0f + 2.0f * row / height;
    float x = 0;
    float y = 0;
    int n = 0;
    while (n < limit && x * x + y * y <= 4.0f) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++n;
    }
    steps[row * width + column] = n;
}
