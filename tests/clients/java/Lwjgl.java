import static org.lwjgl.opencl.CL10.*;

import java.nio.IntBuffer;
import org.lwjgl.BufferUtils;
import org.lwjgl.PointerBuffer;
import org.lwjgl.opencl.CL;
import org.lwjgl.opencl.CLContextCallback;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** Cases with LWJGL, which asks a platform for all of its devices first. */
final class Lwjgl {
    public static void main(String[] names) throws Exception {
        Cases.main(names, Lwjgl::run);
    }

    static void good(int code) {
        if (code != CL_SUCCESS) {
            throw new IllegalStateException("OpenCL error " + code);
        }
    }

    static int[] run(String source, int[][] inputs, int outputs, int global, int local) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer ids = stack.mallocPointer(1);
            good(clGetPlatformIDs(ids, (IntBuffer) null));
            long platform = ids.get(0);
            CL.createPlatformCapabilities(platform);
            good(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, ids, (IntBuffer) null));
            long device = ids.get(0);
            PointerBuffer properties = stack.mallocPointer(3).put(CL_CONTEXT_PLATFORM).put(platform).put(0).flip();
            IntBuffer code = stack.callocInt(1);
            try (CLContextCallback callback = CLContextCallback.create(
                    (info, data, size, user) -> System.out.println("WRONG " + MemoryUtil.memUTF8(info)))) {
                long context = clCreateContext(properties, device, callback, 0, code);
                good(code.get(0));
                long queue = clCreateCommandQueue(context, device, 0, code);
                good(code.get(0));
                long program = clCreateProgramWithSource(context, source, code);
                good(code.get(0));
                good(clBuildProgram(program, device, "", null, 0));
                long kernel = clCreateKernel(program, "f", code);
                good(code.get(0));
                int[] output = new int[outputs];
                long[] buffers = new long[inputs.length + 1];
                for (int i = 0; i <= inputs.length; ++i) {
                    int[] data = i < inputs.length ? inputs[i] : output;
                    IntBuffer copied = BufferUtils.createIntBuffer(data.length).put(data).flip();
                    buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, copied, code);
                    good(code.get(0));
                    good(clSetKernelArg1p(kernel, i, buffers[i]));
                }
                good(clEnqueueNDRangeKernel(queue, kernel, 1, null, stack.pointers(global), stack.pointers(local), null,
                        null));
                good(clEnqueueReadBuffer(queue, buffers[inputs.length], true, 0, output, null, null));
                for (long buffer : buffers) {
                    good(clReleaseMemObject(buffer));
                }
                good(clReleaseKernel(kernel));
                good(clReleaseProgram(program));
                good(clReleaseCommandQueue(queue));
                good(clReleaseContext(context));
                return output;
            }
        }
    }
}
