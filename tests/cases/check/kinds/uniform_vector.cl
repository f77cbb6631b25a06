// Four numbers that all work-items read are one block load, of whole dwords wherever they lie. What the compiler prints does
// not say so (ruling 144).
// RUN: visor run %s --options -cl-intel-greater-than-4GB-buffer-required -g 8 -l 8 -a iota:i32:16 3 zeros:i32:8 --print 2 --check=align
// OUT: 2 = 18 19 20 21 22 23 24 25
// ERR: no findings
// RUN: visor run %s --options "-cl-intel-greater-than-4GB-buffer-required -DBUG" -g 8 -l 8 -a iota:i32:16 3 zeros:i32:8 --check=align
// ERR: access an address that the page wants aligned [misaligned]
// ERR: svm_block_ld.unaligned (1)
// EXIT: 1
// RUN: visor cc %s -cl-intel-greater-than-4GB-buffer-required --emit visaasm -o %t/k.visaasm
// RUN: visor run %t/k.visaasm -g 8 -l 8 -a iota:i32:16 3 zeros:i32:8 --print 2 --check=align
// OUT: 2 = 18 19 20 21 22 23 24 25
// ERR: no findings
kernel void uniform_vector(global const int* in, int at, global int* out) {
#ifdef BUG
    in = (global const int*)((global const char*)in + 2);
#endif
    out[get_global_id(0)] = get_global_id(0) + in[at] + in[at + 1] + in[at + 2] + in[at + 3];
}
