// mandelbrot.cl, written otherwise: numbers are `float2`.
kernel void mandelbrot_float2(global int* steps, int width, int height, int limit) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    const float cx = -2.0f + 3.0f * column / width;
    const float cy = -1.0f + 2.0f * row / height;
    float2 z = 0, c = (float2)(cx, cy);
    int n = 0;
    for (; n < limit && dot(z, z) <= 4.0f; ++n)
        z = (float2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
    steps[row * width + column] = n;
}
