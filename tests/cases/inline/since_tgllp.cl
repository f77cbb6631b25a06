// Inline assembly with instructions that older devices lack.
// RUN: visor run %d/since_tgllp.json --device tgllp
// ERR: 2 expectations met
// RUN: visor run %d/since_tgllp.json --device dg2
// ERR: 2 expectations met
// RUN: visor run %d/since_tgllp.json --device pvc
// ERR: 2 expectations met

__attribute__((intel_reqd_sub_group_size(16)))
kernel void dot(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int y = b[i];
    int r = 0;
    __asm__ volatile("dp4a (M1, 16) %0(0,0)<1> 0x5:d %1(0,0)<1;1,0> %2(0,0)<1;1,0>"
            : "=rw"(r)
            : "rw"(x), "rw"(y));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void rotate(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    uint x = as_uint(a[i]);
    uint y = as_uint(b[i]);
    uint r = 0;
    __asm__ volatile("{\n"
            ".decl f v_type=G type=ud num_elts=16 alias=<%1, 0>\n"
            ".decl n v_type=G type=ud num_elts=16 alias=<%2, 0>\n"
            ".decl t v_type=G type=ud num_elts=16 alias=<%0, 0>\n"
            "rol (M1, 16) t(0,0)<1> f(0,0)<1;1,0> n(0,0)<1;1,0>\n"
            "}"
            : "=rw"(r)
            : "rw"(x), "rw"(y));
    c[i] = as_int(r);
}
