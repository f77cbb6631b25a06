// AES-128 as a stream (FIPS 197, counter mode): a block an item, words with the first byte on top. The table joins the
// byte's substitute with its doubled and tripled one, for one row; the other rows have it turned. Its copy is in local
// memory.
uint column(local const uint* table, uint a, uint b, uint c, uint d) {
    return table[a >> 24] ^ rotate(table[b >> 16 & 255], 24u) ^ rotate(table[c >> 8 & 255], 16u) ^
           rotate(table[d & 255], 8u);
}

uint last_column(local const uint* table, uint a, uint b, uint c, uint d) {
    return (table[a >> 24] & 0xff00) << 16 | (table[b >> 16 & 255] & 0xff00) << 8 | (table[c >> 8 & 255] & 0xff00) |
           (table[d & 255] >> 8 & 255);
}

__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void aes(global uint4* to, global const uint4* from, global const uint* table, global const uint4* keys,
                uint nonce) {
    local uint copy[256];
    const int l = get_local_id(0);
    const size_t i = get_global_id(0);
    copy[l] = table[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 s = (uint4)(nonce, 0, 0, (uint)i) ^ keys[0];
#pragma unroll 1
    for (int round = 1; round < 10; ++round)
        s = (uint4)(column(copy, s.x, s.y, s.z, s.w), column(copy, s.y, s.z, s.w, s.x),
                    column(copy, s.z, s.w, s.x, s.y), column(copy, s.w, s.x, s.y, s.z)) ^
            keys[round];
    s = (uint4)(last_column(copy, s.x, s.y, s.z, s.w), last_column(copy, s.y, s.z, s.w, s.x),
                last_column(copy, s.z, s.w, s.x, s.y), last_column(copy, s.w, s.x, s.y, s.z)) ^
        keys[10];
    to[i] = from[i] ^ s;
}
