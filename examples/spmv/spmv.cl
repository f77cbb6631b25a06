// A sparse matrix times a vector: rows of different lengths (compressed sparse rows), one work-item a row.
//
//   visor run examples/spmv/spmv.cl -g 4 -l 4 -a zeros:f32:4 iota:i32:5 iota:i32:4 fill:f32:4:2 iota:f32:4 --print 0

__kernel void spmv(__global float* out, __global const int* starts, __global const int* columns,
                   __global const float* values, __global const float* vector) {
    const int row = get_global_id(0);
    float sum = 0.0f;
    for (int k = starts[row]; k < starts[row + 1]; ++k)
        sum += values[k] * vector[columns[k]];
    out[row] = sum;
}
