// CRC-32 of messages: the group fills the table in shared local memory, then each work-item goes through its message.
//
//   visor run examples/crc32/crc32.cl -g 64 -l 64 -a zeros:u32:64 rand:u8:1024:1 16 --print 0:4

__kernel void crc32(__global uint* sums, __global const uchar* messages, int length) {
    __local uint table[256];
    for (uint entry = get_local_id(0); entry < 256; entry += get_local_size(0)) {
        uint rest = entry;
        for (int bit = 0; bit < 8; ++bit)
            rest = rest >> 1 ^ (rest & 1 ? 0xedb88320u : 0);
        table[entry] = rest;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = get_global_id(0);
    uint sum = ~0u;
    for (int k = 0; k < length; ++k)
        sum = sum >> 8 ^ table[(sum ^ messages[i * length + k]) & 0xff];
    sums[i] = ~sum;
}
