// A matrix times a vector: one group a row, each work-item some columns, and a sum over the group.
//
//   visor run examples/matvec/matvec.cl -g 512 -l 32 -a zeros:f32:16 iota:f32:16x40 fill:f32:40:1 local:128 40
//       --print 0:8

__kernel void matvec(__global float* out, __global const float* matrix, __global const float* vector,
                     __local float* sums, int columns) {
    const int row = get_group_id(0), me = get_local_id(0), size = get_local_size(0);
    float sum = 0.0f;
    for (int c = me; c < columns; c += size)
        sum = fma(matrix[row * columns + c], vector[c], sum);
    sums[me] = sum;
    for (int half_size = size / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < half_size)
            sums[me] += sums[me + half_size];
    }
    if (me == 0)
        out[row] = sums[0];
}
