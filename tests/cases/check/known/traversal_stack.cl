// A tree is walked with a stack that is too small for it.
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:32 fill:i32:32:6 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 32 -l 32 -a zeros:i32:32 fill:i32:32:6 --check=all
// ERR: [register-bounds]
// EXIT: 1
// RUN: visor run %s --device pvc -g 32 -l 32 -a zeros:i32:32 fill:i32:32:6 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 32 -l 32 -a zeros:i32:32 fill:i32:32:6 --check=all
// ERR: [register-bounds]
// EXIT: 1
#ifdef BUG
#define ROOM 4
#else
#define ROOM 8
#endif
kernel void traversal_stack(global int* out, global const int* depth) {
    int stack[ROOM];
    const int i = get_global_id(0);
    int top = 0, sum = 0;
    stack[0] = 1;
    for (int node = 1; node <= depth[i]; ++node) {
        const int last = stack[top];
        stack[++top] = last + node * i;
    }
    while (top >= 0)
        sum += stack[top--];
    out[i] = sum;
}
