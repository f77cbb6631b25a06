// Where a word occurs in a text: every work-item tries one place, and the hits are collected with an atomic.
//
//   visor run examples/string_search/string_search.cl -g 64 -l 32 -a zeros:i32:64 zeros:i32:1 fill:u8:64:97 64
//       fill:u8:3:97 3 --print 1

__kernel void string_search(__global int* hits, volatile __global int* count, __global const char* text, int length,
                            __constant char* word, int word_length) {
    const int i = get_global_id(0);
    if (i + word_length > length)
        return;
    int k = 0;
    while (k < word_length && text[i + k] == word[k])
        ++k;
    if (k == word_length)
        hits[atomic_inc(count)] = i;
}
