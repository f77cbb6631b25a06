// A mask of 5 x 5 over an image that has two points more on each side than the result.
#define MASK 5

kernel void convolution(global float* to, global const float* from, constant float* mask, int width) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int stride = width + MASK - 1;
    float sum = 0;
    for (int row = 0; row < MASK; ++row) {
        for (int column = 0; column < MASK; ++column)
            sum = fma(mask[row * MASK + column], from[(y + row) * stride + x + column], sum);
    }
    to[y * width + x] = sum;
}
