// As saxpy.cl, with -options -cl-std=CL2.0.
kernel __attribute__((intel_reqd_sub_group_size(16))) void sums(global int* out) {
    out[get_global_id(0)] = sub_group_reduce_add(out[get_global_id(0)]);
}
