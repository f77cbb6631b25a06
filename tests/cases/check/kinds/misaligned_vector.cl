// A pointer that is not aligned is taken for one to vectors.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:68 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:68 --check=all
// ERR: no findings
// FINDS: nothing, because the message that it becomes needs no more than four bytes
kernel void misaligned_vector(global int* out, global const int* in) {
    const int i = get_global_id(0);
#ifdef BUG
    const int4 four = *(global const int4*)(in + i);
#else
    const int4 four = vload4(0, in + i);
#endif
    out[i] = four.y;
}
