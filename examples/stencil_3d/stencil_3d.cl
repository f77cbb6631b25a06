// A sum over neighbours in three dimensions, in groups that are boxes: what lies outside of the grid counts as
// nothing.
//
//   visor run examples/stencil_3d/stencil_3d.cl -g 12,10,8 -l 4,5,2 -a zeros:i32:8x10x12 iota:i32:8x10x12
//       --print 0:8

int at(__global const int* in, int3 place, int3 size) {
    if (any(place < 0) || any(place >= size))
        return 0;
    return in[(place.z * size.y + place.y) * size.x + place.x];
}

__kernel void stencil_3d(__global int* out, __global const int* in) {
    const int3 place = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int3 size = (int3)(get_global_size(0), get_global_size(1), get_global_size(2));
    const int3 x = (int3)(1, 0, 0), y = (int3)(0, 1, 0), z = (int3)(0, 0, 1);
    out[(place.z * size.y + place.y) * size.x + place.x] =
        6 * at(in, place, size) - at(in, place - x, size) - at(in, place + x, size) - at(in, place - y, size) -
        at(in, place + y, size) - at(in, place - z, size) - at(in, place + z, size);
}
