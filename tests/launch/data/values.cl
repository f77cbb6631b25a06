// As saxpy.cl, with -options -cl-std=CL2.0.
typedef struct {
    float a;
    int b[3];
    char c;
    long d;
} S;

kernel void values(S s, float3 v, char ch, short sh, uchar4 u4, double d, global long* out) {
    out[get_global_id(0)] = s.a + s.b[1] + s.c + s.d + v.x + v.z + ch + sh + u4.y + d;
}
