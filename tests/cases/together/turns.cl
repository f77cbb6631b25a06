// Column i of eight rows holds i. Four times each item adds up a column and puts the sum into its first row: 8 i, and 7 i more
// each time.
// RUN: visor run %s --engine interp --device skl -g 256 -l 256 -a zeros:u32:2048 --print data:40
// OUT: data = 0 29 58 87 116 145 174 203 232 261 290 319 348 377 406 435 464 493 522 551 580 609 638 667 696 725 754 783 812 841 870 899 928 957 986 1015 1044 1073 1102 1131
// RUN: visor run %s --engine jit --device skl -g 256 -l 256 -a zeros:u32:2048 --print data:40
// OUT: data = 0 29 58 87 116 145 174 203 232 261 290 319 348 377 406 435 464 493 522 551 580 609 638 667 696 725 754 783 812 841 870 899 928 957 986 1015 1044 1073 1102 1131
// RUN: visor run %s --engine interp --device pvc -g 256 -l 256 -a zeros:u32:2048 --print data:40
// OUT: data = 0 29 58 87 116 145 174 203 232 261 290 319 348 377 406 435 464 493 522 551 580 609 638 667 696 725 754 783 812 841 870 899 928 957 986 1015 1044 1073 1102 1131
// RUN: visor run %s --engine jit --device pvc -g 256 -l 256 -a zeros:u32:2048 --print data:40
// OUT: data = 0 29 58 87 116 145 174 203 232 261 290 319 348 377 406 435 464 493 522 551 580 609 638 667 696 725 754 783 812 841 870 899 928 957 986 1015 1044 1073 1102 1131
kernel void turns(global uint* data) {
    const uint l = get_local_id(0);
    for (uint row = 0; row < 8; ++row)
        data[row * 256 + l] = l;
    barrier(CLK_GLOBAL_MEM_FENCE);
#pragma unroll 1
    for (uint turn = 0; turn < 4; ++turn) {
        uint sum = 0;
        for (uint row = 0; row < 8; ++row)
            sum += data[row * 256 + l];
        barrier(CLK_GLOBAL_MEM_FENCE);
        data[l] = sum;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
