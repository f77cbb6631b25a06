// Functions that call themselves and each other: Ackermann's function, a sort of each work-item's own part, and an
// expression in text, with a function for each level of its grammar. Lanes come back from different depths.
//
//   visor run examples/recursion/recursion.cl -g 32 -l 16 -a rand:i32:32x12:7 fill:u8:32x16:51 zeros:i32:32x4 --print keys:12

enum { keys_of_each = 12, text_of_each = 16 };

int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

void quicksort(__global int* keys, int low, int high) {
    if (low >= high)
        return;
    const int pivot = keys[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
        while (keys[i] < pivot)
            ++i;
        while (keys[j] > pivot)
            --j;
        if (i <= j) {
            const int key = keys[i];
            keys[i++] = keys[j];
            keys[j--] = key;
        }
    }
    quicksort(keys, low, j);
    quicksort(keys, i, high);
}

// sum: product { "+" product }   product: factor { "*" factor }   factor: digit | "-" factor | "(" sum ")"
// The value in the low half, the place behind what was read in the high one.
uint sum(__global const uchar* text, uint at);

uint factor(__global const uchar* text, uint at) {
    if (text[at] == '(') {
        const uint inner = sum(text, at + 1);
        return inner + (1 << 16);
    }
    if (text[at] == '-') {
        const uint positive = factor(text, at + 1);
        return (positive & 0xffff0000) | (-positive & 0xffff);
    }
    return ((at + 1) << 16) | (text[at] - '0');
}

uint product(__global const uchar* text, uint at) {
    uint left = factor(text, at);
    while (text[left >> 16] == '*') {
        const uint right = factor(text, (left >> 16) + 1);
        left = (right & 0xffff0000) | ((left * right) & 0xffff);
    }
    return left;
}

uint sum(__global const uchar* text, uint at) {
    uint left = product(text, at);
    while (text[left >> 16] == '+') {
        const uint right = product(text, (left >> 16) + 1);
        left = (right & 0xffff0000) | ((left + right) & 0xffff);
    }
    return left;
}

__kernel void recursion(__global int* keys, __global const uchar* texts, __global int* out) {
    const int i = get_global_id(0);
    quicksort(keys + i * keys_of_each, 0, i % keys_of_each);
    const uint read = sum(texts + i * text_of_each, 0);
    out[i * 4] = ackermann(i % 3, i % 5);
    out[i * 4 + 1] = (short)read;
    out[i * 4 + 2] = read >> 16;
    out[i * 4 + 3] = i;
}
