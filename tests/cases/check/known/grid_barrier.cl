// A barrier that is taken for one of the whole launch: other groups' results are read behind it.
// RUN: visor run %s -g 64 -l 16 -a zeros:i32:64 zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 16 -a zeros:i32:64 zeros:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 16 -a zeros:i32:64 zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 16 -a zeros:i32:64 zeros:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void grid_barrier(global int* out, global volatile int* between) {
    const int i = get_global_id(0);
    between[i] = i * 3;
    barrier(CLK_GLOBAL_MEM_FENCE);
#ifdef BUG
    const int neighbour = (i + 16) % 64;
#else
    const int neighbour = i / 16 * 16 + (i + 5) % 16;
#endif
    out[i] = between[neighbour];
}
