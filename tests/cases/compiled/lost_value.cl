// With relaxed mathematics the compiler makes a power by whole numbers of pow() and then drops it: the result is a register
// that no instruction writes. The code is run as it stands; `check` and the run warn.
// RUN: visor run %s --compiler system --options -cl-fast-relaxed-math -g 8 -a fill:f32:8:2 iota:i32:8 zeros:f32:8 --print 2:8
// ERR: no instruction writes `V
// ERR: [never-written]
// OUT: 2 = 0 0 0 0 0 0 0 0
// RUN: visor check %s --options -cl-fast-relaxed-math
// ERR: [never-written]
kernel void powers(global const float* x, global const int* n, global float* out) {
    const int i = get_global_id(0);
    out[i] = pow(x[i], (float)n[i]);
}
