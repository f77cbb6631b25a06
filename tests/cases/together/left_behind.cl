// What a group leaves in memory that is its own is no other's: what nobody wrote is 0 in every group, however many the
// code goes on with. Each item of `kept` writes eight of its 256 places and adds up all; each group of `shared` writes ten
// of 256. In `early` all hardware threads but the first of group 37 end before the barrier at which it waits. The last two count
// who found what is right, and who did not; the first counts the former by lane, one group after the other, without atomics:
// those would let its threads stop in the midst of the code, and its scratch memory would always be cleared.
// RUN: visor run %s -k kept --device skl --engine interp -g 6400 -l 64 -a zeros:u32:32 8 --print right:32
// OUT: right = 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
// RUN: visor run %s -k kept --device skl --engine jit -g 6400 -l 64 -a zeros:u32:32 8 --print right:32
// OUT: right = 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
// RUN: visor run %s -k kept --device pvc --engine interp -g 6400 -l 64 -a zeros:u32:32 8 --print right:32
// OUT: right = 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
// RUN: visor run %s -k kept --device pvc --engine jit -g 6400 -l 64 -a zeros:u32:32 8 --print right:32
// OUT: right = 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
// RUN: visor run %s -k shared --device skl --engine interp -g 6400 -l 64 -a zeros:u32:2 10 --print right:2
// OUT: right = 100 0
// RUN: visor run %s -k shared --device skl --engine jit -g 6400 -l 64 -a zeros:u32:2 10 --print right:2
// OUT: right = 100 0
// RUN: visor run %s -k shared --device pvc --engine interp -g 6400 -l 64 -a zeros:u32:2 10 --print right:2
// OUT: right = 100 0
// RUN: visor run %s -k shared --device pvc --engine jit -g 6400 -l 64 -a zeros:u32:2 10 --print right:2
// OUT: right = 100 0
// RUN: visor run %s -k early --device skl --engine interp -g 6400 -l 64 -a zeros:u32:2 --print right:2
// OUT: right = 6400 0
// RUN: visor run %s -k early --device skl --engine jit -g 6400 -l 64 -a zeros:u32:2 --print right:2
// OUT: right = 6400 0
// RUN: visor run %s -k early --device pvc --engine interp -g 6400 -l 64 -a zeros:u32:2 --print right:2
// OUT: right = 6400 0
// RUN: visor run %s -k early --device pvc --engine jit -g 6400 -l 64 -a zeros:u32:2 --print right:2
// OUT: right = 6400 0
kernel void kept(global uint* right, uint count) {
    uint places[256];
    const uint id = get_global_id(0);
    for (uint k = 0; k < count; ++k)
        places[(k * 7 + id) & 255] = id + 1;
    uint sum = 0;
    for (uint k = 0; k < 256; ++k)
        sum += places[(k * 3 + id) & 255];
    right[id & 31] += sum == count * (id + 1) ? 1 : 0;
}
kernel void shared(global uint* right, uint count) {
    local uint places[256];
    const uint item = get_local_id(0);
    const uint group = get_group_id(0);
    if (item < count)
        places[(item * 3 + group) & 255] = group + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint k = 0; k < 256; ++k)
        sum += places[k];
    if (item == 0)
        atomic_inc(right + (sum == count * (group + 1) ? 0 : 1));
}
kernel void early(global uint* right) {
    local uint places[64];
    const uint item = get_local_id(0);
    const uint group = get_group_id(0);
    places[item] = group + 1;
    if (group == 37 && item >= 32) {
        atomic_inc(right);
        return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(right + (places[item] + places[item ^ 32] == 2 * (group + 1) ? 0 : 1));
}
