// As saxpy.cl, with -options -cl-std=CL2.0.
kernel __attribute__((reqd_work_group_size(8, 4, 2))) void
locals(global int* out, local char* a, local int4* b, local float* c, constant int* table) {
    local int fixed[5];
    size_t i = get_local_linear_id();
    fixed[i % 5] = a[i] = table[i];
    b[i] = i;
    c[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = fixed[i % 3] + a[i ^ 1] + b[i ^ 1].y + c[i ^ 1];
}
