// Blocks of inline assembly with variables of their own. The compiler writes them without their braces, one declaration
// behind the other (ruling 97).
// RUN: visor run %d/scopes.json --device skl
// ERR: 4 expectations met
// RUN: visor run %d/scopes.json --device icllp
// ERR: 4 expectations met
// RUN: visor run %d/scopes.json --device tgllp
// ERR: 4 expectations met
// RUN: visor run %d/scopes.json --device dg2
// ERR: 4 expectations met
// RUN: visor run %d/scopes.json --device pvc
// ERR: 4 expectations met

// The same name twice, for variables that are alike.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void side_by_side(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int r = b[0];
    int x = a[i];
    int y = b[i];
    __asm__ volatile("{\n"
            ".decl t v_type=G type=d num_elts=16 align=GRF\n"
            "mul (M1, 16) t(0,0)<1> %1(0,0)<1;1,0> %0(0,0)<1;1,0>\n"
            "add (M1, 16) %0(0,0)<1> t(0,0)<1;1,0> (-)%2(0,0)<1;1,0>\n"
            "}"
            : "+rw"(r)
            : "rw"(x), "rw"(y));
    __asm__ volatile("{\n"
            ".decl t v_type=G type=d num_elts=16 align=GRF\n"
            "xor (M1, 16) t(0,0)<1> %2(0,0)<1;1,0> %1(0,0)<1;1,0>\n"
            "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> t(0,0)<1;1,0>\n"
            "}"
            : "+rw"(r)
            : "rw"(x), "rw"(y));
    c[i] = r;
}

// One block, of which the compiler makes four.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void unrolled(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int r = 0;
    for (int k = 0; k < 4; k++) {
        int x = a[i] + k;
        int t = 0;
        __asm__ volatile("{\n"
                ".decl q v_type=G type=d num_elts=16 align=GRF\n"
                "mul (M1, 16) q(0,0)<1> %1(0,0)<1;1,0> 0x3:d\n"
                "add (M1, 16) %0(0,0)<1> q(0,0)<1;1,0> 0x1:d\n"
                "}"
                : "=rw"(t)
                : "rw"(x));
        r += t;
    }
    c[i] = r;
}

// Four blocks whose variables are aliases of something else each time.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void unrolled_alias(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int r = 0;
    for (int k = 0; k < 4; k++) {
        int x = a[i] + 5 * k;
        int t = 0;
        __asm__ volatile("{\n"
                ".decl q v_type=G type=ud num_elts=16 align=GRF alias=<%0, 0>\n"
                ".decl from v_type=G type=ud num_elts=16 align=GRF alias=<%1, 0>\n"
                "shr (M1, 16) q(0,0)<1> from(0,0)<1;1,0> 0x3:d\n"
                "add (M1, 16) q(0,0)<1> q(0,0)<1;1,0> 0x1:d\n"
                "}"
                : "=rw"(t)
                : "rw"(x));
        r = r * 3 + t;
    }
    c[i] = r;
}

// The same name for a float and for an int.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void two_types(global float* a, global float* b, global float* c) {
    int i = get_global_id(0);
    float x = a[i];
    float t = 0;
    int n = 0;
    __asm__ volatile("{\n"
            ".decl q v_type=G type=f num_elts=16 align=GRF\n"
            "mul (M1, 16) q(0,0)<1> %1(0,0)<1;1,0> 2.0:f\n"
            "mov (M1, 16) %0(0,0)<1> q(0,0)<1;1,0>\n"
            "}"
            : "=rw"(t)
            : "rw"(x));
    __asm__ volatile("{\n"
            ".decl q v_type=G type=d num_elts=16 align=GRF\n"
            "mov (M1, 16) q(0,0)<1> %1(0,0)<1;1,0>\n"
            "add (M1, 16) %0(0,0)<1> q(0,0)<1;1,0> 0x1:d\n"
            "}"
            : "=rw"(n)
            : "rw"(t));
    c[i] = n;
}
