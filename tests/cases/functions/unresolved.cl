// A function that nothing defines: the compiler takes it, a run of the kernel is refused and names it; another kernel of
// the file runs.
// RUN: visor run %s -k missing -g 8 -l 8 -a zeros:i32:8
// ERR: error: kernel `missing` uses `nobody`, which nothing defines
// EXIT: 1
// RUN: visor run %s -k whole -g 8 -l 8 -a zeros:i32:8 --print 0
// OUT: 0 = 0 2 4 6 8 10 12 14

int nobody(int n);

kernel void missing(global int* out) {
    out[get_global_id(0)] = nobody(get_global_id(0));
}
kernel void whole(global int* out) {
    out[get_global_id(0)] = 2 * get_global_id(0);
}
