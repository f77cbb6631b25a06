// Compilers write 0 - x as a source modifier: of the smallest number that is itself (ruling 146).
// RUN: visor run %s -k shifted -g 2 -a 0x80000000,5 -a zeros:i32:2 --print 1
// OUT: 1 = -1073741824 -3
// RUN: visor run %s -k widened -g 2 -a 0x80000000,5 -a zeros:i64:2 --print 1
// OUT: 1 = -2147483648 -5
// RUN: visor run %s -k converted -g 2 -a 0x80000000,5 -a zeros:f32:2 --print 1
// OUT: 1 = -2147483600 -5
// RUN: visor run %s -k larger -g 2 -a 0x80000000,5 -a zeros:i32:2 --print 1
// OUT: 1 = 7 7
int picked(uint2 a) {
    return as_int(0u - (get_global_id(0) == 0 ? a.x : a.y));
}
kernel void shifted(uint2 a, global int* o) {
    o[get_global_id(0)] = picked(a) >> 1;
}
kernel void widened(uint2 a, global long* o) {
    o[get_global_id(0)] = picked(a);
}
kernel void converted(uint2 a, global float* o) {
    o[get_global_id(0)] = picked(a);
}
kernel void larger(uint2 a, global int* o) {
    o[get_global_id(0)] = max(picked(a), 7);
}
