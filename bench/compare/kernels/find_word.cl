// How often a word stands in each 64 letters.
kernel void find_word(global int* found, global const uchar* text, global const uchar* word, int length) {
    const int begin = get_global_id(0) * 64;
    int count = 0;
    for (int k = 0; k < 64; ++k) {
        int same = 0;
        while (same < length && text[begin + k + same] == word[same])
            ++same;
        count += same == length;
    }
    found[get_global_id(0)] = count;
}
