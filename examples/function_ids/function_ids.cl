// Functions that ask for ids and sizes: what a launch tells its kernel in registers, functions find in memory.
//
//   visor run examples/function_ids/function_ids.cl --device pvc -g 16,8 -l 8,4 -a zeros:i32:128x12 --print out:12 --options -cl-ext=+__cl_clang_function_pointers
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

__attribute__((noinline)) int ids(int which) {
    switch (which) {
    case 0: return get_global_id(0);
    case 1: return get_global_id(1);
    case 2: return get_local_id(0);
    case 3: return get_local_id(1);
    case 4: return get_group_id(0);
    default: return get_group_id(1);
    }
}

__attribute__((noinline)) int sizes(int which) {
    switch (which) {
    case 0: return get_global_size(0);
    case 1: return get_global_size(1);
    case 2: return get_local_size(0);
    case 3: return get_local_size(1);
    case 4: return get_num_groups(0) * 10 + get_num_groups(1);
    default: return get_work_dim() * 1000 + get_global_offset(0) * 10 + get_global_offset(1);
    }
}

typedef __typeof__(&ids) Question;

__kernel void function_ids(__global int* out) {
    const int i = (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
    ulong questions[2] = {(ulong)&ids, (ulong)&sizes};
    for (int k = 0; k < 12; ++k) {
        const int at = (i + k) % 12; // lanes ask different questions at a time
        out[i * 12 + at] = ((Question)questions[at / 6])(at % 6);
    }
}
