// Lists built by all work-items at once: each puts itself in front of its bucket's list with one exchange.
//
//   visor run examples/linked_lists/linked_lists.cl -g 256 -l 64
//       -a fill:i32:16:-1 zeros:i32:256 rand:u32:256:1 --print 0 --print 1:8

__kernel void linked_lists(volatile __global int* heads, __global int* next, __global const uint* keys) {
    const int i = get_global_id(0);
    next[i] = atomic_xchg(&heads[keys[i] & 15], i);
}
