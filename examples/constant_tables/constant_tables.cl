// Tables in constant memory: numbers, rows of a matrix, strings and structs, and a table given by the host.
//
//   visor run examples/constant_tables/constant_tables.cl -g 64 -l 32 -a zeros:i32:64 iota:i32:16:7 --print 0:8

typedef struct {
    char letter;
    short weight;
    int values[2];
} Entry;

__constant int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
__constant float thirds[2][3] = {{0.25f, 0.5f, 0.75f}, {1.25f, 1.5f, 1.75f}};
__constant char text[] = "The quick brown fox";
__constant Entry entries[3] = {{'a', 100, {1, 2}}, {'b', -200, {3, 4}}, {'c', 300, {5, 6}}};

__kernel void constant_tables(__global int* out, __constant int* given) {
    const int i = get_global_id(0);
    const Entry entry = entries[i % 3];
    out[i] = squares[i & 7] + (int)(thirds[i & 1][i % 3] * 4.0f) * 100 + text[i % 19] * 1000 + entry.letter +
             entry.weight * entry.values[i & 1] + given[i & 15];
}
