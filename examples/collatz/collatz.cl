// A do-while loop that takes each lane another number of rounds: 3n+1.
//
//   visor run examples/collatz/collatz.cl -g 64 -l 32 -a zeros:i32:64 zeros:u32:64 --print 0:8 --print 1:8

__kernel void collatz(__global int* rounds, __global uint* highest) {
    const int i = get_global_id(0);
    uint n = i + 1, high = n;
    int count = 0;
    do {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        high = max(high, n);
        ++count;
    } while (n != 1);
    rounds[i] = count;
    highest[i] = high;
}
