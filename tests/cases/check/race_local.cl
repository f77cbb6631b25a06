// Threads exchange values in shared local memory: with the barrier nothing is wrong, without it the reads race.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 --check=race,sync
// ERR: no findings
// RUN: visor run %s --options -DNO_BARRIER -g 64 -l 32 -a zeros:i32:64 --check=race,sync
// ERR: data race in shared local memory between hardware threads of a group [data-race]
// ERR: at shared local memory + 0x
// ERR: nothing orders them: no barrier lies between
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void race_local(global int* out) {
    local int tile[32];
    const int l = get_local_id(0);
    tile[l] = l;
#ifndef NO_BARRIER
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    out[get_global_id(0)] = tile[31 - l];
}
