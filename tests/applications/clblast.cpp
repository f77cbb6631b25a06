// CLBlast's GEMM, GEMV and AXPY against sums in double precision.
#include <clblast_c.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr size_t m = 70;
constexpr size_t n = 50;
constexpr size_t k = 90;
int wrong = 0;

void check(const char* name, bool called, const std::vector<double>& expected,
           const std::vector<float>& got) {
    double worst = 0;
    for (size_t i = 0; i < expected.size(); ++i)
        worst = std::max(worst, std::abs(expected[i] - static_cast<double>(got[i])));
    const bool good = called && worst < 1e-3;
    std::printf("%s: %s, worst difference %g\n", name, good ? "good" : "WRONG", worst);
    wrong += good ? 0 : 1;
}

std::vector<float> numbers(size_t count) {
    std::vector<float> out(count);
    for (float& one : out)
        one = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX) - 0.5F;
    return out;
}

} // namespace

int main() {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
        return 2;
    const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
    std::vector<float> a = numbers(m * k), b = numbers(k * n), c(m * n), x = numbers(k), y = numbers(m);
    const auto buffer = [&](std::vector<float>& from) {
        return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, from.size() * 4, from.data(), nullptr);
    };
    const auto read = [&](cl_mem from, size_t count) {
        std::vector<float> out(count);
        clEnqueueReadBuffer(queue, from, CL_TRUE, 0, count * 4, out.data(), 0, nullptr, nullptr);
        return out;
    };
    const cl_mem da = buffer(a), db = buffer(b), dc = buffer(c), dx = buffer(x), dy = buffer(y);
    std::vector<double> product(m * n), moved(m), sum(k);
    for (size_t i = 0; i < m; ++i) {
        for (size_t l = 0; l < k; ++l) {
            moved[i] += 2.0 * a[i * k + l] * x[l];
            for (size_t j = 0; j < n; ++j)
                product[i * n + j] += 2.0 * a[i * k + l] * b[l * n + j];
        }
        moved[i] += 3.0 * y[i];
    }
    for (size_t l = 0; l < k; ++l)
        sum[l] = 5.0 * x[l] + b[l];
    bool called = CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, m, n, k, 2, da,
                               0, k, db, 0, n, 0, dc, 0, n, &queue, nullptr) == CLBlastSuccess;
    check("sgemm 70x50x90", called, product, read(dc, m * n));
    called = CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, m, k, 2, da, 0, k, dx, 0, 1, 3, dy, 0, 1,
                          &queue, nullptr) == CLBlastSuccess;
    check("sgemv 70x90", called, moved, read(dy, m));
    called = CLBlastSaxpy(k, 5, dx, 0, 1, db, 0, 1, &queue, nullptr) == CLBlastSuccess;
    check("saxpy 90", called, sum, read(db, k));
    return wrong == 0 ? 0 : 1;
}
