// statistics.cl holds the functions of a reduction that its host program generates; this is one of its own.
#include "doubleword.cl"
#include "statistics.cl"

kernel void statistics(global float* data, global float8* result, int count) {
    float8 sum = map_statistics(data, get_global_id(0));
    for (int at = get_global_id(0) + get_global_size(0); at < count; at += get_global_size(0))
        sum = reduce_statistics(sum, map_statistics(data, at));
    result[get_global_id(0)] = sum;
}

kernel void statistics_simple(global float* data, global float8* result, int count) {
    float8 sum = map_statistics(data, get_global_id(0));
    for (int at = get_global_id(0) + get_global_size(0); at < count; at += get_global_size(0))
        sum = reduce_statistics_simple(sum, map_statistics(data, at));
    result[get_global_id(0)] = sum;
}
