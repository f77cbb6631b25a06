// Nested loops that every lane leaves at another place: break, continue and an early return.
//
//   visor run examples/divergent/divergent.cl -g 100 -l 50 -a zeros:i32:100 100 --print 0:16

__kernel void divergent(__global int* out, int count) {
    const int i = get_global_id(0);
    if (i % 7 == 3) {
        out[i] = -i;
        return;
    }
    int sum = 0;
    for (int a = 0; a < count; ++a) {
        if (a * a > i * 3)
            break;
        if ((a + i) % 3 == 0)
            continue;
        for (int b = a; b < count; ++b) {
            if (b % 5 == i % 5)
                break;
            if ((b & 1) == (i & 1))
                continue;
            sum += b * 3 + a;
        }
        sum ^= a << (i & 7);
    }
    out[i] = sum;
}
