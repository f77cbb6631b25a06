// Without optimization this compiler makes a function for kernels of both widths and leaves one text of it. A kernel of the
// other width is told so: eight lanes of sixteen would be computed.
// RUN: visor run %s -k wide --options -cl-opt-disable -g 32 -l 32 -a iota:i8:32
// ERR: call that leads nowhere: the text of `f` is for SIMD8, its caller's for SIMD16: the compiler left no other text of it
// EXIT: 1
// RUN: visor run %s -k narrow --options -cl-opt-disable -g 8 -l 8 -a iota:i8:8 --print 0:8
// OUT: 0 = 1 4 7 10 13 16 19 22
__attribute__((noinline)) char f(char x) {
    return x * 3 + 1;
}
__attribute__((intel_reqd_sub_group_size(16))) kernel void wide(global char* o) {
    int i = get_global_id(0);
    o[i] = f(o[i]);
}
__attribute__((intel_reqd_sub_group_size(8))) kernel void narrow(global char* o) {
    int i = get_global_id(0);
    o[i] = f(o[i]);
}
