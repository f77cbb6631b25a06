// A hash table: a place is looked at, found empty, and taken, without an atomic.
// RUN: visor run %s -g 128 -l 64 -a zeros:i32:32 iota:i32:128 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 128 -l 64 -a zeros:i32:32 iota:i32:128 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 128 -l 64 -a zeros:i32:32 iota:i32:128 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 128 -l 64 -a zeros:i32:32 iota:i32:128 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16)))
kernel void hash_insert(global volatile int* table, global const int* keys) {
    const int key = keys[get_global_id(0)] / 2 % 24 + 1;
    int at = key * 7 % 32;
    for (int tries = 0; tries < 32; ++tries, at = (at + 1) % 32) {
#ifdef BUG
        if (table[at] == 0)
            table[at] = key;
        if (table[at] == key)
            break;
#else
        const int was = atomic_cmpxchg(&table[at], 0, key);
        if (was == 0 || was == key)
            break;
#endif
    }
}
