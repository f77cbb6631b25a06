// A step of an n-body simulation: every body is drawn by all others, which the group reads a tile at a time.
//
//   visor run examples/nbody/nbody.cl -g 128 -l 64 -a zeros:f32:512 zeros:f32:512 rand:f32:512:1 zeros:f32:512
//       0.01 --print 0:4

#define TILE 64

__kernel void nbody(__global float4* new_places, __global float4* new_speeds, __global const float4* places,
                    __global const float4* speeds, float time) {
    __local float4 tile[TILE];
    const int i = get_global_id(0), me = get_local_id(0);
    const float4 place = places[i]; // w is the mass
    float3 pull = (float3)(0.0f);
    for (int start = 0; start < (int)get_global_size(0); start += TILE) {
        tile[me] = places[start + me];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) {
            const float3 way = tile[k].xyz - place.xyz;
            const float closeness = rsqrt(dot(way, way) + 0.0625f); // bodies that meet do not explode
            pull += way * (tile[k].w * closeness * closeness * closeness);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float4 speed = (float4)(speeds[i].xyz + pull * time, 0.0f);
    new_speeds[i] = speed;
    new_places[i] = (float4)(place.xyz + speed.xyz * time, place.w);
}
