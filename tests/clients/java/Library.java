/** What a binding of OpenCL for Java does for Cases: one kernel `f` over buffers of integers. */
interface Library {
    /** Builds the source, gives `f` the inputs and then the output (zeros first), and returns the output. */
    int[] run(String source, int[][] inputs, int outputs, int global, int local) throws Exception;
}
