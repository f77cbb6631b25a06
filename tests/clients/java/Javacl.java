import com.nativelibs4java.opencl.CLBuffer;
import com.nativelibs4java.opencl.CLContext;
import com.nativelibs4java.opencl.CLKernel;
import com.nativelibs4java.opencl.CLMem;
import com.nativelibs4java.opencl.CLQueue;
import com.nativelibs4java.opencl.JavaCL;
import org.bridj.Pointer;

/** Cases with JavaCL and BridJ. */
final class Javacl {
    public static void main(String[] names) throws Exception {
        Cases.main(names, Javacl::run);
    }

    static int[] run(String source, int[][] inputs, int outputs, int global, int local) {
        CLContext context = JavaCL.createContext(null, JavaCL.listPlatforms()[0].listAllDevices(true)[0]);
        CLQueue queue = context.createDefaultQueue();
        CLKernel kernel = context.createProgram(source).createKernel("f");
        Object[] arguments = new Object[inputs.length + 1];
        for (int i = 0; i <= inputs.length; ++i) {
            int[] data = i < inputs.length ? inputs[i] : new int[outputs];
            arguments[i] = context.createIntBuffer(CLMem.Usage.InputOutput, Pointer.pointerToInts(data), true);
        }
        kernel.setArgs(arguments);
        kernel.enqueueNDRange(queue, new int[] {global}, new int[] {local});
        @SuppressWarnings("unchecked")
        CLBuffer<Integer> output = (CLBuffer<Integer>) arguments[inputs.length];
        int[] values = output.read(queue).getInts();
        context.release();
        return values;
    }
}
