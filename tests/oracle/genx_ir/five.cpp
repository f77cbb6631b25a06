// genx_ir_five REPOSITORY
//
// Sends every form of the five core instructions that their pages allow (five-vectors.tsv) through our writer
// and the outside reader, on the device that its row names.
#include "forms.h"
#include "tsv.h"

#include <fmt/format.h>

#include <stdexcept>

namespace {

using namespace visor;

constexpr size_t promised_forms = 234;

oracle::Form form_of(const std::vector<std::string>& row) {
    const isa::Device* device = isa::device_named(row.at(3));
    if (device == nullptr)
        throw std::runtime_error("unknown device " + row.at(3));
    return {.name = row.at(0),
            .device = device,
            .declarations = test::split(row.at(6), ';'),
            .code = {row.at(7)},
            .simd = row.at(4)};
}

int run(const std::string& repository) {
    std::vector<oracle::Form> forms;
    test::read_tsv(repository + "/tests/data/conformance/five-vectors.tsv",
                   [&](const std::vector<std::string>& row) {
                       if (row.at(5) == "legal")
                           forms.push_back(form_of(row));
                   });
    const bool good = oracle::all_return(forms, repository, "five");
    return good && forms.size() == promised_forms ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: genx_ir_five REPOSITORY\n");
        return 2;
    }
    try {
        return run(argv[1]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "genx_ir_five: {}\n", error.what());
        return 2;
    }
}
