import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Kernels whose results Java computes, too, bit by bit. Without a name main lists them. */
final class Cases {
    private static final int size = 1024;
    private static final int group = 64;
    private static final String groups = "__attribute__((reqd_work_group_size(" + group + ", 1, 1)))\n";

    record Case(String source, int[][] inputs, int[] expected) {}

    interface Element {
        int of(int index);
    }

    static int[] each(int count, Element element) {
        int[] values = new int[count];
        for (int i = 0; i < count; ++i) {
            values[i] = element.of(i);
        }
        return values;
    }

    static String kernel(int inputs, String body) {
        StringBuilder text = new StringBuilder("#pragma OPENCL FP_CONTRACT OFF\n" + groups + "kernel void f(");
        for (int i = 0; i < inputs; ++i) {
            text.append("global const int *").append((char) ('a' + i)).append(", ");
        }
        return text + "global int *o) { int i = get_global_id(0); int l = get_local_id(0);\n" + body + "\n}\n";
    }

    static long wide(int low, int high) {
        return ((long) high << 32) | (low & 0xFFFFFFFFL);
    }

    static int half(long value, int index) {
        return (int) (value >> (32 * (index % 2)));
    }

    static int addSaturated(int a, int b) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, (long) a + b));
    }

    static int collatz(int start) {
        int steps = 0;
        for (long n = start; n != 1; ++steps) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        }
        return steps;
    }

    static Map<String, Case> all() {
        Random random = new Random(5);
        int[] a = random.ints(size).toArray();
        int[] b = random.ints(size).toArray();
        int[] small = random.ints(size, 1, 1000).toArray();
        int[] floats = each(size, i -> Float.floatToRawIntBits((random.nextFloat() - 0.5f) * 1000));
        int[] more = each(size, i -> Float.floatToRawIntBits((random.nextFloat() - 0.5f) * 1000));
        double[] wide = random.doubles(size, -1e6, 1e6).toArray();
        int[] doubles = each(2 * size, i -> half(Double.doubleToRawLongBits(wide[i / 2]), i));
        Map<String, Case> cases = new LinkedHashMap<>();
        cases.put("integers", new Case(kernel(2, "o[i] = a[i] * 31 + (b[i] >> 3) ^ i;"), new int[][] {a, b},
                each(size, i -> a[i] * 31 + (b[i] >> 3) ^ i)));
        cases.put("divisions", new Case(kernel(2, "o[2 * i] = a[i] / b[i]; o[2 * i + 1] = a[i] % b[i];"),
                new int[][] {a, small}, each(2 * size, i -> {
                    int x = a[i / 2];
                    return i % 2 == 0 ? x / small[i / 2] : x % small[i / 2];
                })));
        cases.put("unsigned_divisions", new Case(kernel(2, "o[i] = (uint)a[i] / (uint)b[i];"), new int[][] {a, small},
                each(size, i -> Integer.divideUnsigned(a[i], small[i]))));
        cases.put("longs", new Case(kernel(3, "long x = as_long((int2)(a[i], b[i])); long y = c[i];\n"
                + "vstore2(as_int2(x * y + x / y - x % y), i, o);"), new int[][] {a, b, small}, each(2 * size, i -> {
                    long x = wide(a[i / 2], b[i / 2]);
                    long y = small[i / 2];
                    return half(x * y + x / y - x % y, i);
                })));
        cases.put("bits", new Case(kernel(2, "o[i] = popcount(a[i]) * 64 + clz(b[i]) + rotate(a[i], b[i] & 31);"),
                new int[][] {a, b}, each(size, i -> Integer.bitCount(a[i]) * 64 + Integer.numberOfLeadingZeros(b[i])
                        + Integer.rotateLeft(a[i], b[i] & 31))));
        cases.put("saturation", new Case(kernel(2, "o[i] = add_sat(a[i], b[i]) ^ mul_hi(a[i], b[i]);"),
                new int[][] {a, b}, each(size, i -> addSaturated(a[i], b[i]) ^ (int) ((long) a[i] * b[i] >> 32))));
        cases.put("singles", new Case(kernel(2, "float x = as_float(a[i]), y = as_float(b[i]);\n"
                + "o[i] = as_int(x * y - (x + y));"), new int[][] {floats, more}, each(size, i -> {
                    float x = Float.intBitsToFloat(floats[i]);
                    float y = Float.intBitsToFloat(more[i]);
                    return Float.floatToRawIntBits(x * y - (x + y));
                })));
        cases.put("fma", new Case(kernel(2, "float x = as_float(a[i]), y = as_float(b[i]);\n"
                + "o[i] = as_int(fma(x, y, -x));"), new int[][] {floats, more}, each(size, i -> {
                    float x = Float.intBitsToFloat(floats[i]);
                    return Float.floatToRawIntBits(Math.fma(x, Float.intBitsToFloat(more[i]), -x));
                })));
        cases.put("doubles", new Case(kernel(1, "double x = as_double(vload2(i, a));\n"
                + "vstore2(as_int2(fma(x, x, 1.0) * 0.1 - x), i, o);"), new int[][] {doubles}, each(2 * size, i -> {
                    double x = wide[i / 2];
                    return half(Double.doubleToRawLongBits(Math.fma(x, x, 1.0) * 0.1 - x), i);
                })));
        cases.put("conversions", new Case(kernel(1, "float x = as_float(a[i]);\n"
                + "o[i] = convert_int_rte(x) * 256 + convert_char_sat(x) + as_int((float)a[i]);"), new int[][] {floats},
                each(size, i -> {
                    float x = Float.intBitsToFloat(floats[i]);
                    int narrow = Math.max(-128, Math.min(127, (int) x));
                    return (int) Math.rint(x) * 256 + narrow + Float.floatToRawIntBits((float) floats[i]);
                })));
        cases.put("bytes", new Case(kernel(1, "uchar4 x = as_uchar4(a[i]);\n"
                + "o[i] = as_int(x.wxzy + (uchar4)(1, 2, 3, 4));"),
                new int[][] {a}, each(size, i -> (((a[i] >>> 24) + 1) & 255) | (((a[i] & 255) + 2 & 255) << 8)
                        | ((((a[i] >> 16) & 255) + 3 & 255) << 16) | (((a[i] >> 8 & 255) + 4 & 255) << 24))));
        cases.put("divergence", new Case(kernel(1, "int n = 0; for (long x = a[i]; x != 1; ++n) "
                + "x = x % 2 == 0 ? x / 2 : 3 * x + 1; o[i] = n;"), new int[][] {small},
                each(size, i -> collatz(small[i]))));
        cases.put("reduction", new Case(kernel(1, "local int s[64]; s[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
                + "for (int d = 32; d > 0; d /= 2) { if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
                + "if (l == 0) o[get_group_id(0)] = s[0];"), new int[][] {a}, each(size / group, i -> {
                    int sum = 0;
                    for (int k = 0; k < group; ++k) {
                        sum += a[i * group + k];
                    }
                    return sum;
                })));
        int[] scanned = a.clone();
        for (int i = 0; i < size; ++i) {
            scanned[i] += i % group == 0 ? 0 : scanned[i - 1];
        }
        cases.put("scan", new Case(kernel(1, "local int s[64]; s[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
                + "for (int d = 1; d < 64; d *= 2) { int x = l >= d ? s[l - d] : 0; barrier(CLK_LOCAL_MEM_FENCE);\n"
                + "s[l] += x; barrier(CLK_LOCAL_MEM_FENCE); } o[i] = s[l];"), new int[][] {a}, scanned));
        int[] counts = new int[16];
        for (int x : a) {
            ++counts[x & 15];
        }
        cases.put("histogram", new Case(kernel(1, "atomic_inc(o + (a[i] & 15));"), new int[][] {a}, counts));
        cases.put("matrix", new Case(kernel(2, "int r = i / 32, c = i % 32, s = 0;\n"
                + "for (int k = 0; k < 32; ++k) s += a[r * 32 + k] * b[k * 32 + c]; o[i] = s;"), new int[][] {a, b},
                each(size, i -> {
                    int sum = 0;
                    for (int k = 0; k < 32; ++k) {
                        sum += a[i / 32 * 32 + k] * b[k * 32 + i % 32];
                    }
                    return sum;
                })));
        return cases;
    }

    /** Runs one case, or lists all; ends the process with 1 when a value differs. */
    static void main(String[] names, Library library) throws Exception {
        if (names.length == 0) {
            all().keySet().forEach(System.out::println);
            return;
        }
        Case one = all().get(names[0]);
        int[] got = library.run(one.source, one.inputs, one.expected.length, size, group);
        for (int i = 0; i < got.length; ++i) {
            if (got[i] != one.expected[i]) {
                System.out.println("WRONG element " + i + ": " + got[i] + ", not " + one.expected[i]);
                System.exit(1);
            }
        }
        System.out.println("good");
    }
}
