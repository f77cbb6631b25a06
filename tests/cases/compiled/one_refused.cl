// A kernel whose text is refused (the compiler takes add3 on skl, which has none) does not block another of the file: the
// warning names it, and it is refused when it is asked for.
// RUN: visor run %s --compiler system -k good -g 8 -a zeros:i32:8 --print 0
// ERR: add3 does not exist on skl
// ERR: warning: kernel `bad` cannot run; others of the file can
// OUT: 0 = 7 7 7 7 7 7 7 7
// RUN: visor run %s --compiler system -k bad -g 16 -l 16 -a zeros:i32:16
// ERR: kernel `bad` was refused when it was loaded
// EXIT: 1
kernel void good(global int* a) {
    a[get_global_id(0)] = 7;
}
__attribute__((intel_reqd_sub_group_size(16))) kernel void bad(global int* a) {
    int x = a[get_global_id(0)], y;
    __asm__ volatile("add3 (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d 0x2:d" : "=rw"(y) : "rw"(x));
    a[get_global_id(0)] = y;
}
