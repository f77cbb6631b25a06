// Texts of one instruction each, sent through our writer and the outside reader.
#pragma once

#include "isa/device.h"

#include <string>
#include <vector>

namespace visor::oracle {

struct Form {
    std::string name;
    const isa::Device* device = nullptr;
    std::vector<std::string> declarations;
    std::vector<std::string> code; // lines
    std::string simd = "16";
};

// Prints what was found, and says whether nothing failed but what exceptions.tsv names under `part`.
[[nodiscard]] bool all_return(const std::vector<Form>& forms, const std::string& repository,
                              const std::string& part);

} // namespace visor::oracle
