// Conway's game of life on a torus of bytes.
//
//   visor run examples/game_of_life/game_of_life.cl -g 16,8 -l 8,4 -a zeros:u8:8x16 fill:u8:8x16:1 --print 0:16

__kernel void game_of_life(__global uchar* next, __global const uchar* cells) {
    const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
    int neighbours = 0;
    for (int dy = height - 1; dy <= height + 1; ++dy) {
        for (int dx = width - 1; dx <= width + 1; ++dx) {
            if (dx != width || dy != height)
                neighbours += cells[(y + dy) % height * width + (x + dx) % width];
        }
    }
    const uchar alive = cells[y * width + x];
    next[y * width + x] = neighbours == 3 || (alive && neighbours == 2);
}
