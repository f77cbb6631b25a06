// The compiler makes one load of 16 bytes of loads that overlap: over the end of a buffer that holds no more than what
// the program asks for. Behind the end are zeros (ruling 145), which the program does not take. One that does take
// them, that begins behind the end, or that writes there, is wrong.
// RUN: visor run %s -g 1 -l 1 -a iota:i8:7 iota:i16:7 iota:i32:3 zeros:i32:16 --print 3 --check=all
// OUT: 3 = 3 4 5 4 5 6 3 4 5 4 5 6 0 1 1 2
// ERR: across_the_end.cl:39: note: read of 16 bytes across the end of argument 2 `dwords` (12 bytes) [block-across-the-end]
// ERR: no findings
// RUN: visor run %s --engine interp -g 1 -l 1 -a iota:i8:7 iota:i16:7 iota:i32:3 zeros:i32:16 --print 3
// OUT: 3 = 3 4 5 4 5 6 3 4 5 4 5 6 0 1 1 2
// RUN: visor run %s --engine jit -g 1 -l 1 -a iota:i8:7 iota:i16:7 iota:i32:3 zeros:i32:16 --print 3
// OUT: 3 = 3 4 5 4 5 6 3 4 5 4 5 6 0 1 1 2
// RUN: visor run %s --device pvc -g 1 -l 1 -a iota:i8:7 iota:i16:7 iota:i32:3 zeros:i32:16 --print 3 --check=all
// OUT: 3 = 3 4 5 4 5 6 3 4 5 4 5 6 0 1 1 2
// ERR: across_the_end.cl:39: note: read of 16 bytes across the end of argument 2 `dwords` (12 bytes) [block-across-the-end]
// ERR: no findings
// RUN: visor run %s --engine jit --device pvc -g 1 -l 1 -a iota:i8:7 iota:i16:7 iota:i32:3 zeros:i32:16 --print 3 --check=memory
// OUT: 3 = 3 4 5 4 5 6 3 4 5 4 5 6 0 1 1 2
// ERR: note: read of 16 bytes across the end of argument 2 `dwords` (12 bytes) [block-across-the-end]
// ERR: no findings
// RUN: visor run %s --engine jit --options -DWRITES -g 1 -l 1 -a iota:i8:7 iota:i16:7 iota:i32:3 zeros:i32:16 --check=memory
// ERR: error: write of 1 bytes past the end of argument 0 `bytes` (7 bytes) [out-of-bounds-write]
// EXIT: 1
// RUN: visor run %s --options -DTAKES=3 -g 1 -l 1 -a iota:i8:7 iota:i16:7 iota:i32:3 zeros:i32:16 --check=all
// ERR: error: a value that nobody wrote is stored to global memory [uninitialized-store]
// ERR: reads memory behind a buffer's end
// EXIT: 1
// RUN: visor run %s --device pvc --options -DTAKES=4 -g 1 -l 1 -a iota:i8:7 iota:i16:7 iota:i32:3 zeros:i32:16
// ERR: error: memory access outside every allocation
// EXIT: 1
// RUN: visor run %s --options -DWRITES -g 1 -l 1 -a iota:i8:7 iota:i16:7 iota:i32:3 zeros:i32:16 --check=memory
// ERR: error: write of 1 bytes past the end of argument 0 `bytes` (7 bytes) [out-of-bounds-write]
// ERR: note: the device reaches what pads the buffer to whole dwords
// EXIT: 1
kernel void across_the_end(global char* bytes, constant short* words, constant int* dwords, global int* out) {
    vstore3(convert_int3(vload3(1, bytes)), 0, out);
    vstore3(convert_int3(vload3(1, bytes + 1)), 1, out);
    vstore3(convert_int3(vload3(1, words)), 2, out);
    vstore3(convert_int3(vload3(1, words + 1)), 3, out);
    vstore2(vload2(0, dwords), 0, out + 12);
    vstore2(vload2(0, dwords + 1), 1, out + 12);
#ifdef TAKES
    out[0] = dwords[TAKES];
#endif
#ifdef WRITES
    bytes[7] = 1;
#endif
}
