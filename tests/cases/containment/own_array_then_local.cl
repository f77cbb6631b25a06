// A work-item writes in front of its own private array, where its registers hold the local ids; after the barrier
// the ids are read again as places in shared local memory. Such a store is a fault in both engines (ruling 147).
// RUN: visor run %s -g 64 -a out=zeros:i32:128 in=zeros:i32:64 at=-56 value=0x7fff7fff --device skl --engine interp
// ERR: indirect operand outside the variables whose address is taken
// EXIT: 1
// RUN: visor run %s -g 64 -a out=zeros:i32:128 in=zeros:i32:64 at=-56 value=0x7fff7fff --device skl --engine jit
// ERR: indirect operand outside the variables whose address is taken
// EXIT: 1
// RUN: visor run %s -g 2097152 -a out=zeros:i32:2097216 in=zeros:i32:64 at=-56 value=0x7fff7fff --device skl
// ERR: indirect operand outside the variables whose address is taken
// EXIT: 1
// RUN: visor run %s -g 64 -a out=zeros:i32:128 in=zeros:i32:64 at=-56 value=0x7fff7fff --device tgllp --engine jit
// ERR: indirect operand outside the variables whose address is taken
// EXIT: 1
// RUN: visor run %s -g 64 -a out=zeros:i32:128 in=zeros:i32:64 at=-56 value=0x7fff7fff --device dg2 --engine jit
// ERR: indirect operand outside the variables whose address is taken
// EXIT: 1
// RUN: visor run %s -g 64 -a out=zeros:i32:128 in=zeros:i32:64 at=-64 value=0x7fff7fff --device pvc --engine interp
// ERR: indirect operand outside the variables whose address is taken
// EXIT: 1
// RUN: visor run %s -g 64 -a out=zeros:i32:128 in=zeros:i32:64 at=-64 value=0x7fff7fff --device pvc --engine jit
// ERR: indirect operand outside the variables whose address is taken
// EXIT: 1
// Inside the array all is well: a[3] is 9, and (5 j + 9) & 7 is 3 for j = 2 and j = 10.
// RUN: visor run %s -g 64 -a out=zeros:i32:128 in=zeros:i32:64 at=3 value=9 --device skl --engine interp --print out:66
// OUT: out = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 18 18
// RUN: visor run %s -g 64 -a out=zeros:i32:128 in=zeros:i32:64 at=3 value=9 --device skl --engine jit --print out:66
// OUT: out = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 18 18
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k(__global int *out, __global const int *in, int at, int value)
{
    __local int s[64 * 256];
    int a[12];
    for (int j = 0; j < 12; ++j)
        a[j] = in[j];
    s[in[0] & 63] = in[1];
    a[at] = value;
    int sum = 0;
    for (int j = 0; j < 12; ++j)
        sum += a[(j * 5 + value) & 7];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[get_local_id(0) * 256];
    out[get_global_id(0) + 64] = sum;
}
