// The nearest center of each point, and how many points each center gets: counted in local memory first.
kernel void kmeans(global int* labels, global uint* sizes, global const float* points, global const float* centers,
                   int count, int clusters, int features) {
    local uint of_group[256];
    const int l = get_local_id(0);
    const int i = get_global_id(0);
    of_group[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float least = INFINITY;
    int nearest = 0;
    for (int c = 0; c < clusters; ++c) {
        float distance = 0;
        for (int f = 0; f < features; ++f) {
            const float difference = points[f * count + i] - centers[c * features + f];
            distance = fma(difference, difference, distance);
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    labels[i] = nearest;
    atomic_inc(&of_group[nearest]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < clusters)
        atomic_add(&sizes[l], of_group[l]);
}
