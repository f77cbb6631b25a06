// Messages of newer devices in inline assembly.
// RUN: visor run %d/lsc.json --device dg2
// ERR: 3 expectations met
// RUN: visor run %d/lsc.json --device pvc
// ERR: 3 expectations met

__attribute__((intel_reqd_sub_group_size(16)))
kernel void messages(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int r = 0;
    __asm__ volatile("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64\n "
            "lsc_store.ugm (M1, 16) flat[%2]:a64 %0:d32"
            : "=rw"(r)
            : "rw"(&a[i ^ 3]), "rw"(&c[i]));
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void counted(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int one = b[i];
    __asm__ volatile("lsc_atomic_iadd.ugm (M1, 16) %%null:d32 flat[%0]:a64 %1 %%null" : : "rw"(&c[i / 4]), "rw"(one));
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void pairs(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int2 v;
    __asm__ volatile("lsc_load.ugm (M1, 16) %0:d32x2 flat[%1]:a64"
            : "=rw"(v)
            : "rw"(&a[2 * (i & 15)]));
    c[i] = v.x - v.y;
}
