// A zebin runs on the device it was compiled for, which it says itself; another one is refused by name, never run with
// the wrong registers.
// RUN: visor cc %s --device pvc -o %t/k.zebin
// RUN: visor run %t/k.zebin -g 8 -l 8 -a zeros:i32:8 --print 0
// OUT: 0 = 0 1 2 3 4 5 6 7
// RUN: visor run %t/k.zebin --device skl -g 8 -l 8 -a zeros:i32:8
// ERR: compiled for pvc, not for skl: use --device pvc
// EXIT: 1
// RUN: visor run %t/k.zebin --device pvc -g 8 -l 8 -a zeros:i32:8 --print 0
// OUT: 0 = 0 1 2 3 4 5 6 7

__kernel void ids(__global int* out) {
    out[get_global_id(0)] = get_global_id(0);
}
