// More private memory than registers hold: each work-item sieves primes in 512 bytes and keeps 128 sums.
//
//   visor run examples/scratch/scratch.cl -g 32 -l 32 -a zeros:i32:32 zeros:i32:32 iota:i32:32:100 --print 0 --print 1

#define LIMIT 512
#define SUMS 128

__kernel void scratch(__global int* primes, __global int* sums_out, __global const int* limits) {
    const int i = get_global_id(0);
    const int limit = min(limits[i], LIMIT);
    uchar composite[LIMIT];
    int sums[SUMS];
    for (int k = 0; k < limit; ++k)
        composite[k] = k < 2;
    int count = 0;
    for (int k = 2; k < limit; ++k) {
        if (composite[k])
            continue;
        ++count;
        for (int multiple = k * k; multiple < limit; multiple += k)
            composite[multiple] = 1;
    }
    for (int k = 0; k < SUMS; ++k)
        sums[k] = 0;
    for (int k = 0; k < limit; ++k) {
        if (!composite[k])
            sums[(k * 7 + i) % SUMS] += k;
    }
    int mixed = 0;
    for (int k = 0; k < SUMS; ++k)
        mixed = mixed * 31 + sums[(k + i) % SUMS];
    primes[i] = count;
    sums_out[i] = mixed;
}
