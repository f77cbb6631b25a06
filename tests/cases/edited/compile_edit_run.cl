// Text with its launch metadata runs as the zebin does, on the device that it names.
// RUN: visor cc %s --emit visaasm -o %t/k.visaasm
// RUN: visor run %t/k.visaasm -g 8 -l 4 -a out=zeros:i32:8 by=3 --print out
// OUT: out = 0 3 6 9 12 15 18 21
// RUN: visor check %t/k.visaasm
// ERR: profile igc, skl
// RUN: visor cc %s --device pvc --emit visaasm -o %t/pvc.visaasm
// RUN: visor run %t/pvc.visaasm -g 8 -l 4 -a out=zeros:i32:8 by=3 --print out
// OUT: out = 0 3 6 9 12 15 18 21
// RUN: visor run %t/pvc.visaasm --device skl -g 8 -l 4 -a out=zeros:i32:8 by=3
// ERR: compiled for pvc, not for skl
// EXIT: 1
// RUN: visor as %t/pvc.visaasm -o %t/pvc.isa
// ERR: for pvc
// RUN: visor run %s --text times=%t/k.visaasm -g 8 -l 4 -a out=zeros:i32:8 by=3 --print out:2
// OUT: out = 0 3
// RUN: visor run %s --text time=%t/k.visaasm -g 8 -a out=zeros:i32:8 by=3
// ERR: did you mean `times`
// EXIT: 1

kernel void times(global int* out, int by) {
    out[get_global_id(0)] = get_global_id(0) * by;
}
