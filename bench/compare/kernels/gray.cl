kernel void gray(global uchar* out, global const uchar* colors) {
    const int i = get_global_id(0);
    const uchar3 color = vload3(i, colors);
    out[i] = (color.x * 77 + color.y * 151 + color.z * 28) >> 8;
}
