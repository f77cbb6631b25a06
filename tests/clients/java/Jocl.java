import static org.jocl.CL.*;

import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_context_properties;
import org.jocl.cl_device_id;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jocl.cl_platform_id;
import org.jocl.cl_program;
import org.jocl.cl_queue_properties;

/** Cases with JOCL, on the first device of any type. */
final class Jocl {
    public static void main(String[] names) throws Exception {
        Cases.main(names, Jocl::run);
    }

    static int[] run(String source, int[][] inputs, int outputs, int global, int local) {
        CL.setExceptionsEnabled(true);
        cl_platform_id[] platforms = new cl_platform_id[1];
        clGetPlatformIDs(1, platforms, null);
        cl_device_id[] devices = new cl_device_id[1];
        clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 1, devices, null);
        cl_context_properties properties = new cl_context_properties();
        properties.addProperty(CL_CONTEXT_PLATFORM, platforms[0]);
        cl_context context = clCreateContext(properties, 1, devices, null, null, null);
        cl_command_queue queue =
                clCreateCommandQueueWithProperties(context, devices[0], new cl_queue_properties(), null);
        cl_program program = clCreateProgramWithSource(context, 1, new String[] {source}, null, null);
        clBuildProgram(program, 0, null, null, null, null);
        cl_kernel kernel = clCreateKernel(program, "f", null);
        int[] output = new int[outputs];
        cl_mem[] buffers = new cl_mem[inputs.length + 1];
        for (int i = 0; i <= inputs.length; ++i) {
            int[] data = i < inputs.length ? inputs[i] : output;
            buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                    (long) Sizeof.cl_int * data.length, Pointer.to(data), null);
            clSetKernelArg(kernel, i, Sizeof.cl_mem, Pointer.to(buffers[i]));
        }
        clEnqueueNDRangeKernel(queue, kernel, 1, null, new long[] {global}, new long[] {local}, 0, null, null);
        clEnqueueReadBuffer(queue, buffers[inputs.length], CL_TRUE, 0, (long) Sizeof.cl_int * outputs,
                Pointer.to(output), 0, null, null);
        for (cl_mem buffer : buffers) {
            clReleaseMemObject(buffer);
        }
        clReleaseKernel(kernel);
        clReleaseProgram(program);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
        return output;
    }
}
