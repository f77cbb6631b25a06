// Integer division by zero, and a conversion that the type cannot hold.
// RUN: visor run %s -g 8 -l 8 -a zeros:i32:8 fill:i32:8:2 fill:f32:8:2 --check=arith
// ERR: no findings
// RUN: visor run %s -g 8 -l 8 -a zeros:i32:8 zeros:i32:8 fill:f32:8:2 --check=arith
// ERR: integer division by zero [division-by-zero]
// EXIT: 1
// RUN: visor run %s -g 8 -l 8 -a zeros:i32:8 fill:i32:8:2 fill:f32:8:3e9 --check=arith
// ERR: 3000000000 does not fit in d: the result is what the device makes of it [conversion-out-of-range]
// EXIT: 1
// RUN: visor run %s --options -DSATURATE -g 8 -l 8 -a zeros:i32:8 fill:i32:8:2 fill:f32:8:3e9 --check=arith
// ERR: note: 3000000000 does not fit in d
// ERR: no findings
// RUN: visor run %s --options -DZERO -g 8 -l 8 -a zeros:i32:8 fill:i32:8:2 fill:f32:8:-3e9 --check=arith
// ERR: note: -3000000000 does not fit in ud
// ERR: no findings
kernel void division(global int* out, global const int* by, global const float* number) {
    const int i = get_global_id(0);
#ifdef SATURATE // the compiler converts, and chooses between that and a bound
    out[i] = 100 / by[i] + convert_int_sat(number[i]);
#elif defined ZERO // it converts, and masks that with the comparison
    out[i] = 100 / by[i] + (number[i] >= 8388608.0f ? (uint)number[i] : 0);
#else
    out[i] = 100 / by[i] + (int)number[i];
#endif
}
