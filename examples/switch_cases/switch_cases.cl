// A switch with many cases: each work-item interprets a program of its own on a small stack machine.
//
//   visor run examples/switch_cases/switch_cases.cl -g 32 -l 32 -a zeros:i32:32 rand:u8:768:1 24 --print 0:8

#define DEPTH 8

__kernel void switch_cases(__global int* out, __global const uchar* programs, int length) {
    const int i = get_global_id(0);
    int stack[DEPTH] = {i, 1, 2, 3, 4, 5, 6, 7};
    int top = 3;
    for (int at = 0; at < length; ++at) {
        const int code = programs[i * length + at];
        const int a = stack[top], b = stack[(top + DEPTH - 1) % DEPTH];
        int result = a;
        switch (code % 16) {
        case 0: result = a + b; break;
        case 1: result = a - b; break;
        case 2: result = a * b; break;
        case 3: result = a & b; break;
        case 4: result = a | b; break;
        case 5: result = a ^ b; break;
        case 6: result = a << (b & 7); break;
        case 7: result = a >> (b & 7); break;
        case 8: result = ~a; // falls through
        case 9: result = -result; break;
        case 10: result = max(a, b); break;
        case 11:
            top = (top + 1) % DEPTH;
            result = code;
            break;
        case 12: top = (top + DEPTH - 1) % DEPTH; continue;
        case 13: result = a == b; break;
        case 14:
            if (a < 0)
                at += 2;
            break;
        default: result = a + 100000;
        }
        stack[top] = result;
    }
    int sum = 0;
    for (int k = 0; k < DEPTH; ++k)
        sum = sum * 7 + stack[k];
    out[i] = sum;
}
