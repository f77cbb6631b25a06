// printf from a kernel: conversions, vectors, strings and widths. Which work-item prints first is not defined.
//
//   visor run examples/printf/printf.cl -g 4 -l 4 -a 0.25

__kernel void hello(float scale) {
    const int i = get_global_id(0);
    printf("item %d: %5.2f|%-4d|%04x|%s\n", i, i * scale, i, 255 * i, "text");
    if (i == 2) {
        printf("vector %v4hld and %v2hlf\n", (int4)(1, -2, 3, i), (float2)(0.5f, 1.5f));
        printf("long %ld, char %c, percent %%, unsigned %u, %e\n", (long)i << 40, 'a' + i, 4000000000u, 1234.5f);
    }
}
