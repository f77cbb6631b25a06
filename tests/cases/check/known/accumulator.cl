// A sum that begins with whatever the register holds.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:256 256 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:256 256 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a zeros:i32:64 iota:i32:256 256 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:256 256 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
kernel void accumulator(global int* out, global const int* in, int n) {
#ifdef BUG
    int sum;
#else
    int sum = 0;
#endif
    for (int i = get_global_id(0); i < n; i += 64)
        sum += in[i];
    out[get_global_id(0)] = sum;
}
