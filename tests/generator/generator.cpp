#include "generator.h"

#include "instructions.h"
#include "isa/table.h"

#include <algorithm>
#include <string>

namespace visor::generator {

namespace {

void fill(Random& random, const GeneratorOptions& options, Function& function) {
    const std::span<const isa::Row* const> rows = options.rows.empty() ? isa::table() : options.rows;
    Instructions instructions(random, options, function);
    const size_t count = 1 + random.below(options.most_instructions);
    for (size_t i = 0; i < count; ++i) {
        const isa::Row& row = *random.pick(rows);
        if (has_form(row, options.medium))
            function.code.push_back(instructions.make(row));
    }
    instructions.finish();
}

// 4.2 is where text without a suffix changed its meaning (ruling 16); binaries end with 4.1.
void choose_version(Random& random, Medium medium, Module& module) {
    if (medium == Medium::binary)
        return;
    constexpr uint8_t newest_minor = 6;
    module.minor = static_cast<uint8_t>(random.below(newest_minor + 1));
    module.major = random.one_in(8) ? 3 : 4;
    module.modern_suffixes = module.major == 4 && module.minor >= 2;
}

} // namespace

bool has_form(const isa::Row& row, Medium medium) {
    return medium == Medium::text || !isa::has(row, isa::no_binary);
}

Module generate(uint64_t seed, const GeneratorOptions& options) {
    Random random(seed);
    Module module;
    choose_version(random, options.medium, module);
    const size_t kernels = 1 + random.below(options.most_functions);
    const size_t functions =
        kernels < options.most_functions ? random.below(options.most_functions - kernels + 1) : 0;
    for (size_t index = 0; index < kernels + functions; ++index) {
        Function function;
        function.kind = index < kernels ? FunctionKind::kernel : FunctionKind::global_function;
        const std::string plain = "kernel_" + std::to_string(index);
        function.name = odd_name(random, plain);
        const auto is_taken = [&](const Function& other) { return other.name == function.name; };
        if (std::ranges::any_of(module.functions, is_taken))
            function.name = plain;
        fill(random, options, function);
        module.functions.push_back(std::move(function));
    }
    return module;
}

} // namespace visor::generator
