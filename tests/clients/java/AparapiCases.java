import com.aparapi.Kernel;
import com.aparapi.Range;
import com.aparapi.device.Device;
import com.aparapi.device.OpenCLDevice;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Java that Aparapi writes as OpenCL C, compared with the same Java on the host. Without a name main lists all. */
final class AparapiCases {
    private static final int size = 1024;
    private static final int group = 64;
    private static final Random random = new Random(5);
    private static final int[] a = random.ints(size).toArray();
    private static final int[] b = random.ints(size, 1, 1000).toArray();

    /** A kernel, and what it writes to. */
    abstract static class Case extends Kernel {
        final int[] in = a;
        final int[] divisors = b;
        final int[] out = new int[size];
    }

    static class Integers extends Case {
        @Override
        public void run() {
            int i = getGlobalId();
            out[i] = (in[i] * 31 + (in[i] >>> 3) ^ i) / divisors[i] + in[i] % divisors[i];
        }
    }

    static class Loops extends Case {
        @Override
        public void run() {
            int i = getGlobalId();
            int n = divisors[i] % 100 + 1;
            int steps = 0;
            while (n != 1) {
                if (n % 2 == 0) {
                    n = n / 2;
                } else {
                    n = 3 * n + 1;
                }
                steps = steps + 1;
            }
            out[i] = steps;
        }
    }

    static class Longs extends Case {
        @Override
        public void run() {
            int i = getGlobalId();
            long wide = (long) in[i] * in[i] / divisors[i];
            out[i] = (int) (wide ^ (wide >> 32));
        }
    }

    static class Singles extends Case {
        final float[] results = new float[size];

        @Override
        public void run() {
            int i = getGlobalId();
            results[i] = (float) in[i] * (float) divisors[i];
            out[i] = (int) (results[i] / 4096.0f);
        }
    }

    static class Calls extends Case {
        int twice(int x) {
            return x + x;
        }

        @Override
        public void run() {
            int i = getGlobalId();
            out[i] = twice(twice(in[i])) + max(in[i], divisors[i]) - abs(divisors[i]);
        }
    }

    static class Locals extends Case {
        @Local final int[] shared = new int[group];

        @Override
        public void run() {
            int l = getLocalId();
            shared[l] = in[getGlobalId()];
            localBarrier();
            out[getGlobalId()] = shared[group - 1 - l] + shared[(l + 1) % group];
        }
    }

    static class Squares extends Kernel {
        final int[][] grid = new int[32][32];

        @Override
        public void run() {
            int x = getGlobalId(0);
            int y = getGlobalId(1);
            grid[y][x] = x * 100 + y * y;
        }
    }

    static void same(int got, int expected, int index) {
        if (got != expected) {
            System.out.println("WRONG element " + index + ": " + got + ", not " + expected);
            System.exit(1);
        }
    }

    interface Expected {
        int of(int index);
    }

    /** Runs on the device and nowhere else: Aparapi falls back to threads of Java by itself. */
    static void run(Kernel kernel, Range range) {
        kernel.execute(range);
        String mode = kernel.getTargetDevice().getType().toString();
        if (mode.equals("JTP") || mode.equals("SEQ") || mode.equals("ALT")) {
            System.out.println("WRONG: Aparapi ran it as " + mode);
            System.exit(1);
        }
    }

    static Consumer<Device> each(Case kernel, Expected expected) {
        return device -> {
            run(kernel, device.createRange(size, group));
            for (int i = 0; i < size; ++i) {
                same(kernel.out[i], expected.of(i), i);
            }
        };
    }

    static int collatz(int start) {
        int steps = 0;
        for (int n = start; n != 1; ++steps) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        }
        return steps;
    }

    static void squares(Device device) {
        Squares kernel = new Squares();
        run(kernel, device.createRange2D(32, 32, 8, 8));
        for (int i = 0; i < size; ++i) {
            same(kernel.grid[i / 32][i % 32], i % 32 * 100 + i / 32 * (i / 32), i);
        }
    }

    static Map<String, Consumer<Device>> all() {
        Map<String, Consumer<Device>> cases = new LinkedHashMap<>();
        cases.put("integers", each(new Integers(), i -> (a[i] * 31 + (a[i] >>> 3) ^ i) / b[i] + a[i] % b[i]));
        cases.put("loops", each(new Loops(), i -> collatz(b[i] % 100 + 1)));
        cases.put("longs", each(new Longs(), i -> {
            long wide = (long) a[i] * a[i] / b[i];
            return (int) (wide ^ (wide >> 32));
        }));
        cases.put("singles", each(new Singles(), i -> (int) ((float) a[i] * (float) b[i] / 4096.0f)));
        cases.put("calls", each(new Calls(), i -> 4 * a[i] + Math.max(a[i], b[i]) - Math.abs(b[i])));
        cases.put("local_arrays", each(new Locals(), i -> {
            int first = i / group * group;
            return a[first + group - 1 - i % group] + a[first + (i + 1) % group];
        }));
        cases.put("arrays_of_arrays", AparapiCases::squares);
        return cases;
    }

    public static void main(String[] names) {
        if (names.length == 0) {
            all().keySet().forEach(System.out::println);
            return;
        }
        Device device = OpenCLDevice.listDevices(null).get(0);
        all().get(names[0]).accept(device);
        System.out.println("good");
    }
}
