// A vector of four is loaded where fewer numbers are left.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [out-of-bounds-read]
// EXIT: 1
kernel void vector_past_end(global int* out, global const int* in) {
    const int i = get_global_id(0);
#ifdef BUG
    const int4 four = vload4(0, in + i);
#else
    const int4 four = vload4(0, in + min(i, 60));
#endif
    out[i] = four.x + four.w;
}
