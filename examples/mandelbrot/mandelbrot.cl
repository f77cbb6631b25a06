// The Mandelbrot set: loops that every lane leaves at another time.
//
//   visor run examples/mandelbrot/mandelbrot.cl -k mandelbrot -g 384,256 -l 16,4
//       -a zeros:u8:256x384x4 384 -2.25 -1.25 0.0078125 0.009765625 256 --out image=mandelbrot.png:rgba8:384x256
//
// `iterations` gives the counts themselves, `mandelbrot` colours, `mandelbrot_text` characters.

int escape(float cx, float cy, int limit) {
    float x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < limit && fma(x, x, y * y) <= 4.0f) {
        const float next = fma(x, x, -(y * y)) + cx;
        y = fma(2.0f * x, y, cy);
        x = next;
        ++n;
    }
    return n;
}

__kernel void iterations(__global int* out, int width, float x0, float y0, float dx, float dy, int limit) {
    const int column = get_global_id(0), row = get_global_id(1);
    out[row * width + column] = escape(fma((float)column, dx, x0), fma((float)row, dy, y0), limit);
}

__kernel void mandelbrot(__global uchar4* image, int width, float x0, float y0, float dx, float dy, int limit) {
    const int column = get_global_id(0), row = get_global_id(1);
    const int n = escape(fma((float)column, dx, x0), fma((float)row, dy, y0), limit);
    uchar4 colour = (uchar4)(0, 0, 0, 255);
    if (n < limit) {
        const float t = (float)n / (float)limit;
        const float u = 1.0f - t;
        colour.x = (uchar)(9.0f * u * t * t * t * 255.0f);
        colour.y = (uchar)(15.0f * u * u * t * t * 255.0f);
        colour.z = (uchar)(8.5f * u * u * u * t * 255.0f);
    }
    image[row * width + column] = colour;
}

// Rows of characters, each ended by a newline: `width` counts the newline.
__kernel void mandelbrot_text(__global uchar* text, int width, float x0, float y0, float dx, float dy, int limit) {
    __constant char* ramp = " .:-=+*#%@";
    const int column = get_global_id(0), row = get_global_id(1);
    const int n = escape(fma((float)column, dx, x0), fma((float)row, dy, y0), limit);
    text[row * width + column] = column == width - 1 ? '\n' : n == limit ? '@' : ramp[n % 9];
}
