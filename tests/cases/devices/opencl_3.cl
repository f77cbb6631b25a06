// OpenCL C 3.0 on every device, those without images included.
// RUN: visor run %s --device skl --options -cl-std=CL3.0 -g 4 -a zeros:i32:4 --print 0
// OUT: 0 = 6 6 6 6
// RUN: visor run %s --device icllp --options -cl-std=CL3.0 -g 4 -a zeros:i32:4 --print 0
// OUT: 0 = 6 6 6 6
// RUN: visor run %s --device tgllp --options -cl-std=CL3.0 -g 4 -a zeros:i32:4 --print 0
// OUT: 0 = 6 6 6 6
// RUN: visor run %s --device dg2 --options -cl-std=CL3.0 -g 4 -a zeros:i32:4 --print 0
// OUT: 0 = 6 6 6 6
// RUN: visor run %s --device pvc --options -cl-std=CL3.0 -g 4 -a zeros:i32:4 --print 0
// OUT: 0 = 6 6 6 6

kernel void sums(global int* out) {
    out[get_global_id(0)] = work_group_reduce_add((int)get_local_id(0));
}
