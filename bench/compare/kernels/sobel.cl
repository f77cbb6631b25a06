// Edges of a grey image by Sobel's two masks; outside, the border goes on.
kernel void sobel(global uchar* to, global const uchar* from, int width, int height) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int left = max(x - 1, 0);
    const int right = min(x + 1, width - 1);
    global const uchar* above = from + max(y - 1, 0) * width;
    global const uchar* here = from + y * width;
    global const uchar* below = from + min(y + 1, height - 1) * width;
    const int across = above[right] + 2 * here[right] + below[right] - above[left] - 2 * here[left] - below[left];
    const int down = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
    to[y * width + x] = min(abs(across) + abs(down), 255u);
}
