// goto: forwards over code, backwards as a loop, and out of two loops at once.
//
//   visor run examples/goto/goto.cl -g 64 -l 32 -a zeros:i32:64 --print 0:8

__kernel void go(__global int* out) {
    const int i = get_global_id(0);
    int value = i, rounds = 0;
    if (i % 4 == 1)
        goto shortcut;
again:
    value = value * 3 + 1;
    if (value % 8 < 5 && rounds < 6) {
        ++rounds;
        goto again;
    }
    for (int a = 0; a < 5; ++a) {
        for (int b = 0; b < 5; ++b) {
            value += a * b;
            if (value % 11 == i % 11)
                goto out_of_both;
        }
    }
    value = -value;
shortcut:
    value += 1000;
out_of_both:
    out[i] = value * 10 + rounds;
}
