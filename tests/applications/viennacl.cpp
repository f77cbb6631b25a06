// ViennaCL solves a sparse system by conjugate gradients; what is left over is worked out on the host.
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/vector.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <vector>

int main() try {
    constexpr int n = 400;
    std::vector<std::map<unsigned, double>> matrix(n);
    for (int i = 0; i < n; ++i) {
        const auto row = static_cast<unsigned>(i);
        matrix[row][row] = 2.5;
        if (i > 0)
            matrix[row][row - 1] = -1;
        if (i + 1 < n)
            matrix[row][row + 1] = -1;
    }
    std::vector<double> b(n, 1.0), x(n);
    viennacl::compressed_matrix<double> device_matrix(n, n);
    viennacl::vector<double> device_b(n);
    viennacl::copy(matrix, device_matrix);
    viennacl::copy(b, device_b);
    const viennacl::linalg::cg_tag tag(1e-10, 300);
    const viennacl::vector<double> solution = viennacl::linalg::solve(device_matrix, device_b, tag);
    viennacl::copy(solution, x);
    double worst = 0;
    for (size_t i = 0; i < n; ++i)
        worst =
            std::max(worst, std::abs(2.5 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0) - 1));
    const bool good = worst < 1e-6;
    std::printf("400 unknowns: residual %g: %s\n", worst, good ? "good" : "WRONG");
    return good ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
