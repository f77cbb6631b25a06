// Functions survive the way through text and back: with metadata, edited, as a zebin with another text, and alone.
// RUN: visor run %s -g 16 -l 8 -a out=zeros:i32:16 --print out
// OUT: out = 0 1 1 2 3 5 8 13 21 34 55 89 144 233 377 610
// RUN: visor cc %s --emit visaasm -o %t/k.visaasm
// RUN: visor check %t/k.visaasm
// ERR: profile igc, skl
// RUN: visor run %t/k.visaasm -g 16 -l 8 -a out=zeros:i32:16 --print out
// OUT: out = 0 1 1 2 3 5 8 13 21 34 55 89 144 233 377 610
// RUN: visor run %s --text k=%t/k.visaasm -g 16 -l 8 -a out=zeros:i32:16 --print out:8
// OUT: out = 0 1 1 2 3 5 8 13
// RUN: visor cc %s -o %t/k.zebin
// RUN: visor run %t/k.zebin -g 16 -l 8 -a out=zeros:i32:16 --print out:8
// OUT: out = 0 1 1 2 3 5 8 13
// RUN: visor check %t/k.zebin
// ERR: profile igc, skl
// RUN: visor dis %t/k.zebin -o %t/again.visaasm
// RUN: visor as %t/again.visaasm -o %t/again.isa
// RUN: visor dis %t/again.isa -o %t/third.visaasm
// RUN: visor run %s --device pvc -g 16 -l 16 -a out=zeros:i32:16 --print out:8
// OUT: out = 0 1 1 2 3 5 8 13

int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
kernel void k(global int* out) {
    out[get_global_id(0)] = fibonacci(get_global_id(0));
}
