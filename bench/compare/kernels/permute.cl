kernel void permute(global float* out, global const float* in, global const uint* order) {
    const int i = get_global_id(0);
    out[i] = in[order[i]];
}
