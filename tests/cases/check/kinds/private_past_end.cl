// An index from the data leaves a private array.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [register-bounds]
// EXIT: 1
kernel void private_past_end(global int* out, global const int* in) {
    const int i = get_global_id(0);
    int counts[32] = {0};
#ifdef BUG
    const int at = in[i];
#else
    const int at = in[i] & 31;
#endif
    counts[at] += i;
    counts[in[i] & 7] += 1;
    int sum = 0;
    for (int n = 0; n < 32; ++n)
        sum += counts[n] * n;
    out[i] = sum;
}
