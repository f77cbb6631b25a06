// What inline assembly is made of: operands of every kind, variables, predicates, labels, loops, messages.
// RUN: visor run %d/blocks.json --device skl
// ERR: 20 expectations met
// RUN: visor run %d/blocks.json --device icllp
// ERR: 20 expectations met
// RUN: visor run %d/blocks.json --device tgllp
// ERR: 20 expectations met
// RUN: visor run %d/blocks.json --device dg2
// ERR: 20 expectations met
// RUN: visor run %d/blocks.json --device pvc
// ERR: 20 expectations met

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__attribute__((intel_reqd_sub_group_size(16)))
kernel void wide_product(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int y = b[i];
    int high = 0;
    __asm__ volatile("{\n"
            ".decl both v_type=G type=d num_elts=32 align=GRF\n"
            ".decl upper v_type=G type=d num_elts=16 align=GRF alias=<both, 64>\n"
            "madw (M1, 16) both(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0> 0x7:d\n"
            "mov (M1, 16) %0(0,0)<1> upper(0,0)<1;1,0>\n"
            "}"
            : "=rw"(high)
            : "rw"(x), "rw"(y));
    c[i] = high;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void if_else(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int y = b[i];
    int r = 0;
    __asm__ volatile("{\n"
            ".decl P v_type=P num_elts=16\n"
            "cmp.gt (M1, 16) P %1(0,0)<1;1,0> 0x0:d\n"
            "(!P) goto (M1, 16) otherwise\n"
            "add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
            "goto (M1, 16) both\n"
            "otherwise:\n"
            "mul (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
            "both:\n"
            "}"
            : "=rw"(r)
            : "rw"(x), "rw"(y));
    c[i] = r;
}

// As many rounds as each lane wants.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void loop(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int y = b[i];
    int r = 0;
    __asm__ volatile("{\n"
            ".decl P v_type=P num_elts=16\n"
            ".decl n v_type=G type=d num_elts=16 align=GRF\n"
            "mov (M1, 16) n(0,0)<1> 0x0:d\n"
            "mov (M1, 16) %0(0,0)<1> 0x0:d\n"
            "again:\n"
            "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>\n"
            "add (M1, 16) n(0,0)<1> n(0,0)<1;1,0> 0x1:d\n"
            "cmp.lt (M1, 16) P n(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
            "(P) goto (M1, 16) again\n"
            "}"
            : "=rw"(r)
            : "rw"(x), "rw"(y));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void jump(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int r = 0;
    __asm__ volatile("{\n"
            "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n"
            "jmp (M1, 1) behind\n"
            "mov (M1, 16) %0(0,0)<1> 0x0:d\n"
            "behind:\n"
            "not (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>\n"
            "}"
            : "=rw"(r)
            : "rw"(x));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void named_operands(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int y = b[i];
    int r = 0;
    __asm__ volatile("add (M1, 16) %[to](0,0)<1> %[from](0,0)<1;1,0> (-)%[less](0,0)<1;1,0>"
            : [to] "=rw"(r)
            : [from] "rw"(x), [less] "rw"(y));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void immediate(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int r = 0;
    __asm__ volatile("or (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2"
            : "=rw"(r)
            : "rw"(x), "i"(0x1234));
    c[i] = r;
}

// Two results.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void two_lines(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int y = b[i];
    int p = 1;
    int q = 2;
    __asm__ volatile("shl (M1, 16) %0(0,0)<1> %2(0,0)<1;1,0> 0x5:d\n "
            "xor (M1, 16) %1(0,0)<1> %2(0,0)<1;1,0> %3(0,0)<1;1,0>"
            : "+rw"(p), "+rw"(q)
            : "rw"(x), "rw"(y));
    c[i] = p + 3 * q;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void bytes(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    char x = a[i];
    char y = b[i];
    char r = 0;
    __asm__ volatile("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>"
            : "=rw"(r)
            : "rw"(x), "rw"(y));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void vector(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int4 v = (int4)(a[i], b[i], a[i] ^ b[i], 1);
    int r = 0;
    __asm__ volatile("{\n"
            ".decl y v_type=G type=d num_elts=16 align=GRF alias=<%1, 64>\n"
            ".decl z v_type=G type=d num_elts=16 align=GRF alias=<%1, 128>\n"
            "mad (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:w y(0,0)<1;1,0>\n"
            "xor (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> z(0,0)<1;1,0>\n"
            "}"
            : "=rw"(r)
            : "rw"(v));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void gather(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int r = 0;
    __asm__ volatile("svm_gather.4.1 (M1, 16) %1.0 %0.0"
            : "=rw"(r)
            : "rw"(&a[i ^ 1]));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void scatter(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int r = a[i] + 1;
    __asm__ volatile("svm_scatter.4.1 (M1, 16) %0.0 %1.0" : : "rw"(&c[31 - i]), "rw"(r));
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void block(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int r = 0;
    int first = i & ~15;
    __asm__ volatile("{\n"
            ".decl from v_type=G type=uq num_elts=16 alias=<%1, 0>\n"
            "svm_block_ld (4) from(0,0)<0;1,0> %0.0\n"
            "}"
            : "=rw"(r)
            : "rw"(&a[first]));
    c[i] = r;
}

// Every lane gets what its third neighbour has.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void indirect(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int r = 0;
    __asm__ volatile("{\n"
            ".decl at v_type=A num_elts=1\n"
            "addr_add (M1_NM, 1) at(0)<1> &%1 0x8:w\n"
            "mov (M1, 16) %0(0,0)<1> r[at(0),0]<0;1,0>:d\n"
            "}"
            : "=rw"(r)
            : "rw"(x));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void choose(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int y = b[i];
    int r = 0;
    __asm__ volatile("{\n"
            ".decl P v_type=P num_elts=16\n"
            "cmp.le (M1, 16) P %1(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
            "(P) sel (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
            "}"
            : "=rw"(r)
            : "rw"(x), "rw"(y));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void insert_bits(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    int x = a[i];
    int y = b[i];
    int r = 0;
    __asm__ volatile("bfi (M1, 16) %0(0,0)<1> 0x8:d 0x4:d %1(0,0)<1;1,0> %2(0,0)<1;1,0>"
            : "=rw"(r)
            : "rw"(x), "rw"(y));
    c[i] = r;
}

// An empty block, and one without operands.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void nothing(global int* a, global int* b, global int* c) {
    int i = get_global_id(0);
    __asm__ volatile("");
    int r = a[i];
    __asm__ volatile("barrier");
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void saturated(global float* a, global float* b, global float* c) {
    int i = get_global_id(0);
    float x = a[i];
    float r = 0;
    __asm__ volatile("add.sat (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0.5:f"
            : "=rw"(r)
            : "rw"(x));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void float_constant(global float* a, global float* b, global float* c) {
    int i = get_global_id(0);
    float x = a[i];
    float r = 0;
    __asm__ volatile("mul (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2"
            : "=rw"(r)
            : "rw"(x), "i"(0.375f));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void towards_zero(global float* a, global float* b, global float* c) {
    int i = get_global_id(0);
    float x = a[i];
    int r = 0;
    __asm__ volatile("{\n"
            ".decl t v_type=G type=f num_elts=16 align=GRF\n"
            "rndz (M1, 16) t(0,0)<1> %1(0,0)<1;1,0>\n"
            "mov (M1, 16) %0(0,0)<1> t(0,0)<1;1,0>\n"
            "}"
            : "=rw"(r)
            : "rw"(x));
    c[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void half_product(global float* a, global float* b, global float* c) {
    int i = get_global_id(0);
    half x = (half)a[i];
    half r = 0;
    __asm__ volatile("mul (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> (-)%1(0,0)<1;1,0>"
            : "=rw"(r)
            : "rw"(x));
    c[i] = r;
}
