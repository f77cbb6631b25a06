// A private histogram with one bin too few for what the data hold.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 64 --check=all
// ERR: [register-bounds]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a zeros:i32:64 iota:i32:64 64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 64 --check=all
// ERR: [register-bounds]
// EXIT: 1
kernel void private_bins(global int* out, global const int* in, int n) {
#ifdef BUG
    int bins[9];
#else
    int bins[10];
#endif
    for (int i = 0; i < (int)(sizeof bins / sizeof *bins); ++i)
        bins[i] = 0;
    for (int i = 0; i < n; ++i)
        bins[in[i] % 10]++;
    int sum = 0;
    for (int i = 0; i < (int)(sizeof bins / sizeof *bins); ++i)
        sum += bins[i] * i;
    out[get_global_id(0)] = sum;
}
