// Sums of what comes before, in groups of 512, up and down a tree (after Blelloch); the groups' sums beside it.
#define ITEMS 512

__attribute__((reqd_work_group_size(ITEMS / 2, 1, 1)))
kernel void scan(global uint* to, global uint* sums, global const uint* from) {
    local uint tree[ITEMS];
    const int l = get_local_id(0);
    const size_t base = get_group_id(0) * ITEMS;
    tree[2 * l] = from[base + 2 * l];
    tree[2 * l + 1] = from[base + 2 * l + 1];
    int reach = 1;
    for (int pairs = ITEMS / 2; pairs > 0; pairs /= 2, reach *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < pairs)
            tree[reach * (2 * l + 2) - 1] += tree[reach * (2 * l + 1) - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        sums[get_group_id(0)] = tree[ITEMS - 1];
        tree[ITEMS - 1] = 0;
    }
    for (int pairs = 1; pairs < ITEMS; pairs *= 2) {
        reach /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < pairs) {
            const int i = reach * (2 * l + 1) - 1;
            const uint before = tree[i + reach];
            tree[i + reach] += tree[i];
            tree[i] = before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    to[base + 2 * l] = tree[2 * l];
    to[base + 2 * l + 1] = tree[2 * l + 1];
}
