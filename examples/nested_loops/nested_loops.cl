// Three loops in each other, left from the innermost: the first triple of whole numbers with a square relation, and
// how many tries it took.
//
//   visor run examples/nested_loops/nested_loops.cl -g 64 -l 32 -a zeros:i32:256 --print 0:12

__kernel void nested_loops(__global int* out) {
    const int i = get_global_id(0);
    const int wanted = i * 7 + 3;
    int tries = 0, x = 0, y = 0, z = 0;
    bool found = false;
    for (x = 0; x * x <= wanted && !found; ++x) {
        for (y = x; x * x + y * y <= wanted; ++y) {
            if ((x + y) % 5 == 4)
                continue;
            for (z = y;; ++z) {
                ++tries;
                const int sum = x * x + y * y + z * z;
                if (sum == wanted) {
                    found = true;
                    break;
                }
                if (sum > wanted)
                    break;
            }
            if (found)
                break;
        }
    }
    out[4 * i] = found ? x * 10000 + y * 100 + z : -1; // x has been counted on
    out[4 * i + 1] = tries;
    out[4 * i + 2] = x;
    out[4 * i + 3] = y;
}
