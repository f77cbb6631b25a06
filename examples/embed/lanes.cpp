// What a compiler's author asks of an instruction: put values into the lanes, run it, look at the lanes. The
// same question for several saturating adds, through visor.hpp.
//
//   c++ -std=c++23 lanes.cpp $(pkg-config --cflags --libs visor) -o lanes && ./lanes
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <visor/visor.hpp>

namespace {

template <class T>
T need(visor::Result<T> result) {
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "%s: %s\n", visor_status_name(result.error().status),
                 result.error().message.c_str());
    std::exit(1);
}

// out[lane] = a[lane] OP b[lane]
std::string kernel_of(const std::string& instruction) {
    return ".version 4.1\n"
           ".kernel \"lanes\"\n"
           ".decl a v_type=G type=w num_elts=8 align=GRF\n"
           ".decl b v_type=G type=w num_elts=8 align=GRF\n"
           ".decl sum v_type=G type=w num_elts=8 align=GRF\n"
           ".decl to v_type=G type=uq num_elts=1 align=qword\n"
           ".input a offset=32 size=16\n"
           ".input b offset=64 size=16\n"
           ".input to offset=96 size=8\n"
           ".kernel_attr SimdSize=8\n"
           "    " +
           instruction +
           " (M1, 8) sum(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>\n"
           "    svm_block_st.unaligned (1) to(0,0)<0;1,0> sum.0\n"
           "    ret (M1, 1)\n";
}

bool agree(const visor::Context& context, const std::string& instruction,
           const std::vector<int16_t>& expected) {
    const std::vector<int16_t> a{1, -1, 30000, -30000, 32767, -32768, 5, 0};
    const std::vector<int16_t> b{1, -1, 30000, -30000, 1, -1, -7, 0};
    const auto program = need(context.load("lanes.visaasm", kernel_of(instruction)));
    const auto kernel = need(program.kernel());
    const auto out = need(context.buffer<int16_t>(8));
    need(kernel.run(visor::threads(1), {std::as_bytes(std::span(a)), std::as_bytes(std::span(b)), out}));
    const bool good = need(out.to_vector()) == expected;
    std::printf("%-8s %s\n", instruction.c_str(), good ? "ok" : "WRONG");
    return good;
}

} // namespace

int main() {
    const auto context = need(visor::Context::create("skl"));
    const bool wraps = agree(context, "add", {2, -2, -5536, 5536, -32768, 32767, -2, 0});
    const bool saturates = agree(context, "add.sat", {2, -2, 32767, -32768, 32767, -32768, -2, 0});
    return wraps && saturates ? 0 : 1;
}
