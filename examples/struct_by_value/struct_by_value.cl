// Structs: one passed by value with fields of many widths, an array of them in memory, and their layout.
//
//   visor run examples/struct_by_value/struct_by_value.cl -g 16 -l 16
//       -a zeros:u8:512 i8:1,i32:2,i64:3,i16:4,i16:5,i16:6,f32:7,i8:8 zeros:i32:16 --print 2

typedef struct {
    char tag;
    int number;
    long wide;
    short triple[3];
    float ratio;
    char end;
} Record; // 32 bytes: each field is aligned

typedef struct __attribute__((packed)) {
    char tag;
    int number;
    short half_word;
} Packed; // 7 bytes

typedef struct {
    Packed packed;
    uchar rest;
    Record record;
} Both;

__kernel void struct_by_value(__global Record* records, Record given, __global int* sums) {
    const int i = get_global_id(0);
    Record mine = given;
    mine.tag += i;
    mine.triple[i % 3] = (short)(mine.triple[(i + 1) % 3] * i);
    mine.wide <<= i;
    mine.ratio *= (float)i;
    mine.end = (char)sizeof(Both);
    if (i != 5)
        records[i] = mine;
    Packed packed = {(char)i, given.number * i, (short)-i};
    sums[i] = packed.tag + packed.number + packed.half_word + (int)sizeof(Record) * 1000 +
              (int)sizeof(Packed) * 100000;
}
