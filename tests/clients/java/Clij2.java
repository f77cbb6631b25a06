import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.ClearCLImage;
import net.haesleinhuepf.clij.clearcl.enums.ImageChannelDataType;
import net.haesleinhuepf.clij.clearcl.interfaces.ClearCLImageInterface;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;
import net.haesleinhuepf.clij2.CLIJ2;

/** Operations of CLIJ2 on buffers and on images of single precision, each compared with loops of Java. */
final class Clij2 {
    private static final int width = 24;
    private static final int height = 20;

    /** A picture of the host; beyond its border is the nearest pixel, as CLIJ2 reads. */
    private record Plane(int width, int height, float[] pixels) {
        double at(int x, int y) {
            return pixels[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)];
        }
    }

    private interface Operation {
        void apply(CLIJ2 clij2, ClearCLImageInterface[] in, ClearCLImageInterface out);
    }

    private interface Pixel {
        double at(int x, int y);
    }

    /** What the operation makes of the inputs: a picture of this size. */
    private record Case(int width, int height, Operation operation, Pixel expected) {
        Case(Operation operation, Pixel expected) {
            this(Clij2.width, Clij2.height, operation, expected);
        }
    }

    // Whole numbers, so that sums and products are exact: a of any sign, b without zero, masks m and n of zeros and ones.
    private static final Random random = new Random(5);
    private static final Plane a = drawn(-40, 41);
    private static final Plane b = drawn(1, 10);
    private static final Plane m = drawn(0, 2);
    private static final Plane n = drawn(0, 2);
    private static final Plane[] inputs = {a, b, m, n};

    private static final double deviation = 1;
    private static final int radius = 4;

    private static Plane drawn(int from, int to) {
        float[] pixels = new float[width * height];
        for (int i = 0; i < pixels.length; ++i) {
            pixels[i] = random.nextInt(from, to);
        }
        return new Plane(width, height, pixels);
    }

    private static double[] box(Plane of, int x, int y, int radiusX, int radiusY) {
        double[] values = new double[(2 * radiusX + 1) * (2 * radiusY + 1)];
        int count = 0;
        for (int dy = -radiusY; dy <= radiusY; ++dy) {
            for (int dx = -radiusX; dx <= radiusX; ++dx) {
                values[count++] = of.at(x + dx, y + dy);
            }
        }
        Arrays.sort(values);
        return values;
    }

    private static double[] cross(Plane of, int x, int y) {
        return new double[] {of.at(x, y), of.at(x - 1, y), of.at(x + 1, y), of.at(x, y - 1), of.at(x, y + 1)};
    }

    private static double least(double... values) {
        return Arrays.stream(values).min().orElseThrow();
    }

    private static double most(double... values) {
        return Arrays.stream(values).max().orElseThrow();
    }

    private static double sum(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += value;
        }
        return sum;
    }

    private static double is(boolean yes) {
        return yes ? 1 : 0;
    }

    /** Weighed with a bell that CLIJ2 cuts four deviations from its middle. */
    private static double blurred(int x, int y) {
        double sum = 0;
        double weights = 0;
        for (int dy = -radius; dy <= radius; ++dy) {
            for (int dx = -radius; dx <= radius; ++dx) {
                double weight = Math.exp(-(dx * dx + dy * dy) / (2 * deviation * deviation));
                sum += weight * a.at(x + dx, y + dy);
                weights += weight;
            }
        }
        return sum / weights;
    }

    private static void pixelByPixel(Map<String, Case> cases) {
        cases.put("add", new Case((c, in, out) -> c.addImages(in[0], in[1], out), (x, y) -> a.at(x, y) + b.at(x, y)));
        cases.put("add_scalar", new Case((c, in, out) -> c.addImageAndScalar(in[0], out, 5.0), (x, y) -> a.at(x, y) + 5));
        cases.put("add_weighted", new Case((c, in, out) -> c.addImagesWeighted(in[0], in[1], out, 2, 0.5),
                (x, y) -> 2 * a.at(x, y) + 0.5 * b.at(x, y)));
        cases.put("subtract", new Case((c, in, out) -> c.subtractImages(in[0], in[1], out),
                (x, y) -> a.at(x, y) - b.at(x, y)));
        cases.put("multiply", new Case((c, in, out) -> c.multiplyImages(in[0], in[1], out),
                (x, y) -> a.at(x, y) * b.at(x, y)));
        cases.put("multiply_scalar", new Case((c, in, out) -> c.multiplyImageAndScalar(in[0], out, -3.0),
                (x, y) -> -3 * a.at(x, y)));
        cases.put("multiply_coordinate", new Case((c, in, out) -> c.multiplyImageAndCoordinate(in[0], out, 1.0),
                (x, y) -> y * a.at(x, y)));
        cases.put("divide", new Case((c, in, out) -> c.divideImages(in[0], in[1], out),
                (x, y) -> a.at(x, y) / b.at(x, y)));
        cases.put("absolute", new Case((c, in, out) -> c.absolute(in[0], out), (x, y) -> Math.abs(a.at(x, y))));
        cases.put("power", new Case((c, in, out) -> c.power(in[1], out, 2.5), (x, y) -> Math.pow(b.at(x, y), 2.5)));
        cases.put("exponential", new Case((c, in, out) -> c.exponential(in[1], out), (x, y) -> Math.exp(b.at(x, y))));
        cases.put("logarithm", new Case((c, in, out) -> c.logarithm(in[1], out), (x, y) -> Math.log(b.at(x, y))));
        cases.put("maximum", new Case((c, in, out) -> c.maximumImages(in[0], in[1], out),
                (x, y) -> Math.max(a.at(x, y), b.at(x, y))));
        cases.put("minimum_scalar", new Case((c, in, out) -> c.minimumImageAndScalar(in[0], out, 3.0),
                (x, y) -> Math.min(a.at(x, y), 3)));
        cases.put("greater", new Case((c, in, out) -> c.greater(in[0], in[1], out),
                (x, y) -> is(a.at(x, y) > b.at(x, y))));
        cases.put("equal_constant", new Case((c, in, out) -> c.equalConstant(in[1], out, 4.0),
                (x, y) -> is(b.at(x, y) == 4)));
        cases.put("threshold", new Case((c, in, out) -> c.threshold(in[0], out, 3.0), (x, y) -> is(a.at(x, y) >= 3)));
        cases.put("local_threshold", new Case((c, in, out) -> c.localThreshold(in[0], in[1], out),
                (x, y) -> is(a.at(x, y) >= b.at(x, y))));
        cases.put("mask", new Case((c, in, out) -> c.mask(in[0], in[2], out), (x, y) -> a.at(x, y) * m.at(x, y)));
        cases.put("replace", new Case((c, in, out) -> c.replaceIntensity(in[1], out, 4.0, 70.0),
                (x, y) -> b.at(x, y) == 4 ? 70 : b.at(x, y)));
        cases.put("and", new Case((c, in, out) -> c.binaryAnd(in[2], in[3], out), (x, y) -> m.at(x, y) * n.at(x, y)));
        cases.put("or", new Case((c, in, out) -> c.binaryOr(in[2], in[3], out),
                (x, y) -> Math.max(m.at(x, y), n.at(x, y))));
        cases.put("xor", new Case((c, in, out) -> c.binaryXOr(in[2], in[3], out),
                (x, y) -> is(m.at(x, y) != n.at(x, y))));
        cases.put("not", new Case((c, in, out) -> c.binaryNot(in[2], out), (x, y) -> 1 - m.at(x, y)));
        cases.put("ramp", new Case((c, in, out) -> c.setRampX(out), (x, y) -> x));
    }

    private static void neighbours(Map<String, Case> cases) {
        cases.put("erode_box", new Case((c, in, out) -> c.erodeBox(in[2], out), (x, y) -> least(box(m, x, y, 1, 1))));
        cases.put("dilate_box", new Case((c, in, out) -> c.dilateBox(in[2], out), (x, y) -> most(box(m, x, y, 1, 1))));
        cases.put("dilate_sphere", new Case((c, in, out) -> c.dilateSphere(in[2], out),
                (x, y) -> most(cross(m, x, y))));
        cases.put("maximum_box", new Case((c, in, out) -> c.maximum2DBox(in[0], out, 1.0, 2.0),
                (x, y) -> most(box(a, x, y, 1, 2))));
        cases.put("minimum_box", new Case((c, in, out) -> c.minimum2DBox(in[0], out, 2.0, 1.0),
                (x, y) -> least(box(a, x, y, 2, 1))));
        cases.put("mean_box", new Case((c, in, out) -> c.mean2DBox(in[0], out, 2.0, 1.0),
                (x, y) -> Arrays.stream(box(a, x, y, 2, 1)).sum() / 15));
        cases.put("median_box", new Case((c, in, out) -> c.median2DBox(in[0], out, 1.0, 1.0),
                (x, y) -> box(a, x, y, 1, 1)[4]));
        cases.put("gaussian_blur", new Case((c, in, out) -> c.gaussianBlur2D(in[0], out, deviation, deviation),
                Clij2::blurred));
        cases.put("flip", new Case((c, in, out) -> c.flip2D(in[0], out, true, false),
                (x, y) -> a.at(width - 1 - x, y)));
        cases.put("rotate_left", new Case(height, width, (c, in, out) -> c.rotateCounterClockwise(in[0], out),
                (x, y) -> a.at(width - 1 - y, x)));
        cases.put("rotate_right", new Case(height, width, (c, in, out) -> c.rotateClockwise(in[0], out),
                (x, y) -> a.at(y, height - 1 - x)));
        cases.put("crop", new Case(9, 7, (c, in, out) -> c.crop2D(in[0], out, 5.0, 3.0),
                (x, y) -> a.at(x + 5, y + 3)));
    }

    private static void wholes(Map<String, Case> cases) {
        double total = sum(a.pixels);
        cases.put("sum", new Case((c, in, out) -> c.set(out, c.sumOfAllPixels(in[0])), (x, y) -> total));
        cases.put("mean", new Case((c, in, out) -> c.set(out, c.meanOfAllPixels(in[0])),
                (x, y) -> total / (width * height)));
        cases.put("largest", new Case((c, in, out) -> c.set(out, c.maximumOfAllPixels(in[0])), (x, y) -> 40));
        cases.put("smallest", new Case((c, in, out) -> c.set(out, c.minimumOfAllPixels(in[0])), (x, y) -> -40));
    }

    private static ClearCLBuffer buffer(CLIJ2 clij2, int width, int height) {
        return clij2.create(new long[] {width, height}, NativeTypeEnum.Float);
    }

    private static ClearCLImage image(CLIJ2 clij2, int width, int height) {
        return clij2.create(new long[] {width, height}, ImageChannelDataType.Float);
    }

    private static float[] run(CLIJ2 clij2, Case one, boolean onImages) {
        ClearCLImageInterface[] in = new ClearCLImageInterface[inputs.length];
        for (int i = 0; i < in.length; ++i) {
            ClearCLBuffer written = buffer(clij2, width, height);
            written.readFrom(FloatBuffer.wrap(inputs[i].pixels), true);
            in[i] = onImages ? image(clij2, width, height) : written;
            if (onImages) {
                clij2.copy(written, in[i]);
            }
        }
        ClearCLBuffer out = buffer(clij2, one.width, one.height);
        if (onImages) {
            ClearCLImage made = image(clij2, one.width, one.height);
            one.operation.apply(clij2, in, made);
            clij2.copy(made, out);
        } else {
            one.operation.apply(clij2, in, out);
        }
        float[] pixels = new float[one.width * one.height];
        out.writeTo(FloatBuffer.wrap(pixels), true);
        return pixels;
    }

    /** Runs one case, or lists all; ends the process with 1 when a value differs. */
    public static void main(String[] names) {
        Map<String, Case> ofImages = new LinkedHashMap<>();
        neighbours(ofImages);
        wholes(ofImages);
        Map<String, Case> cases = new LinkedHashMap<>(ofImages);
        pixelByPixel(cases);
        if (names.length == 0) {
            cases.keySet().forEach(name -> System.out.println("buffer-" + name));
            ofImages.keySet().forEach(name -> System.out.println("image-" + name));
            return;
        }
        Case one = cases.get(names[0].substring(names[0].indexOf('-') + 1));
        float[] got = run(CLIJ2.getInstance(), one, names[0].startsWith("image-"));
        for (int i = 0; i < got.length; ++i) {
            double expected = one.expected.at(i % one.width, i / one.width);
            if (!(Math.abs(got[i] - expected) <= 1e-5 * Math.max(1, Math.abs(expected)))) {
                System.out.println("WRONG element " + i + ": " + got[i] + ", not " + expected);
                System.exit(1);
            }
        }
        System.out.println("good");
        System.exit(0); // its threads go on
    }
}
