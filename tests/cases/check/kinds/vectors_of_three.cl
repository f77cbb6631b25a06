// A vector of three is loaded and stored with a fourth component that nobody defines: no mistake. One that lacks
// a component of its own is one.
// RUN: visor run %s -g 4 -l 4 -a iota:i8:12:1 zeros:i8:16 iota:i32:12:1 zeros:i32:16 --print 3 --check=all
// OUT: 3 = 1 2 3 0 4 5 6 0 7 8 9 0 10 11 12 0
// ERR: no findings
// RUN: visor run %s --device pvc -g 4 -l 4 -a iota:i8:12:1 zeros:i8:16 iota:i32:12:1 zeros:i32:16 --print 1:16:i8 --check=all
// OUT: 1 = 1 2 3 0 4 5 6 0 7 8 9 0 10 11 12 0
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 4 -l 4 -a iota:i8:12:1 zeros:i8:16 iota:i32:12:1 zeros:i32:16 --check=init
// ERR: error: a value that nobody wrote is stored to global memory [uninitialized-store]
// EXIT: 1
kernel void vectors_of_three(global const char* bytes_in, global char3* bytes_out, global const int* ints_in,
                             global int3* ints_out) {
    const int i = get_global_id(0);
    bytes_out[i] = vload3(i, bytes_in);
#ifdef BUG
    local int3 kept[4];
    if (ints_in[i] > 6) // only half of them
        kept[i].x = ints_in[i];
    kept[i].y = 1;
    kept[i].z = 2;
    ints_out[i] = kept[i];
#else
    ints_out[i] = vload3(i, ints_in);
#endif
}
