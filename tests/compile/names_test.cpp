#include "compile/names.h"

#include "spirv_module.h"

#include <gtest/gtest.h>

namespace visor::compile {
namespace {

using Names = std::vector<std::string>;

TEST(KernelNames, StandBeforeTheParameters) {
    EXPECT_EQ(kernel_names_in_source("kernel void a(int x) {} __kernel\nvoid\nb (void) { a(1); }"),
              (Names{"a", "b"}));
    EXPECT_EQ(kernel_names_in_source("__attribute__((intel_reqd_sub_group_size(16))) kernel void k() {}"),
              Names{"k"});
    EXPECT_EQ(kernel_names_in_source(
                  "kernel __attribute__((reqd_work_group_size(8, (1), 1))) void k(global int* p) {}"),
              Names{"k"});
    EXPECT_EQ(kernel_names_in_source("void f(int kernel_size) {}"), Names{});
}

TEST(KernelNames, NotInCommentsAndLiterals) {
    EXPECT_EQ(kernel_names_in_source("// kernel void a()\n/* kernel void b() */ constant char* s = "
                                     "\"kernel void c()\"; kernel void d() {}"),
              Names{"d"});
    EXPECT_EQ(kernel_names_in_source("'\\'' kernel void a() {}"), Names{"a"});
}

TEST(KernelNames, OfWhatIsNoProgram) {
    for (const char* text : {"", "kernel", "kernel void", "kernel (", "kernel __attribute__", "/*", "\"",
                             "kernel __attribute__ ) void", "\"\\", "//", "kernel # a("})
        EXPECT_EQ(kernel_names_in_source(text), Names{}) << text;
}

TEST(KernelNames, NoMoreThanAMessageCanName) {
    std::string many;
    for (int i = 0; i < 100; ++i)
        many += "kernel void k" + std::to_string(i) + "() {}\n";
    EXPECT_EQ(kernel_names_in_source(many).size(), 8U);
    Request request;
    request.name = "k.cl";
    request.source = many;
    EXPECT_EQ(described(request), "`k.cl` (kernels k0, k1, k2, k3, k4, k5, k6, k7, ...)");
}

TEST(KernelNames, OfModulesAreTheirEntryPoints) {
    const std::string module = test::spirv::number_by_extract();
    EXPECT_EQ(kernel_names_in_module(module), Names{"number"});
    EXPECT_EQ(kernel_names_in_module(module.substr(0, 40)), Names{});
    EXPECT_EQ(kernel_names_in_module("no module"), Names{});
    Request request;
    request.name = "m";
    request.language = Language::modules;
    EXPECT_EQ(described(request), "`m`");
    request.modules = {module, module};
    EXPECT_EQ(described(request), "`m` (kernels number, number)");
}

// A name without its end, of bytes that no name has.
TEST(KernelNames, DamagedOnesAreLeftOut) {
    test::spirv::Module module(10);
    module.add(15, {6, 1, 0x41414141}).add(15, {6, 1, 0x000a1b41}).add(15, {6}).add(15, {6, 1});
    EXPECT_EQ(kernel_names_in_module(module.bytes()), Names{"AAAA"});
}

} // namespace
} // namespace visor::compile
