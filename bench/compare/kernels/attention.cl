// One query a group: products with 256 keys, softmax (largest, exponentials, sum; six barriers each), values weighed.
// The keys lie feature by feature.
#define KEYS 256
#define WIDTH 64

__attribute__((reqd_work_group_size(WIDTH, 1, 1)))
kernel void attention(global float* to, global const float* queries, global const float* keys,
                      global const float* values, float scale) {
    local float weights[KEYS];
    local float part[WIDTH];
    const int l = get_local_id(0);
    global const float* query = queries + get_group_id(0) * WIDTH;
    float largest = -INFINITY;
    for (int key = l; key < KEYS; key += WIDTH) {
        float score = 0;
        for (int f = 0; f < WIDTH; ++f)
            score = fma(query[f], keys[f * KEYS + key], score);
        score *= scale;
        weights[key] = score;
        largest = fmax(largest, score);
    }
    part[l] = largest;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = WIDTH / 2; half_size > 0; half_size /= 2) {
        if (l < half_size)
            part[l] = fmax(part[l], part[l + half_size]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    largest = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int key = l; key < KEYS; key += WIDTH) {
        const float weight = exp(weights[key] - largest);
        weights[key] = weight;
        sum += weight;
    }
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = WIDTH / 2; half_size > 0; half_size /= 2) {
        if (l < half_size)
            part[l] += part[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float result = 0;
    for (int key = 0; key < KEYS; ++key)
        result = fma(weights[key], values[key * WIDTH + l], result);
    to[get_group_id(0) * WIDTH + l] = result / part[0];
}
