// The host packs structs of five bytes, the kernel takes them to be of eight.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 zeros:u8:320 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 zeros:u8:320 --check=all
// ERR: [out-of-bounds-read]
// EXIT: 1
#ifdef BUG
struct Entry { int key; char kind; };
#else
struct __attribute__((packed)) Entry { int key; char kind; };
#endif
kernel void struct_size(global int* out, global const struct Entry* entries) {
    const int i = get_global_id(0);
    out[i] = entries[i].kind;
}
