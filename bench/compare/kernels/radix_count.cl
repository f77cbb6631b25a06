// How often each hexadecimal digit stands in a place of the numbers.
kernel void radix_count(global uint* counts, global const uint* numbers, int count, int shift) {
    local uint digits[16];
    const int l = get_local_id(0);
    if (l < 16)
        digits[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&digits[numbers[i] >> shift & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        counts[l * get_num_groups(0) + get_group_id(0)] = digits[l];
}
