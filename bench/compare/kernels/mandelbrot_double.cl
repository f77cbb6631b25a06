#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void mandelbrot_double(global int* rounds, int width, int height) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const double cx = 3.0 * x / width - 2;
    const double cy = 2.0 * y / height - 1;
    double zx = 0;
    double zy = 0;
    int k = 0;
    for (; k < 200 && zx * zx + zy * zy < 4; ++k) {
        const double next = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = next;
    }
    rounds[y * width + x] = k;
}
